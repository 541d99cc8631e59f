//===- TileFetch.cpp - how blocks of tiles come from memory -----------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// A block at the border begins before the array, or ends behind it. Its transfer is one of the same
// form as any block's, moved into the array and, by as much, in the core's memory: it brings some
// elements too many there, to places that become zero.
//
//===-----------------------------------------------------------------------===//

#include "passes/panels/TileFetch.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace weft {

llvm::SmallVector<int64_t> TileRegion::extents(llvm::ArrayRef<int64_t> block,
                                               int64_t planes) const {
  llvm::SmallVector<int64_t> all;
  for (const TileDim &dim : dims)
    all.push_back(dim.elements(dim.along == TileDim::Along::Planes ? planes : block[dim.axis]));
  return all;
}

std::pair<int64_t, unsigned> TileRegion::run(llvm::ArrayRef<int64_t> extents) const {
  int64_t run = 1;
  unsigned merged = 0;
  for (auto [dim, extent] : llvm::reverse(llvm::zip_equal(dims, extents))) {
    run *= extent;
    ++merged;
    if (extent != dim.whole)
      break;
  }
  return {run, merged};
}

bool TileRegion::hasBorder(llvm::ArrayRef<int64_t> tiles) const {
  return llvm::any_of(dims, [&](const TileDim &dim) {
    int64_t many = dim.along == TileDim::Along::Tiles ? tiles[dim.axis] : 1;
    return dim.along != TileDim::Along::Planes &&
           (dim.first < 0 || dim.first + dim.elements(many) > dim.whole);
  });
}

TileFetch::TileFetch(const TileRegion &region, llvm::ArrayRef<int64_t> tiles,
                     llvm::ArrayRef<int64_t> block, int64_t planes, int64_t lanes)
    : hasBorder(region.hasBorder(tiles)) {
  llvm::SmallVector<int64_t> extents = region.extents(block, planes);
  dims.resize(extents.size());
  int64_t behind = 0, apart = 1;
  for (size_t n = extents.size(); n-- > 0;) {
    const TileDim &of = region.dims[n];
    Dim &dim = dims[n];
    dim.extent = extents[n];
    dim.there = std::min(dim.extent, of.whole);
    dim.pitch = elements;
    elements *= dim.extent;
    bool isTiled = of.along == TileDim::Along::Tiles;
    int64_t blocks = isTiled ? tiles[of.axis] / block[of.axis] : 1;
    int64_t lowest = 0, highest = 0;
    bool isClipped = false;
    for (int64_t number = 0; number < blocks; ++number) {
      int64_t start = of.first + (isTiled ? number * block[of.axis] * of.step : 0);
      int64_t place = std::clamp<int64_t>(start, 0, of.whole - dim.there);
      dim.shifts.push_back(place - start);
      dim.outside.emplace_back(std::clamp<int64_t>(-start, 0, dim.extent),
                               std::clamp<int64_t>(start + dim.extent - of.whole, 0, dim.extent));
      lowest = std::min(lowest, place - start);
      highest = std::max(highest, place - start);
      isClipped |= start < 0 || start + dim.extent > of.whole;
    }
    if (!isClipped || of.along == TileDim::Along::Planes) {
      dim.shifts.clear();
      dim.outside.clear();
    }
    before -= lowest * dim.pitch;
    behind += highest * dim.pitch;
    if (run == apart && run == dim.pitch)
      run *= dim.there;
    else if (dim.there > 1) {
      counts.insert(counts.begin(), dim.there);
      strides.insert(strides.begin(), apart);
      pitches.insert(pitches.begin(), dim.pitch);
    }
    apart *= of.whole;
  }
  before = llvm::alignTo(before, lanes);
  elements += before + behind;
  if (hasBorder)
    elements = llvm::alignTo(elements, lanes);
}

int64_t TileFetch::transfers() const {
  int64_t all = 1;
  for (int64_t count : counts)
    all *= count;
  return !counts.empty() && pitches.back() == run ? all / counts.back() : all;
}

int64_t TileFetch::cleared() const {
  int64_t all = 0, ofBlock = elements;
  for (const Dim &dim : dims) {
    int64_t most = 0;
    for (auto [front, back] : dim.outside)
      most = std::max(most, front + back);
    if (dim.changes())
      all += ofBlock / dim.extent * most;
  }
  return all;
}

} // namespace weft
