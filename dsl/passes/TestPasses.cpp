//===- TestPasses.cpp - wrong on purpose ----------------------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Passes for tests of Weft's own nets: does --verify-each-numerically name the pass that
// is wrong? They exist only where the environment has WEFT_TEST_PASSES=1.
//
//===-----------------------------------------------------------------------===//

#include "passes/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <cstdlib>

using namespace mlir;

namespace {

/// a - b becomes b - a.
struct SwapOperands : public PassWrapper<SwapOperands, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SwapOperands)
  StringRef getArgument() const final { return "test-swap-operands"; }
  StringRef getDescription() const final { return "wrong: swaps the operands of subtractions"; }

  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      if (isa<arith::SubFOp, complex::SubOp>(op))
        op->setOperands({op->getOperand(1), op->getOperand(0)});
    });
  }
};

/// Every loop is said to be independent.
struct MarkIndependent : public PassWrapper<MarkIndependent, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(MarkIndependent)
  StringRef getArgument() const final { return "test-mark-independent"; }
  StringRef getDescription() const final { return "wrong: marks all loops weft.independent"; }

  void runOnOperation() override {
    getOperation().walk([](affine::AffineForOp loop) {
      loop->setAttr("weft.independent", UnitAttr::get(loop.getContext()));
    });
  }
};

/// Loads move one element on.
struct ShiftLoads : public PassWrapper<ShiftLoads, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ShiftLoads)
  StringRef getArgument() const final { return "test-shift-loads"; }
  StringRef getDescription() const final { return "wrong: loads read the element after theirs"; }

  void runOnOperation() override {
    getOperation().walk([](affine::AffineLoadOp load) {
      AffineMap map = load.getAffineMap();
      if (map.getNumResults() == 0)
        return;
      SmallVector<AffineExpr> index(map.getResults());
      index.front() = index.front() + 1;
      load.setMap(AffineMap::get(map.getNumDims(), map.getNumSymbols(), index, map.getContext()));
    });
  }
};

/// Indices are not checked.
struct DropChecks : public PassWrapper<DropChecks, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DropChecks)
  StringRef getArgument() const final { return "test-drop-checks"; }
  StringRef getDescription() const final { return "wrong: erases all checks of indices"; }

  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      if (auto checked = dyn_cast<weft::CheckedIndicesOp>(op))
        checked.getResult().replaceAllUsesWith(checked.getSource());
      else if (!isa<weft::FailIfOp>(op))
        return;
      op->erase();
    });
  }
};

/// Ends as a fault of a pass may end: `how` is crash, abort, fail or invalid.
struct Break : public PassWrapper<Break, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Break)
  Break() = default;
  Break(const Break &other) : PassWrapper(other) {}
  StringRef getArgument() const final { return "test-break"; }
  StringRef getDescription() const final { return "wrong: crashes, fails, or leaves invalid IR"; }
  Option<std::string> how{*this, "how", llvm::cl::desc("crash, abort, fail or invalid"),
                          llvm::cl::init("crash")};

  void runOnOperation() override {
    if (how == "crash")
      *static_cast<volatile int *>(nullptr) = 1; // NOLINT(clang-analyzer-core.NullDereference)
    if (how == "abort")
      std::abort();
    if (how == "fail") {
      getOperation().emitOpError("cannot be lowered");
      return signalPassFailure();
    }
    // A kernel whose type is not that of its body.
    getOperation().walk([](func::FuncOp function) {
      function.setType(FunctionType::get(function.getContext(), {}, {}));
    });
  }
};

} // namespace

void weft::registerTestPasses() {
  const char *wanted = std::getenv("WEFT_TEST_PASSES");
  if (!wanted || StringRef(wanted) != "1")
    return;
  PassRegistration<SwapOperands>();
  PassRegistration<MarkIndependent>();
  PassRegistration<ShiftLoads>();
  PassRegistration<DropChecks>();
  PassRegistration<Break>();
}
