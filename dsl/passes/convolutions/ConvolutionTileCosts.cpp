//===- ConvolutionTileCosts.cpp - what sums in tiles cost -----------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Winograd's algorithm for few channels, a vector of filters and a tile at a time: SumsInTiles.cpp.
//
//===-----------------------------------------------------------------------===//

#include "passes/convolutions/ConvolutionModel.h"
#include "passes/convolutions/WinogradTiles.h"

using namespace mlir;

namespace weft {

/// Elements of a tile whose sums are written out, at most: with 81, of filters of 7 by 7, compiling
/// took four times as long as by panels.
constexpr int64_t mostPointsInTile = 64;

/// Registers for products and for what a line is transformed with, while what lines have become
/// waits in the others.
constexpr int64_t forProducts = 8;

std::optional<double> ConvolutionModel::winogradInTiles(DictionaryAttr transform) const {
  int64_t points = pointsOf(transform), products = points * sizes.C;
  std::optional<int64_t> side = filtersSideBySide(sizes, outLayout);
  if (mesh || isComplex || sizes.G > 1 || !side || *side < limits.lanes)
    return std::nullopt;
  // Code of more points, once for each kind of tile at the edges, keeps a C compiler busy.
  if (points > mostPointsInTile)
    return std::nullopt;
  // Each product has a part of a block of filters, and one of a row of tiles, that is used again.
  if (2 * products * channelBlock * limits.elementBytes > limits.l1Bytes)
    return std::nullopt;
  int64_t m = cast<IntegerAttr>(transform.get("m")).getInt();
  unsigned dims = dimsOf(transform);
  auto matrix = [&](StringRef name) { return cast<ElementsAttr>(transform.get(name)); };
  // Two loads a product, of a vector, which takes as long as a vector's products do, and of a
  // number.
  double ofTile = double(products) * (measured.products + 1) + operationsOf(matrix("AT"), dims);
  // What lines have become waits in registers for the transform of the next dimension.
  int64_t waiting = dims > 1 ? points / tileAxes(sizes, transform).back().n * m : 0;
  ofTile += 2.0 * double(std::max<int64_t>(0, waiting + forProducts - limits.registers));
  double tiles = double(sizes.N) * double(tilesOf(transform));
  double vectors = tiles * double(llvm::divideCeil(sizes.K, limits.lanes));
  int64_t ofRow = tileAxes(sizes, transform).back().tiles;
  double cycles = measured.sumsInTiles * vectors * ofTile / limits.pipes +
                  transforms(tiles * sizes.C, matrix("BT"), dims, lanesAlong(ofRow)) +
                  ofFilters(transform, lanesAlong(*side));
  // Results that no cache holds go past them while sums run: with 64 images of 112 by 112 pixels a
  // Zen 4 was slower by 12 % than with one, a Zen 5 by 6 %.
  double results = double(sizes.N) * sizes.K * double(sizes.results()) * limits.elementBytes;
  return results > double(limits.l3Bytes) ? std::max(cycles, results / limits.bytesPerCycle)
                                          : cycles;
}

bool sumsInTiles(ConvOp op, DictionaryAttr transform, const Target &target) {
  auto limits = PanelLimits::of(target, cast<RankedTensorType>(op.getType()).getElementType());
  if (failed(limits))
    return false;
  ConvolutionModel costs(op, *limits, target);
  std::optional<double> cycles = costs.winogradInTiles(transform);
  return cycles && *cycles < costs.winogradOfPanels(transform);
}

} // namespace weft
