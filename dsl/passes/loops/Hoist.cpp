//===- Hoist.cpp - what a loop computes again and again ---------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/loops/Hoist.h"
#include "passes/Passes.h"
#include "passes/loops/AccessPattern.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace weft {

static Value bufferReadBy(Operation &op) {
  if (auto load = dyn_cast<affine::AffineReadOpInterface>(op))
    return load.getMemRef();
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return load.getMemRef();
  if (auto load = dyn_cast<vector::LoadOp>(op))
    return load.getBase();
  if (auto load = dyn_cast<vector::MaskedLoadOp>(op))
    return load.getBase();
  return {};
}

static bool mayWriteTo(Operation *root, Value buffer) {
  return root
      ->walk([&](Operation *op) {
        bool writes = true;
        if (auto store = dyn_cast<affine::AffineWriteOpInterface>(op))
          writes = mayAlias(store.getMemRef(), buffer);
        else if (auto store = dyn_cast<memref::StoreOp>(op))
          writes = mayAlias(store.getMemRef(), buffer);
        else if (auto store = dyn_cast<vector::StoreOp>(op))
          writes = mayAlias(store.getBase(), buffer);
        else if (auto store = dyn_cast<vector::MaskedStoreOp>(op))
          writes = mayAlias(store.getBase(), buffer);
        else
          writes = !isMemoryEffectFree(op) && !bufferReadBy(*op) && op->getNumRegions() == 0;
        return writes ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

void hoistInvariants(affine::AffineForOp loop, bool independent) {
  // A load in front of a loop that never runs could be out of bounds.
  if (affine::getConstantTripCount(loop).value_or(0) == 0)
    return;
  for (Operation &op : llvm::make_early_inc_range(loop.getBody()->without_terminator())) {
    if (op.getNumRegions() != 0 || !llvm::all_of(op.getOperands(), [&](Value operand) {
          return loop.isDefinedOutsideOfLoop(operand);
        }))
      continue;
    Value buffer = bufferReadBy(op);
    if (buffer ? independent || !mayWriteTo(loop, buffer) : isMemoryEffectFree(&op))
      op.moveBefore(loop);
  }
}

void hoistOutwards(affine::AffineForOp around, int64_t most) {
  for (; around && around->hasAttr("weft.independent") && !around->hasAttr("weft.parallel");
       around = dyn_cast<affine::AffineForOp>(around->getParentOp())) {
    int64_t vectors = llvm::count_if(around.getBody()->getOperations(), [](Operation &op) {
      return isa<vector::BroadcastOp, affine::AffineVectorLoadOp>(op);
    });
    if (vectors == 0 || vectors > most)
      return;
    hoistInvariants(around, false);
  }
}

void eraseUnused(affine::AffineForOp loop) {
  loop->walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
    if (isOpTriviallyDead(op))
      op->erase();
  });
}

} // namespace weft
