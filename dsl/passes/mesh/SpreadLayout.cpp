//===- SpreadLayout.cpp - which core has which element ----------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// An exchange is read off the first cores and then tried on every element: what does not
// hold for all is not said of any.
//
//===-----------------------------------------------------------------------===//

#include "passes/mesh/SpreadLayout.h"

using namespace mlir;

namespace weft {

std::optional<SpreadLayout> SpreadLayout::of(const FootprintAnalysis &analysis,
                                             const Footprint &footprint, Value row, Value column,
                                             Mesh mesh) {
  SpreadLayout layout;
  layout.mesh = mesh;
  layout.array = footprint.array;
  layout.pairs = analysis.isOfPairs(footprint);
  layout.relative = footprint.elements;
  int64_t all = cast<MemRefType>(footprint.array.getType()).getNumElements();
  if (layout.elements() * mesh.cores() != all)
    return std::nullopt;
  layout.core.assign(all, -1);
  layout.place.assign(all, -1);
  for (int64_t core = 0; core < mesh.cores(); ++core) {
    auto start =
        analysis.startAt(footprint, {{row, core / mesh.columns}, {column, core % mesh.columns}});
    if (!start)
      return std::nullopt;
    layout.starts.push_back(*start);
    for (auto [place, distance] : llvm::enumerate(layout.relative)) {
      int64_t element = *start + distance;
      if (element < 0 || element >= all || layout.core[element] >= 0)
        return std::nullopt;
      layout.core[element] = core;
      layout.place[element] = static_cast<int64_t>(place);
    }
  }
  return layout;
}

/// Places of elements in two layouts as blocks at regular distances.
static bool toBlocks(ArrayRef<std::pair<int64_t, int64_t>> all, ExchangePlan &plan) {
  auto isNext = [](const auto &one, const auto &other, int64_t a, int64_t b) {
    return other.first == one.first + a && other.second == one.second + b;
  };
  size_t block = 1;
  while (block < all.size() && isNext(all[block - 1], all[block], 1, 1))
    ++block;
  SmallVector<std::pair<int64_t, int64_t>> starts;
  for (size_t n = 0; n < all.size(); n += block)
    starts.push_back(all[n]);
  plan.block = static_cast<int64_t>(block);
  while (starts.size() > 1) {
    int64_t a = starts[1].first - starts[0].first, b = starts[1].second - starts[0].second;
    size_t count = 2;
    while (count < starts.size() && isNext(starts[count - 1], starts[count], a, b))
      ++count;
    if (a < 1 || b < 1 || starts.size() % count)
      return false;
    plan.counts.insert(plan.counts.begin(), static_cast<int64_t>(count));
    plan.fromStrides.insert(plan.fromStrides.begin(), a);
    plan.toStrides.insert(plan.toStrides.begin(), b);
    SmallVector<std::pair<int64_t, int64_t>> outer;
    for (size_t n = 0; n < starts.size(); n += count)
      outer.push_back(starts[n]);
    starts = std::move(outer);
  }
  return plan.counts.size() <= 3;
}

/// Whether the plan moves every element from where it is to where it is to be.
static bool holds(const ExchangePlan &plan, const SpreadLayout &from, const SpreadLayout &to) {
  SmallVector<std::pair<int64_t, int64_t>> part{{0, 0}};
  auto spreadOver = [&](int64_t count, int64_t a, int64_t b) {
    SmallVector<std::pair<int64_t, int64_t>> next;
    for (auto [one, other] : part)
      for (int64_t n = 0; n < count; ++n)
        next.push_back({one + n * a, other + n * b});
    part = std::move(next);
  };
  for (auto [count, a, b] : llvm::zip(plan.counts, plan.fromStrides, plan.toStrides))
    spreadOver(count, a, b);
  spreadOver(plan.block, 1, 1);
  const Mesh &mesh = from.mesh;
  int64_t places = plan.alongRows ? mesh.columns : mesh.rows;
  if (static_cast<int64_t>(part.size()) * places != from.elements())
    return false;
  for (int64_t core = 0; core < mesh.cores(); ++core)
    for (int64_t other = 0; other < places; ++other) {
      int64_t row = core / mesh.columns, column = core % mesh.columns;
      int64_t its = plan.alongRows ? row * mesh.columns + other : other * mesh.columns + column;
      int64_t mine = plan.alongRows ? column : row;
      for (auto [a, b] : part) {
        int64_t where = other * plan.fromStep + a;
        if (where >= from.elements())
          return false;
        int64_t element = from.at(core, where);
        if (to.coreOf(element) != its || to.placeOf(element) != mine * plan.toStep + b)
          return false;
      }
    }
  return true;
}

std::optional<ExchangePlan> exchangeBetween(const SpreadLayout &from, const SpreadLayout &to,
                                            int64_t lanes) {
  const Mesh &mesh = from.mesh;
  if (mesh != to.mesh)
    return std::nullopt;
  for (bool alongRows : {true, false}) {
    if (!alongRows && mesh.parts > 1)
      continue;
    ExchangePlan plan;
    plan.alongRows = alongRows;
    int64_t next = alongRows ? 1 : mesh.columns; // the core beside the first one
    int64_t places = alongRows ? mesh.columns : mesh.rows;
    if (places < 2 || (places & (places - 1)) != 0)
      continue;
    SmallVector<std::pair<int64_t, int64_t>> kept;
    int64_t given = -1, got = -1;
    for (int64_t where = 0; where < from.elements(); ++where) {
      int64_t element = from.at(0, where);
      if (to.coreOf(element) == 0)
        kept.push_back({where, to.placeOf(element)});
      else if (to.coreOf(element) == next && given < 0)
        given = where;
      if (int64_t its = from.at(next, where); to.coreOf(its) == 0 && got < 0)
        got = to.placeOf(its);
    }
    if (kept.empty() || kept.front() != std::pair<int64_t, int64_t>{0, 0} || given < 1 || got < 1)
      continue;
    plan.fromStep = given;
    plan.toStep = got;
    auto wholeMessages = [&](int64_t number) { return number % lanes == 0; };
    if (toBlocks(kept, plan) && holds(plan, from, to) && wholeMessages(plan.block) &&
        wholeMessages(plan.fromStep) && wholeMessages(plan.toStep) &&
        llvm::all_of(plan.fromStrides, wholeMessages) &&
        llvm::all_of(plan.toStrides, wholeMessages))
      return plan;
  }
  return std::nullopt;
}

} // namespace weft
