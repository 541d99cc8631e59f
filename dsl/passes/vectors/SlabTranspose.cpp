//===- SlabTranspose.cpp - lines one behind the other, turned to lanes ------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/vectors/SlabTranspose.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace weft {

/// Vectors of runs, where lines are cut into `slabs` of neighbouring lines, each turned by itself:
/// vector c of a slab has run c of each of its lines. Places are those of the lines, or, if
/// `placed`, those that runs have in the end.
SlabTranspose::Layout SlabTranspose::inOrder(int64_t run, int64_t slabs, bool placed) const {
  int64_t slots = lines / run, runs = elements * lines / run / slabs, apart = runs / slots;
  Layout layout(elements);
  for (int64_t slab = 0; slab < slabs; ++slab)
    for (int64_t c = 0; c < apart; ++c) {
      SmallVector<int64_t> &vector = layout[slab * apart + c];
      vector.resize(lines);
      for (int64_t n = 0; n < slots; ++n) {
        int64_t number = c + n * apart, slot = placed ? number % slots : n;
        for (int64_t k = 0; k < run; ++k)
          vector[slot * run + k] = (slab * runs + number) * run + k;
      }
    }
  return layout;
}

void SlabTranspose::add(Layout layout) {
  if (layouts.empty() || layouts.back() != layout)
    layouts.push_back(std::move(layout));
}

SlabTranspose::SlabTranspose(int64_t elements, int64_t lines, int64_t perUnit)
    : elements(elements), lines(lines) {
  add(inOrder(1, 1, false));
  if (perUnit == 2 && lines == 4) {
    // Two elements and those that lie half a slab, so two lines, behind them.
    add(inOrder(2, 1, false));
    add(inOrder(4, 1, true));
    return;
  }
  // Runs within a line: two vectors of neighbours become one of the upper lines and one of the
  // lower lines.
  int64_t run = 1;
  for (; run < lines && elements % (2 * run) == 0; run *= 2)
    add(inOrder(2 * run, 2 * run, (elements / (2 * run)) % 2 != 0));
  // Runs over the ends of lines, of an odd number of pieces each: places differ.
  int64_t slabs = run;
  for (run *= 2; run <= lines; run *= 2)
    add(inOrder(run, slabs, true));
}

/// Each vector of a layout from the one or two of another that have its elements.
static SmallVector<Value> rearranged(OpBuilder &builder, Location where, ArrayRef<Value> vectors,
                                     ArrayRef<SmallVector<int64_t>> from,
                                     ArrayRef<SmallVector<int64_t>> to, int64_t size) {
  DenseMap<int64_t, std::pair<unsigned, int64_t>> places;
  for (auto [number, vector] : llvm::enumerate(from))
    for (auto [position, element] : llvm::enumerate(vector))
      places[element] = {static_cast<unsigned>(number), static_cast<int64_t>(position)};
  SmallVector<Value> result;
  for (auto [number, wanted] : llvm::enumerate(to)) {
    if (llvm::is_contained(from, wanted)) {
      result.push_back(vectors[places[wanted.front()].first]);
      continue;
    }
    unsigned first = places[wanted.front()].first, second = first;
    for (int64_t element : wanted)
      if (places[element].first != first)
        second = places[element].first;
    if (second < first)
      std::swap(first, second);
    auto lanes = static_cast<int64_t>(wanted.size());
    SmallVector<int64_t> mask;
    for (int64_t element : wanted) {
      auto [source, position] = places[element];
      assert((source == first || source == second) && "a step has two sources");
      for (int64_t part = 0; part < size; ++part)
        mask.push_back((position + (source == first ? 0 : lanes)) * size + part);
    }
    result.push_back(
        vector::ShuffleOp::create(builder, where, vectors[first], vectors[second], mask));
  }
  return result;
}

SmallVector<Value> SlabTranspose::toMemory(OpBuilder &builder, Location where,
                                           ArrayRef<Value> vectors, int64_t size) const {
  SmallVector<Value> values(vectors);
  for (size_t n = 1; n < layouts.size(); ++n)
    values = rearranged(builder, where, values, layouts[n - 1], layouts[n], size);
  return values;
}

SmallVector<Value> SlabTranspose::fromMemory(OpBuilder &builder, Location where,
                                             ArrayRef<Value> vectors, int64_t size) const {
  SmallVector<Value> values(vectors);
  for (size_t n = layouts.size() - 1; n > 0; --n)
    values = rearranged(builder, where, values, layouts[n], layouts[n - 1], size);
  return values;
}

int64_t SlabTranspose::shuffles() const {
  int64_t count = 0;
  for (size_t n = 1; n < layouts.size(); ++n)
    for (const auto &vector : layouts[n])
      count += !llvm::is_contained(layouts[n - 1], vector);
  return count;
}

} // namespace weft
