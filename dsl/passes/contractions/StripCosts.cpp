//===- StripCosts.cpp - how long a strip of Winograd's tiles is -------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/contractions/StripCosts.h"

#include "passes/loops/Buffers.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace weft {

namespace {

/// The part of the time for which filters pass by that no product hides: with 0.06 what is counted
/// is within 3 % of what was measured (root mean square; 16 layers, strips of 0.5 to 8 MB, on a
/// Zen 5), and what is chosen 1.2 % slower than the best; with none and with 0.12 2 % and more.
constexpr double unhidden = 0.06;

/// How much more than the cheapest parts of them whole images may cost. Parts that differ, as those
/// at the border do, are a loop of their own over all images each: 16 images of 128x28x28 by 128
/// filters in strips of 3 and 2 rows of tiles took 1.09 times as long as image by image, 0.97 times
/// were counted.
constexpr double ofParts = 1.05;

/// How many times the cycles of the best strips all tiles at once may take: strips copy what they
/// read of images, in part twice. 512x50x50 by 512 filters with tiles of 3, and 128 images of
/// 256x8x8 by 512 with tiles of 6, took 1.03 and 1.05 times as long in strips that were counted as
/// 1.03 and 1.04 times as fast.
constexpr double atOnce = 1.045;

} // namespace

int64_t calledBytes(Operation *op) {
  auto function = op->getParentOfType<func::FuncOp>();
  int64_t bytes = 0;
  auto add = [&](TypeRange types) {
    for (Type type : types)
      if (auto tensor = dyn_cast<RankedTensorType>(type))
        bytes += bytesOf(tensor);
  };
  if (function) {
    add(function.getArgumentTypes());
    add(function.getResultTypes());
  }
  return bytes;
}

SmallVector<int64_t> stripWidths(int64_t extent, int64_t most) {
  int64_t strips = llvm::divideCeil(extent, most);
  SmallVector<int64_t> widths;
  for (int64_t left = extent; left > 0; left -= widths.back())
    widths.push_back(llvm::divideCeil(left, strips--));
  return widths;
}

StripCosts::StripCosts(const StripProducts &products, const PanelLimits &machine)
    : products(products), limits(machine), memoryBytesPerCycle(machine.bytesPerCycle) {
  int64_t filters = products.batch * products.columns * products.terms * limits.elementBytes;
  const StripRates &rates = *limits.strips;
  limits.streams = filters > limits.l2Bytes;
  // Of twice as many as the last cache keeps nothing is left when they come again.
  limits.bytesPerCycle = filters + products.calledBytes <= rates.keptBytes ? rates.filters
                         : filters <= 2 * rates.keptBytes                  ? rates.farFilters
                                                                           : memoryBytesPerCycle;
  limits.leastWait = unhidden;
}

Grouping StripCosts::grouping(int64_t tiles) const {
  return chooseGrouping(tiles, products.columns, products.terms, limits, products.vectors);
}

double StripCosts::ofStrip(int64_t tiles) const {
  // Written and read once more: beyond the second cache, and beyond the third.
  int64_t bytes = bytesOf(tiles), beyond = std::max<int64_t>(0, bytes - limits.l3Bytes),
          far = std::max<int64_t>(0, bytes - beyond - limits.l2Bytes);
  return static_cast<double>(products.batch) * grouping(tiles).cycles +
         2 * (static_cast<double>(far) / limits.strips->tiles +
              static_cast<double>(beyond) / memoryBytesPerCycle);
}

StripLength StripCosts::cheapest(ArrayRef<StripExtent> extents) const {
  int64_t inside = 1, outside = 1;
  for (const StripExtent &extent : extents)
    inside *= extent.tiles;
  const StripLength whole{0, extents.front().tiles, ofStrip(inside)};
  if (bytesOf(inside) <= limits.l2Bytes)
    return whole; // they stay where they are
  unsigned last = extents.size() >= 2 ? extents.size() - 2 : 0, deepest = 0;
  while (deepest < last && extents[deepest].isEven)
    ++deepest;
  StripLength best = whole;
  std::optional<StripLength> image; // one at a time
  for (unsigned depth = 0; depth <= deepest; ++depth) {
    inside /= extents[depth].tiles;
    for (int64_t tiles = extents[depth].tiles; tiles >= 1; --tiles) {
      double cycles = 0;
      for (int64_t width : stripWidths(extents[depth].tiles, tiles))
        cycles += ofStrip(width * inside);
      StripLength length{depth, tiles, cycles * static_cast<double>(outside)};
      if (length.cycles < best.cycles)
        best = length;
      if (depth < deepest && tiles == 1 && bytesOf(inside) <= 2 * limits.l2Bytes)
        image = length;
    }
    outside *= extents[depth].tiles;
  }
  if (whole.cycles <= atOnce * best.cycles)
    return whole;
  return image && best.depth > image->depth && image->cycles <= ofParts * best.cycles ? *image
                                                                                      : best;
}

} // namespace weft
