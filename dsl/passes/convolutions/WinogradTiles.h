//===- WinogradTiles.h - how Winograd's algorithm cuts images -------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_CONVOLUTIONS_WINOGRADTILES_H
#define WEFT_PASSES_CONVOLUTIONS_WINOGRADTILES_H

#include "passes/convolutions/Convolutions.h"

namespace weft {

/// How a dimension of a pixel is cut into tiles. One in which filters have one element stays as it
/// is: tiles of one pixel.
struct TileAxis {
  int64_t tiles;
  int64_t m;    ///< results of a tile
  int64_t n;    ///< pixels of the image for it, and products along the dimension
  int64_t step; ///< pixels from tile to tile
  bool isTransformed;
};

/// Those of a convolution by one of its transforms.
llvm::SmallVector<TileAxis> tileAxes(const ConvSizes &sizes, mlir::DictionaryAttr transform);

/// Tiles of a dimension, from `first` to `end`, of which so many results are wanted.
struct TilePart {
  int64_t first, end;
  int64_t within;
};

/// The boxes of a result whose tiles have as many results: whole tiles, and what the last ones of a
/// dimension have left. Each has a part of every dimension.
llvm::SmallVector<llvm::SmallVector<TilePart>> tileBoxes(const ConvSizes &sizes,
                                                         llvm::ArrayRef<TileAxis> axes);

} // namespace weft

#endif // WEFT_PASSES_CONVOLUTIONS_WINOGRADTILES_H
