//===- AddressSplit.cpp - addresses by places of an array -------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/loops/AddressSplit.h"

#include "passes/loops/Places.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

SmallVector<AffineForOp> loopsAround(Operation *op, AffineForOp nest) {
  SmallVector<AffineForOp> loops;
  for (Operation *up = op->getParentOp(); up != nest->getParentOp(); up = up->getParentOp())
    loops.insert(loops.begin(), cast<AffineForOp>(up));
  return loops;
}

std::optional<Split> splitOf(const Access &access, AffineForOp nest, AffineForOp placeLoop,
                             int64_t places, AddressSpace &space) {
  SmallVector<AffineForOp> around = loopsAround(access.op, nest);
  if (!llvm::is_contained(around, placeLoop))
    return std::nullopt;
  for (AffineForOp loop : around)
    space.dim(loop.getInductionVar());
  std::optional<SmallVector<int64_t>> factors = factorsOf(access, space);
  if (!factors)
    return std::nullopt;
  auto factorOf = [&](AffineForOp loop) -> int64_t & {
    return (*factors)[cast<AffineDimExpr>(space.dim(loop.getInductionVar())).getPosition()];
  };
  Split split;
  split.stride = factorOf(placeLoop);
  if (split.stride <= 0)
    return std::nullopt;
  int64_t outerStride = split.stride * places;
  split.outer = llvm::divideFloorSigned(factors->back(), outerStride);
  split.inner = factors->back() - split.outer * outerStride;
  int64_t least = split.inner, most = split.inner + access.width();
  factorOf(placeLoop) = 0;
  for (AffineForOp loop : around) {
    int64_t &factor = factorOf(loop);
    int64_t last = (*affine::getConstantTripCount(loop) - 1) * loop.getStepAsInt();
    if (factor != 0 && last != 0) {
      if (factor % outerStride == 0) {
        split.outerLoops.emplace_back(loop, factor / outerStride);
      } else {
        split.innerLoops.emplace_back(loop, factor);
        (factor < 0 ? least : most) += factor * last;
      }
    }
    factor = 0;
  }
  // What the inner index adds never reaches the places of the loop's next turn.
  if (least < 0 || most > split.stride * placeLoop.getStepAsInt())
    return std::nullopt;
  split.elsewhere = sumOf(*factors, access.op->getContext());
  return split;
}

} // namespace weft
