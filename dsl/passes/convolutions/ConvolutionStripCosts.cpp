//===- ConvolutionStripCosts.cpp - what tiles cost that are cut in strips -===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Products of tiles and filters, as arrange-contractions cuts them: contractions/StripCosts.cpp.
//
//===-----------------------------------------------------------------------===//

#include "passes/contractions/ColumnBlocks.h"
#include "passes/contractions/StripCosts.h"
#include "passes/convolutions/ConvolutionModel.h"
#include "passes/convolutions/WinogradTiles.h"

using namespace mlir;

namespace weft {

std::optional<double> ConvolutionModel::productsInStrips(DictionaryAttr transform) const {
  if (!limits.strips || mesh || isComplex)
    return std::nullopt;
  int64_t batch = pointsOf(transform) * sizes.G, rows = sizes.N * tilesOf(transform);
  if (!hasPanels(batch, rows, sizes.K, sizes.C, limits) ||
      batch * rows * (sizes.K + sizes.C) * limits.elementBytes <= limits.l2Bytes ||
      (!hasFixedFilters && groupingInBlocks(batch, rows, sizes.K, sizes.C, limits)))
    return std::nullopt;
  SmallVector<StripExtent> extents;
  if (sizes.N > 1)
    extents.push_back({sizes.N, true});
  for (auto [axis, results] : llvm::zip(tileAxes(sizes, transform), sizes.result))
    if (axis.tiles > 1)
      extents.push_back({axis.tiles, results % axis.m == 0});
  PanelLimits own = limits;
  own.streams = batch * sizes.C * sizes.K * limits.elementBytes > limits.l2Bytes;
  int64_t vectors = chooseGrouping(rows, sizes.K, sizes.C, own).vectors;
  StripCosts strips({batch, sizes.K, sizes.C, vectors, called}, limits);
  return measured.products * strips.cheapest(extents).cycles;
}

} // namespace weft
