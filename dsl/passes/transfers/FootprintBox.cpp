//===- FootprintBox.cpp - what is read, and what lies between ----------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// A stencil reads more of the middle one of its rows than of those beside it. Equal runs, which
// transfers are made of, are those of the box around all that is read: from the least to the
// greatest index of each dimension. Somebody reads at each of these for certain, so that all of the
// box is in the array. Where the box has gaps that are small, one run over them is better still.
// And what lies far apart, as the first rows and the last one, is moved in parts.
//
//===-----------------------------------------------------------------------===//

#include "passes/transfers/Footprint.h"

#include "dialect/Target.h"

#include <limits>
#include <numeric>

using namespace mlir;
using affine::AffineForOp;

namespace weft {

/// Rising numbers as equal runs at equal distances, these at equal distances, and so on.
bool FootprintAnalysis::toBlocks(Footprint &footprint) {
  ArrayRef<int64_t> all = footprint.elements;
  BlockedRegion &region = footprint.region;
  region = {};
  size_t block = 1;
  while (block < all.size() && all[block] == all[block - 1] + 1)
    ++block;
  SmallVector<int64_t> starts;
  for (size_t n = 0; n < all.size(); n += block) {
    if (n + block > all.size() || all[n + block - 1] != all[n] + static_cast<int64_t>(block) - 1)
      return false;
    starts.push_back(all[n]);
  }
  region.block = static_cast<int64_t>(block);
  while (starts.size() > 1) {
    int64_t stride = starts[1] - starts[0];
    size_t count = 2;
    while (count < starts.size() && starts[count] - starts[count - 1] == stride)
      ++count;
    SmallVector<int64_t> outer;
    for (size_t n = 0; n < starts.size(); n += count) {
      if (n + count > starts.size())
        return false;
      for (size_t k = 1; k < count; ++k)
        if (starts[n + k] - starts[n + k - 1] != stride)
          return false;
      outer.push_back(starts[n]);
    }
    region.counts.insert(region.counts.begin(), static_cast<int64_t>(count));
    region.strides.insert(region.strides.begin(), stride);
    starts = std::move(outer);
  }
  return region.counts.size() <= 3;
}

/// Whether all runs of a footprint begin and end between the words that transfers move.
bool FootprintAnalysis::isOfWholeWords(const Footprint &footprint) const {
  // What is larger than a truth value is words everywhere.
  int64_t bytes = elementBytes(footprint.array);
  if (bytes > 1)
    return true;
  FailureOr<Target> target = Target::of(ops.front()->getParentOfType<ModuleOp>());
  int64_t word = succeeded(target) ? target->numberIfAny("transfer_word_bytes").value_or(1) : 1;
  AffineForOp around = spread; // a copy: who asks for bounds is not const
  int64_t first = footprint.start.constant + footprint.elements.front();
  for (auto [number, term] : footprint.start.terms) {
    auto [atom, factor] = term;
    auto dim = dyn_cast<AffineDimExpr>(atom);
    AffineForOp loop =
        dim ? affine::getForInductionVarOwner(numbered[dim.getPosition()]) : AffineForOp();
    if (loop && loop.hasConstantLowerBound()) {
      first += factor * loop.getConstantLowerBound();
      factor *= loop.getStepAsInt();
    }
    if (factor * bytes % word != 0)
      return false;
  }
  // A loop that is spread is around the ops, then: its pieces are steps.
  for (const Touch &touch : footprint.touches)
    for (const auto &[number, term] : touch.inner.terms)
      if (auto dim = dyn_cast<AffineDimExpr>(term.first);
          dim && around && numbered[dim.getPosition()] == around.getInductionVar()) {
        int64_t step = around.getStepAsInt() * times, lower = around.getConstantLowerBound();
        if (term.second * step * bytes % word != 0 || term.second * lower * bytes % word != 0)
          return false;
      }
  const BlockedRegion &region = footprint.region;
  bool even = llvm::all_of(region.strides, [&](int64_t s) { return s * bytes % word == 0; });
  return even && first * bytes % word == 0 && region.block * bytes % word == 0;
}

/// The elements of the box, rising, relative to the start; nothing where they are too many, the
/// indices have no start in common, or a condition may keep some of them out of the array.
std::optional<std::vector<int64_t>> FootprintAnalysis::boxAround(const Footprint &footprint,
                                                                 int64_t most) const {
  size_t rank = footprint.shape.size();
  SmallVector<std::pair<int64_t, int64_t>> bounds(
      rank, {std::numeric_limits<int64_t>::max(), std::numeric_limits<int64_t>::min()});
  for (const Touch &touch : footprint.touches) {
    if (!touch.certain)
      return std::nullopt;
    for (size_t n = 0; n < rank; ++n) {
      std::optional<std::vector<int64_t>> values =
          valuesOf(touch.indices[n], n + 1 == rank ? touch.lanes : 1);
      if (!values)
        return std::nullopt;
      auto &[first, last] = bounds[n];
      first = std::min(first, values->front());
      last = std::max(last, values->back());
    }
  }
  std::vector<int64_t> elements;
  if (rank != 0)
    elements.push_back(0);
  for (size_t n = 0; n < rank; ++n) {
    auto [first, last] = bounds[n];
    int64_t count = last - first + 1;
    if (count > footprint.shape[n] || static_cast<int64_t>(elements.size()) * count > most)
      return std::nullopt;
    std::vector<int64_t> within;
    for (int64_t element : elements)
      for (int64_t index = first; index <= last; ++index)
        within.push_back(element * footprint.shape[n] + index);
    elements = std::move(within);
  }
  return elements;
}

int64_t FootprintAnalysis::widestTouch(const Footprint &footprint) const {
  size_t most = 0;
  for (const Touch &touch : footprint.touches)
    if (auto values = valuesOf(touch.inner, touch.lanes))
      most = std::max(most, values->size());
  return static_cast<int64_t>(most);
}

/// Adds elements that nobody reads, so that all are equal runs; false where that were more than
/// `most`.
bool FootprintAnalysis::fill(Footprint &footprint, int64_t most) const {
  constexpr double clearly = 1.25; // times the elements of the box that one run may have
  int64_t first = footprint.elements.front(), run = footprint.elements.back() - first + 1;
  std::optional<std::vector<int64_t>> box = boxAround(footprint, most);
  if (box && !box->empty() && double(run) > clearly * double(box->size())) {
    footprint.elements = std::move(*box);
    return true;
  }
  if (run > most)
    return false;
  footprint.elements.resize(run);
  std::iota(footprint.elements.begin(), footprint.elements.end(), first);
  return true;
}

/// What is only read as several parts, each of accesses that lie near each other: of a stencil that
/// wraps around, the first rows and the last one. Leaves no touches in it; false where nothing is
/// gained.
bool FootprintAnalysis::takeApart(Footprint &footprint, std::vector<Footprint> &parts) const {
  constexpr size_t mostParts = 16;
  if (footprint.isWritten || footprint.touches.size() < 2)
    return false;
  struct Near {
    int64_t first, last;
    SmallVector<Touch, 4> touches;
  };
  std::vector<Near> stretches;
  for (const Touch &touch : footprint.touches) {
    auto values = valuesOf(touch.inner, touch.lanes);
    if (!values)
      return false;
    stretches.push_back({values->front(), values->back(), {touch}});
  }
  llvm::stable_sort(stretches, [](const Near &a, const Near &b) { return a.first < b.first; });
  std::vector<Near> apart;
  for (Near &next : stretches)
    if (!apart.empty() && next.first <= apart.back().last) {
      apart.back().last = std::max(apart.back().last, next.last);
      llvm::append_range(apart.back().touches, next.touches);
    } else {
      apart.push_back(std::move(next));
    }
  std::vector<Footprint> found;
  for (const Near &next : apart) {
    if (!found.empty()) {
      Footprint joined = found.back();
      llvm::append_range(joined.touches, next.touches);
      if (finish(joined, fewForEach)) {
        found.back() = std::move(joined);
        continue;
      }
    }
    Footprint alone = footprint;
    alone.touches.assign(next.touches.begin(), next.touches.end());
    if (found.size() == mostParts || !finish(alone, fewForEach))
      return false;
    found.push_back(std::move(alone));
  }
  footprint.touches.clear();
  llvm::move(found, std::back_inserter(parts));
  return true;
}

} // namespace weft
