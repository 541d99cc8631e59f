//===- TransferParts.cpp - what a piece reads, part by part --------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/transfers/TransferParts.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

Block &innermostOnce(Block &block) {
  Block *inner = &block;
  while (llvm::hasSingleElement(inner->without_terminator())) {
    auto loop = dyn_cast<AffineForOp>(inner->front());
    if (!loop || tripsOf(loop) != 1 || loop.getNumIterOperands() != 0)
      break;
    inner = loop.getBody();
  }
  return *inner;
}

/// The footprint of one iteration that is a share of `whole`, which an array may have several of:
/// by the ops that touch it, all of them. Where others of them have a footprint of their own, as
/// rows that each iteration compares with its own, one is no share of the whole.
static const Footprint *shareOf(const Footprint &whole, const FootprintAnalysis &one) {
  for (const Footprint &share : one.footprints())
    if (share.array == whole.array && llvm::all_of(whole.touches, [&](const Touch &touch) {
          return llvm::any_of(share.touches,
                              [&](const Touch &other) { return other.op == touch.op; });
        }))
      return &share;
  return nullptr;
}

bool isTouchedInTurn(AffineForOp loop, int64_t times, const Footprint &whole,
                     FootprintAnalysis &one) {
  const Footprint *share = shareOf(whole, one);
  if (!share || share->region.elements() * times != whole.region.elements())
    return false;
  const BlockedRegion &region = whole.region;
  int64_t along = region.counts.empty() ? region.block : region.counts.front();
  int64_t apart = region.counts.empty() ? 1 : region.strides.front();
  AffineExpr index = one.dimOf(loop.getInductionVar());
  unsigned dim = cast<AffineDimExpr>(index).getPosition();
  bool inTurn = false;
  for (const auto &[number, term] : share->start.terms) {
    if (term.first == index)
      inTurn = along % times == 0 && term.second * loop.getStepAsInt() == along / times * apart;
    else if (term.first.isFunctionOfDim(dim))
      return false;
  }
  return inTurn;
}

bool isReadInTurn(AffineForOp loop, const Footprint &whole, FootprintAnalysis &one) {
  return whole.needsGet && isTouchedInTurn(loop, tripsOf(loop), whole, one);
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
