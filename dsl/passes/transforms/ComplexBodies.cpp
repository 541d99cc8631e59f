//===- ComplexBodies.cpp - complex arithmetic in bodies made real -----------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/transforms/ComplexBodies.h"

#include "dialect/Weft.h"
#include "passes/transforms/ComplexFunctions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace weft {
namespace {

bool isComplex(Value value) { return isa<ComplexType>(value.getType()); }

/// Rewrites the ops of one block in order. Old ops stay until all blocks are done, so that
/// values can be looked up by what they replace, and no new one has the address of an old one.
class BodyRewriter {
public:
  BodyRewriter(Block &block, DenseMap<Value, Parts> &complexes, DenseMap<Value, Real> &reals,
               llvm::SetVector<Operation *> &going)
      : block(block), complexes(complexes), reals(reals), going(going), builder(block.getParent()),
        arithmetic(builder, block.getParentOp()->getLoc(), &block) {}

  LogicalResult run() {
    SmallVector<Operation *> ops;
    for (Operation &op : block)
      ops.push_back(&op);
    for (Operation *op : ops)
      if (failed(rewrite(op)))
        return failure();
    return success();
  }

private:
  LogicalResult rewrite(Operation *op) {
    builder.setInsertionPoint(op);
    arithmetic.setLocation(op->getLoc());
    if (rewriteReal(op))
      return success();
    if (llvm::none_of(op->getOperands(), isComplex) && llvm::none_of(op->getResults(), isComplex) &&
        op->getNumRegions() == 0) {
      settleOperands(op);
      return success();
    }
    if (isa<complex::ComplexDialect>(op->getDialect()))
      return rewriteComplex(op);
    if (auto select = dyn_cast<arith::SelectOp>(op)) {
      Value condition = select.getCondition();
      auto part = [&](Real a, Real b) {
        return Real{arith::SelectOp::create(builder, op->getLoc(), condition, arithmetic.value(a),
                                            arithmetic.value(b))};
      };
      Parts a = parts(select.getTrueValue()), b = parts(select.getFalseValue());
      return replace(op, Parts{part(a.re, b.re), part(a.im, b.im)});
    }
    for (Region &region : op->getRegions())
      for (Block &inner : region)
        if (failed(BodyRewriter(inner, complexes, reals, going).run()))
          return failure();
    settleOperands(op);
    return success();
  }

  /// Real sums and products: rebuilt with signs carried along.
  bool rewriteReal(Operation *op) {
    auto one = [&](unsigned n) { return real(op->getOperand(n)); };
    if (op->getNumResults() != 1 || !isa<FloatType>(op->getResult(0).getType()))
      return false;
    Real result;
    if (isa<arith::AddFOp>(op))
      result = arithmetic.add(one(0), one(1));
    else if (isa<arith::SubFOp>(op))
      result = arithmetic.sub(one(0), one(1));
    else if (isa<arith::MulFOp>(op))
      result = arithmetic.mul(one(0), one(1));
    else if (isa<arith::NegFOp>(op))
      result = -one(0);
    else
      return false;
    reals[op->getResult(0)] = result;
    going.insert(op);
    return true;
  }

