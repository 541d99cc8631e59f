//===- TransferParts.cpp - what a piece reads, part by part --------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/TransferParts.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

bool isReadInTurn(AffineForOp loop, const Footprint &whole, FootprintAnalysis &one) {
  const Footprint *share = one.of(whole.array);
  int64_t trips = tripsOf(loop);
  if (!whole.needsGet || !share || share->region.elements() * trips != whole.region.elements())
    return false;
  const BlockedRegion &region = whole.region;
  int64_t along = region.counts.empty() ? region.block : region.counts.front();
  int64_t apart = region.counts.empty() ? 1 : region.strides.front();
  AffineExpr index = one.dimOf(loop.getInductionVar());
  unsigned dim = cast<AffineDimExpr>(index).getPosition();
  bool inTurn = false;
  for (const auto &[number, term] : share->start.terms) {
    if (term.first == index)
      inTurn = along % trips == 0 && term.second * loop.getStepAsInt() == along / trips * apart;
    else if (term.first.isFunctionOfDim(dim))
      return false;
  }
  return inTurn;
}

BlockedRegion inParts(BlockedRegion region, int64_t parts) {
  bool one = region.counts.empty();
  int64_t &along = one ? region.block : region.counts.front();
  along /= parts;
  int64_t apart = along * (one ? 1 : region.strides.front());
  if (!one && along == 1) {
    region.counts.erase(region.counts.begin());
    region.strides.erase(region.strides.begin());
  }
  region.counts.insert(region.counts.begin(), parts);
  region.strides.insert(region.strides.begin(), apart);
  return region;
}

} // namespace weft
