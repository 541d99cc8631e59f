//===- WindowPanels.cpp - panels of sums over windows, for the caches --------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/contractions/WindowPanels.h"

#include "passes/tensors/TensorLayouts.h"

using namespace mlir;

namespace weft {

/// Blocks of columns whose vectors share a panel, at most.
constexpr int64_t mostTogether = 4;

/// Fewer turns of the innermost loop over terms are written out by a compiler, which keeps what
/// rows read for the next place of the filter then: two vectors leave it no registers for that. 3
/// channels of 100 by 100 pixels took 1.7 times as long.
constexpr int64_t fewestTurns = 8;

Grouping groupingOfBlocks(int64_t rows, int64_t columns, int64_t blocks, int64_t terms,
                          int64_t turns, const PanelLimits &limits) {
  if (turns < fewestTurns) {
    Grouping narrow = chooseGrouping(rows, std::min(columns, limits.lanes), terms, limits);
    narrow.cycles *= double(blocks * llvm::divideCeil(columns, limits.lanes));
    return narrow;
  }
  Grouping best = chooseGrouping(rows, columns, terms, limits);
  int64_t together = 1;
  for (int64_t some = 2; some <= std::min(blocks, mostTogether); ++some) {
    if (blocks % some != 0)
      continue;
    Grouping grouping = chooseGrouping(rows, some * columns, terms, limits);
    if (grouping.vectors * limits.lanes == some * columns &&
        grouping.cycles * double(together) < best.cycles * double(some)) {
      best = grouping;
      together = some;
    }
  }
  best.cycles *= double(blocks) / double(together);
  return best;
}

/// The bytes of all columns' vectors, and what of them stays in the second cache beside the rest.
static double vectorBytes(const WindowSum &sum, const PanelLimits &limits) {
  return double(sum.terms() * sum.columns() * limits.elementBytes);
}
static double staysInCache(const PanelLimits &limits) { return 0.75 * double(limits.l2Bytes); }

int64_t dimensionsWithin(const WindowSum &sum, const Grouping &grouping, const PanelLimits &limits,
                         ArrayRef<unsigned> order) {
  MapOp map = sum.map;
  tensor::ExtractOp image = sum.image, filter = sum.filter;
  auto vectors = indicesOver(image, indicesOf(map, sum.reduce));
  constexpr double fewestPanels = 4;
  double stays = staysInCache(limits), ofVectors = vectorBytes(sum, limits);
  double ofRows = double(filter.getTensor().getType().getNumElements() * limits.elementBytes);
  double panels = double(llvm::divideCeil(sum.columns(), grouping.vectors * limits.lanes));
  if (ofVectors <= stays || panels < fewestPanels)
    return 0;
  double around = 1;
  for (unsigned dim : order)
    around *= double(map.getUpper()[dim]);
  double fewest = around * ofVectors + ofRows;
  int64_t best = 0;
  for (size_t within = 1; within <= order.size(); ++within) {
    unsigned dim = order[order.size() - within];
    if (!isWithout(*vectors, dim))
      break;
    around /= double(map.getUpper()[dim]);
    double inside = ofRows / around;
    double bytes = around * (ofVectors + inside * (inside <= stays ? 1 : panels));
    if (bytes < fewest) {
      fewest = bytes;
      best = static_cast<int64_t>(within);
    }
  }
  return best;
}

std::optional<Grouping> dividingPanels(const WindowSum &sum, const Grouping &best,
                                       const PanelLimits &limits) {
  constexpr double mostCycles = 1.5;
  if (vectorBytes(sum, limits) <= staysInCache(limits) ||
      sum.columns() % (best.vectors * limits.lanes) == 0)
    return std::nullopt;
  std::optional<Grouping> found;
  for (int64_t vectors = 1; vectors <= mostTogether; ++vectors) {
    int64_t width = vectors * limits.lanes;
    if (sum.columns() % width != 0)
      continue;
    Grouping grouping = chooseGrouping(sum.rows(), width, sum.terms(), limits);
    int64_t panels = sum.columns() / width;
    grouping.cycles *= double(panels);
    if (grouping.vectors == vectors && grouping.cycles <= mostCycles * best.cycles &&
        (!found || grouping.cycles < found->cycles))
      found = grouping;
  }
  return found;
}

} // namespace weft
