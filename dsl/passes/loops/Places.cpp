//===- Places.cpp - the elements that accesses touch --------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/loops/Places.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"

#include <algorithm>

using namespace mlir;
using affine::AffineForOp;

namespace weft {

int64_t Places::turns() const {
  int64_t all = 1;
  for (const Loop &loop : loops)
    all *= loop.turns;
  return all;
}

int64_t Places::least() const {
  int64_t least = start;
  for (const Loop &loop : loops)
    least += std::min<int64_t>(0, (loop.turns - 1) * loop.stride);
  return least;
}

bool Places::all(llvm::function_ref<bool(int64_t, int64_t)> visit) const {
  int64_t inner = 1;
  for (const Loop &loop : ArrayRef(loops).drop_front(shared))
    inner *= loop.turns;
  for (int64_t turn = 0, end = turns(); turn < end; ++turn) {
    int64_t from = start, rest = turn;
    for (const Loop &loop : llvm::reverse(loops)) {
      from += rest % loop.turns * loop.stride;
      rest /= loop.turns;
    }
    if (!visit(turn / inner, from))
      return false;
  }
  return true;
}

std::optional<SmallVector<int64_t>> factorsOf(const Access &access, const AddressSpace &space) {
  SmallVector<int64_t> flat;
  if (failed(getFlattenedAffineExpr(access.address, space.size(), 0, &flat)) ||
      flat.size() != space.size() + 1)
    return std::nullopt;
  return flat;
}

AffineExpr sumOf(ArrayRef<int64_t> factors, MLIRContext *context) {
  AffineExpr sum = getAffineConstantExpr(0, context);
  for (auto [dim, factor] : llvm::enumerate(factors.drop_back()))
    sum = sum + getAffineDimExpr(dim, context) * factor;
  return sum;
}

std::optional<Places> placesOf(const Access &access, Block *home, Block *shared,
                               AddressSpace &space) {
  std::optional<SmallVector<int64_t>> factors = factorsOf(access, space);
  if (!factors)
    return std::nullopt;
  Places places;
  places.start = factors->back();
  places.width = access.width();
  for (Operation *op = access.op->getParentOp(); op != home->getParentOp();
       op = op->getParentOp()) {
    auto loop = dyn_cast<AffineForOp>(op);
    if (!loop || !loop.hasConstantBounds() || loop.getNumIterOperands() != 0)
      return std::nullopt;
    AffineExpr dim = space.dim(loop.getInductionVar());
    unsigned position = cast<AffineDimExpr>(dim).getPosition();
    // A loop that nobody asked for before adds nothing.
    int64_t factor = position + 1 < factors->size() ? (*factors)[position] : 0;
    if (factor != 0)
      (*factors)[position] = 0;
    places.start += factor * loop.getConstantLowerBound();
    places.loops.insert(
        places.loops.begin(),
        {static_cast<int64_t>(*affine::getConstantTripCount(loop)), factor * loop.getStepAsInt()});
    places.shared += op->isAncestor(shared->getParentOp());
  }
  places.elsewhere = sumOf(*factors, access.op->getContext());
  return places;
}

} // namespace weft
