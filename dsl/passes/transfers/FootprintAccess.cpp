//===- FootprintAccess.cpp - accesses to what stands for a footprint ---------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/transfers/Footprint.h"

using namespace mlir;

namespace weft {

std::pair<AffineMap, SmallVector<Value>>
FootprintAnalysis::mapOf(ArrayRef<AffineExpr> results) const {
  SmallVector<Value> operands;
  SmallVector<AffineExpr> dims;
  for (auto [position, value] : llvm::enumerate(numbered)) {
    bool isUsed =
        llvm::any_of(results, [&](AffineExpr result) { return result.isFunctionOfDim(position); });
    dims.push_back(isUsed ? getAffineDimExpr(operands.size(), context)
                          : getAffineConstantExpr(0, context));
    if (isUsed)
      operands.push_back(value);
  }
  auto renamed =
      llvm::map_to_vector(results, [&](AffineExpr result) { return result.replaceDims(dims); });
  return {AffineMap::get(operands.size(), 0, renamed, context), operands};
}

AffineExpr FootprintAnalysis::exprOf(const LinearForm &form) const {
  AffineExpr sum = getAffineConstantExpr(form.constant, context);
  for (const auto &[number, term] : form.terms)
    sum = term.first * term.second + sum;
  return sum;
}

bool FootprintAnalysis::mixes(const Footprint &footprint, ArrayRef<Value> these,
                              ArrayRef<Value> those) const {
  for (const auto &[number, term] : footprint.start.terms) {
    bool one = false, other = false;
    term.first.walk([&](AffineExpr part) {
      if (auto dim = dyn_cast<AffineDimExpr>(part)) {
        one |= llvm::is_contained(these, numbered[dim.getPosition()]);
        other |= llvm::is_contained(those, numbered[dim.getPosition()]);
      }
    });
    if (one && other)
      return true;
  }
  return false;
}

bool FootprintAnalysis::isOfPairs(const Footprint &footprint) const {
  auto type = cast<MemRefType>(footprint.array.getType());
  bool pairs =
      type.getRank() > 1 && type.getShape().back() == 2 && footprint.region.elements() % 2 == 0;
  for (const LinearForm &place : footprint.places) {
    for (const auto &[number, term] : place.terms)
      pairs &= term.second % 2 == 0;
    pairs &= place.constant >= 0;
  }
  return pairs;
}

void FootprintAnalysis::redirect(const Footprint &footprint, Value array,
                                 ArrayRef<AffineExpr> leading, Accesses which) {
  auto rank = static_cast<size_t>(cast<MemRefType>(array.getType()).getRank());
  bool pairs = rank == leading.size() + 2;
  for (auto [touch, place] : llvm::zip(footprint.touches, footprint.places)) {
    if (which == (touch.isWrite ? Accesses::Reads : Accesses::Writes))
      continue;
    SmallVector<AffineExpr> indices(leading);
    if (pairs) {
      LinearForm half = place;
      for (auto &[number, term] : half.terms)
        term.second /= 2;
      half.constant /= 2;
      indices.push_back(exprOf(half));
      indices.push_back(getAffineConstantExpr(place.constant % 2, context));
    } else {
      indices.push_back(exprOf(place));
    }
    auto [map, operands] = mapOf(indices);
    accessElsewhere(touch.op, array, map, operands);
  }
}

} // namespace weft
