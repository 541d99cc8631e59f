//===- TurnLoops.cpp - loops over blocks that take turns --------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/loops/TurnLoops.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/Dialect/Affine/LoopUtils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace weft {

SmallVector<affine::AffineForOp> turnLoops(affine::AffineForOp outermost) {
  SmallVector<affine::AffineForOp> loops;
  for (affine::AffineForOp loop = outermost;
       loop && loop->hasAttr(inTurnMark) && loop.getNumIterOperands() == 0;) {
    if (!affine::getConstantTripCount(loop))
      return {};
    loops.push_back(loop);
    if (!llvm::hasSingleElement(loop.getBody()->without_terminator()))
      break;
    loop = dyn_cast<affine::AffineForOp>(loop.getBody()->front());
  }
  return loops;
}

int64_t turnsOf(ArrayRef<affine::AffineForOp> loops) {
  int64_t turns = 1;
  for (affine::AffineForOp loop : loops)
    turns *= affine::getConstantTripCount(loop).value_or(1);
  return turns;
}

/// The nest of turns before or behind another with nothing between that the order matters to.
static affine::AffineForOp neighbour(affine::AffineForOp nest, bool before) {
  auto step = [&](Operation *op) { return before ? op->getPrevNode() : op->getNextNode(); };
  for (Operation *op = step(nest); op; op = step(op)) {
    auto loop = dyn_cast<affine::AffineForOp>(op);
    if (loop)
      return loop->hasAttr("weft.parallel") && !turnLoops(loop).empty() ? loop
                                                                        : affine::AffineForOp();
    if (!isMemoryEffectFree(op) && !isa<memref::AllocOp>(op))
      break;
  }
  return {};
}

SmallVector<affine::AffineForOp> nestsTogether(affine::AffineForOp outermost) {
  affine::AffineForOp first = outermost;
  while (first->hasAttr(besideMark)) {
    affine::AffineForOp before = neighbour(first, /*before=*/true);
    if (!before)
      break;
    first = before;
  }
  SmallVector<affine::AffineForOp> nests{first};
  for (affine::AffineForOp next = neighbour(first, /*before=*/false);
       next && next->hasAttr(besideMark); next = neighbour(next, /*before=*/false))
    nests.push_back(next);
  return nests;
}

void dropSingleTurn(affine::AffineForOp loop) {
  if (Attribute sharing = loop->getAttr(sharingMark))
    for (auto inner : loop.getOps<affine::AffineForOp>())
      inner->setAttr(sharingMark, sharing);
  (void)affine::promoteIfSingleIteration(loop);
}

} // namespace weft