  LogicalResult rewriteComplex(Operation *op) {
    FunctionBuilder functions{builder, arithmetic, op->getLoc()};
    auto in = [&](unsigned n) { return parts(op->getOperand(n)); };
    auto compare = [&](arith::CmpFPredicate predicate, Real a, Real b) -> Value {
      return arith::CmpFOp::create(builder, op->getLoc(), predicate, arithmetic.value(a),
                                   arithmetic.value(b));
    };
    return llvm::TypeSwitch<Operation *, LogicalResult>(op)
        .Case<complex::CreateOp>([&](auto create) {
          return replace(op, Parts{real(create.getReal()), real(create.getImaginary())});
        })
        .Case<complex::ConstantOp>([&](auto) { return constant(cast<complex::ConstantOp>(op)); })
        .Case<complex::ReOp>([&](auto) { return replace(op, in(0).re); })
        .Case<complex::ImOp>([&](auto) { return replace(op, in(0).im); })
        .Case<complex::AddOp>([&](auto) { return replace(op, arithmetic.add(in(0), in(1))); })
        .Case<complex::SubOp>([&](auto) { return replace(op, arithmetic.sub(in(0), in(1))); })
        .Case<complex::MulOp>([&](auto) { return replace(op, arithmetic.mul(in(0), in(1))); })
        .Case<complex::DivOp>([&](auto) { return replace(op, functions.divide(in(0), in(1))); })
        .Case<complex::NegOp>([&](auto) { return replace(op, RealBuilder::turn(in(0), 2)); })
        .Case<complex::ConjOp>([&](auto) { return replace(op, Parts{in(0).re, -in(0).im}); })
        .Case<complex::AbsOp>([&](auto) { return replace(op, functions.abs(in(0))); })
        .Case<complex::AngleOp>([&](auto) { return replace(op, functions.angle(in(0))); })
        .Case<complex::ExpOp>([&](auto) { return replace(op, functions.exp(in(0))); })
        .Case<complex::SqrtOp>([&](auto) { return replace(op, functions.sqrt(in(0))); })
        .Case<complex::LogOp>([&](auto) { return replace(op, functions.log(in(0))); })
        .Case<complex::SinOp>([&](auto) { return replace(op, functions.sin(in(0))); })
        .Case<complex::CosOp>([&](auto) { return replace(op, functions.cos(in(0))); })
        .Case<complex::TanhOp>([&](auto) { return replace(op, functions.tanh(in(0))); })
        .Case<complex::EqualOp>([&](auto) {
          auto predicate = arith::CmpFPredicate::OEQ;
          Value re = compare(predicate, in(0).re, in(1).re);
          Value im = compare(predicate, in(0).im, in(1).im);
          return replace(op, arith::AndIOp::create(builder, op->getLoc(), re, im));
        })
        .Case<complex::NotEqualOp>([&](auto) {
          auto predicate = arith::CmpFPredicate::UNE;
          Value re = compare(predicate, in(0).re, in(1).re);
          Value im = compare(predicate, in(0).im, in(1).im);
          return replace(op, arith::OrIOp::create(builder, op->getLoc(), re, im));
        })
        .Default([&](Operation *) {
          return op->emitError("no real form of '")
                 << op->getName() << "': expected complex arithmetic, abs, angle, conj, exp, "
                 << "log, sqrt, sin, cos, tanh or a comparison";
        });
  }

  LogicalResult constant(complex::ConstantOp op) {
    Type type = cast<ComplexType>(op.getType()).getElementType();
    auto part = [&](unsigned n) -> Real {
      llvm::APFloat number = cast<FloatAttr>(op.getValue()[n]).getValue();
      if (number.isFinite())
        return arithmetic.constant(number.convertToDouble(), type);
      return {arith::ConstantOp::create(builder, op.getLoc(), builder.getFloatAttr(type, number))};
    };
    return replace(op, Parts{part(0), part(1)});
  }

  LogicalResult replace(Operation *op, Parts value) {
    complexes[op->getResult(0)] = value;
    going.insert(op);
    return success();
  }
  LogicalResult replace(Operation *op, Real value) {
    reals[op->getResult(0)] = value;
    going.insert(op);
    return success();
  }
  LogicalResult replace(Operation *op, Value value) {
    op->getResult(0).replaceAllUsesWith(value);
    going.insert(op);
    return success();
  }

  Real real(Value value) {
    auto found = reals.find(value);
    return found == reals.end() ? Real{value} : found->second;
  }

  Parts parts(Value value) {
    auto found = complexes.find(value);
    if (found != complexes.end())
      return found->second;
    // Split where the value is made, so that later users may share the parts.
    OpBuilder::InsertionGuard guard(builder);
    if (value.getParentBlock() == &block)
      builder.setInsertionPointAfterValue(value);
    auto name = dyn_cast<NameLoc>(value.getLoc());
    Parts result = arithmetic.split(value, name ? name.getName().strref() : llvm::StringRef());
    if (value.getParentBlock() == &block)
      complexes[value] = result;
    return result;
  }

  /// Gives an op that stays the values in place of those that go.
  void settleOperands(Operation *op) {
    builder.setInsertionPoint(op);
    for (OpOperand &operand : op->getOpOperands()) {
      if (auto found = reals.find(operand.get()); found != reals.end())
        operand.set(arithmetic.value(found->second));
      else if (auto pair = complexes.find(operand.get());
               pair != complexes.end() && operand.get().getDefiningOp() &&
               going.contains(operand.get().getDefiningOp()))
        operand.set(arithmetic.join(pair->second));
    }
  }

  Block &block;
  DenseMap<Value, Parts> &complexes;
  DenseMap<Value, Real> &reals;
  llvm::SetVector<Operation *> &going; ///< replaced, in this block or another
  OpBuilder builder;
  RealBuilder arithmetic;
};

} // namespace

LogicalResult makeReal(Block &body) {
  DenseMap<Value, Parts> complexes;
  DenseMap<Value, Real> reals;
  llvm::SetVector<Operation *> going;
  if (failed(BodyRewriter(body, complexes, reals, going).run()))
    return failure();
  for (Operation *op : llvm::reverse(going))
    if (op->use_empty())
      op->erase();
  return success();
}

} // namespace weft
