//===- TurnLoops.cpp - loops over blocks that take turns --------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/TurnLoops.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"

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

} // namespace weft
