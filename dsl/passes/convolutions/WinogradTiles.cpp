//===- WinogradTiles.cpp - how Winograd's algorithm cuts images -----------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/convolutions/WinogradTiles.h"

using namespace mlir;

namespace weft {

SmallVector<TileAxis> tileAxes(const ConvSizes &sizes, DictionaryAttr transform) {
  int64_t m = cast<IntegerAttr>(transform.get("m")).getInt(),
          r = cast<IntegerAttr>(transform.get("r")).getInt();
  SmallVector<TileAxis> axes;
  for (auto [results, extent, stride] : llvm::zip(sizes.result, sizes.filter, sizes.stride)) {
    bool isTransformed = extent == r;
    int64_t most = isTransformed ? m : 1;
    auto tiles = static_cast<int64_t>(llvm::divideCeil(results, most));
    axes.push_back({tiles, most, stride * (most - 1) + extent, stride * most, isTransformed});
  }
  return axes;
}

SmallVector<SmallVector<TilePart>> tileBoxes(const ConvSizes &sizes, ArrayRef<TileAxis> axes) {
  SmallVector<SmallVector<TilePart>> boxes{{}};
  for (auto [extent, axis] : llvm::zip(sizes.result, axes)) {
    SmallVector<TilePart> parts;
    if (extent / axis.m)
      parts.push_back({0, extent / axis.m, axis.m});
    if (extent % axis.m)
      parts.push_back({extent / axis.m, extent / axis.m + 1, extent % axis.m});
    SmallVector<SmallVector<TilePart>> longer;
    for (const SmallVector<TilePart> &box : boxes)
      for (const TilePart &part : parts) {
        longer.push_back(box);
        longer.back().push_back(part);
      }
    boxes = std::move(longer);
  }
  return boxes;
}

} // namespace weft
