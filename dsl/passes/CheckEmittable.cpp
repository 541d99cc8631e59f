//===- CheckEmittable.cpp - only what the emitter knows remains ---------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Reports every op that has no C form, each with its place and the pass that should
// have removed it, so that a fault of the pipeline is seen whole and not op by op.
// The emitter (targets/common) refuses on its own what a target's table lacks.
//
//===-----------------------------------------------------------------------===//

#include "dialect/Groups.h"
#include "dialect/Target.h"
#include "passes/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace weft {
#define GEN_PASS_DEF_CHECKEMITTABLE
#include "passes/Passes.h.inc"
} // namespace weft

using namespace mlir;

namespace {

/// Ops with a C form, apart from those of arith and math on types that have one.
bool hasCForm(Operation *op) {
  return isa<ModuleOp, func::FuncOp, func::ReturnOp, affine::AffineForOp, affine::AffineIfOp,
             affine::AffineYieldOp, affine::AffineApplyOp, affine::AffineLoadOp,
             affine::AffineStoreOp, affine::AffineVectorLoadOp, affine::AffineVectorStoreOp,
             memref::LoadOp, memref::StoreOp, memref::AllocOp, memref::AllocaOp, memref::DeallocOp,
             memref::CopyOp, memref::GlobalOp, memref::GetGlobalOp, memref::ReinterpretCastOp,
             memref::CastOp, memref::CollapseShapeOp, memref::ExpandShapeOp, vector::BroadcastOp,
             vector::ShuffleOp, vector::ExtractOp, vector::InsertOp, vector::FromElementsOp,
             vector::ReductionOp, vector::LoadOp, vector::StoreOp, vector::MaskedLoadOp,
             vector::MaskedStoreOp, weft::FailIfOp, weft::ExchangeOp>(op) ||
         isa<arith::ArithDialect, math::MathDialect, weft::cpe::CpeDialect>(op->getDialect());
}

/// The pass after which none of these may be left; empty for ops nobody expects.
StringRef passThatRemoves(Operation *op) {
  StringRef name = op->getName().getStringRef();
  StringRef dialect = name.split('.').first;
  if (name == "weft.dft" || name == "weft.conv")
    return "factor-transform";
  if (name == "weft.butterfly" || name == "weft.twiddle" || name == "weft.winograd_transform" ||
      dialect == "complex")
    return "simplify-butterflies";
  if (name == "weft.transpose")
    return "fuse";
  if (dialect == "weft" || dialect == "tensor" || dialect == "scf")
    return "lower-to-loops";
  if (name == "func.call")
    return "inline";
  return "";
}

class Check {
public:
  explicit Check(const weft::VectorUnit &vectors) : vectors(vectors) {}

  /// Emits an error and returns false where the op has no C form.
  bool visit(Operation *op);

private:
  /// Why a type has no C form; empty where it has one.
  std::string fault(Type type) const;
  weft::VectorUnit vectors;
};

/// Numbers that C has a type for.
bool isNumber(Type type) {
  return type.isF32() || type.isF64() || type.isInteger(32) || type.isInteger(64) ||
         type.isInteger(1);
}

std::string Check::fault(Type type) const {
  if (isa<TensorType>(type))
    return "a tensor; lower-to-loops should have made it a buffer";
  if (isa<ComplexType>(type))
    return "a complex value; simplify-butterflies should have made it two real ones";
  if (auto buffer = dyn_cast<MemRefType>(type)) {
    if (!buffer.hasStaticShape() || !buffer.getLayout().isIdentity())
      return "a buffer that is not contiguous or of unknown shape";
    return isNumber(buffer.getElementType()) ? "" : "a buffer of elements without a C type";
  }
  if (auto vector = dyn_cast<VectorType>(type)) {
    Type element = vector.getElementType();
    int64_t lanes = vector.getNumElements();
    bool fits = vector.getRank() == 1 && isNumber(element) &&
                (element.isInteger(1) ? lanes * 8 == vectors.bytes || lanes * 4 == vectors.bytes
                                      : lanes == vectors.lanes(element.getIntOrFloatBitWidth()));
    return fits ? ""
                : "a vector that is not of the target's " + std::to_string(vectors.bytes) +
                      " bytes; vectorize-complex makes no others";
  }
  if (isNumber(type) || type.isIndex() || isa<FunctionType>(type))
    return "";
  return "of a type without a C type";
}

bool Check::visit(Operation *op) {
  if (!hasCForm(op)) {
    InFlightDiagnostic error = op->emitError("not emittable: `") << op->getName() << "`";
    StringRef pass = passThatRemoves(op);
    if (pass.empty())
      error << " has no C form";
    else
      error << " is left; " << pass << " should have removed it";
    return false;
  }
  auto condition = dyn_cast<affine::AffineIfOp>(op);
  if (condition && (condition.hasElse() || condition.getNumResults() != 0)) {
    op->emitError("not emittable: expected a condition without results and without an else");
    return false;
  }
  auto loop = dyn_cast<affine::AffineForOp>(op);
  if (loop && !loop.hasConstantBounds()) {
    op->emitError("not emittable: expected a loop with constant bounds");
    return false;
  }
  if (auto func = dyn_cast<func::FuncOp>(op)) {
    for (Type type : llvm::concat<const Type>(func.getArgumentTypes(), func.getResultTypes()))
      if (!isa<MemRefType>(type) || !fault(type).empty()) {
        std::string why = fault(type);
        op->emitError("not emittable: expected buffers for arguments and no results, found ")
            << type << (why.empty() ? "" : ", " + why);
        return false;
      }
    return true;
  }
  for (Type type : llvm::concat<Type>(llvm::to_vector(op->getOperandTypes()),
                                      llvm::to_vector(op->getResultTypes()))) {
    std::string why = fault(type);
    if (why.empty())
      continue;
    op->emitError("not emittable: `") << op->getName() << "` handles " << type << ", " << why;
    return false;
  }
  return true;
}

struct CheckEmittable : public weft::impl::CheckEmittableBase<CheckEmittable> {
  using CheckEmittableBase::CheckEmittableBase;

  void runOnOperation() override {
    FailureOr<weft::Target> target = weft::Target::of(getOperation());
    FailureOr<weft::VectorUnit> vectors = failure();
    if (succeeded(target))
      vectors = target->vectors();
    if (failed(vectors))
      return signalPassFailure();
    Check check(*vectors);
    // An op without a C form speaks for all that is inside of it.
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (check.visit(op))
        return WalkResult::advance();
      signalPassFailure();
      return WalkResult::skip();
    });
    markAllAnalysesPreserved();
  }
};

} // namespace
