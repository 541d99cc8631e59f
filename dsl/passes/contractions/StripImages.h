//===- StripImages.h - what a strip of tiles reads of images ------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Images get their border of zeros by a copy, box by box. Where that keeps the order of elements,
// it does nothing that could not be done for the rows of a strip alone, when they are wanted: then
// they are in a cache, and no second array as large as the images goes to memory and comes back.
// Rows that neighbouring strips share are copied for each.
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_CONTRACTIONS_STRIPIMAGES_H
#define WEFT_PASSES_CONTRACTIONS_STRIPIMAGES_H

#include "passes/contractions/CutMaps.h"

#include <optional>

namespace weft {

class StripImages {
public:
  /// A dimension of the maker along which strips are cut, and how its reads follow it.
  struct Cut {
    unsigned ofMaker, ofImage;
    int64_t step;       ///< elements of the image for a tile
    int64_t low, reach; ///< the first one read for a tile, and how many
  };

  /// Of the map that makes tiles, whose dimensions `cuts` are cut into strips; nothing where it
  /// does not read one copy only, whose elements stay in their order.
  static std::optional<StripImages> of(MapOp maker, llvm::ArrayRef<unsigned> cuts);

  /// The part of each box that `width` tiles from `origin` on see, along one of the cuts: what
  /// strips have in common that one body of a loop can do.
  using Seen = llvm::SmallVector<std::pair<int64_t, int64_t>>;
  Seen seen(unsigned cut, int64_t origin, int64_t width) const;
  /// Whether the boxes are the same for each of `extent` tiles.
  bool isUniform(unsigned cut, int64_t extent) const;

  /// The images of a strip: `widths` tiles from the origins on, `first` of the last one.
  mlir::Value make(mlir::OpBuilder &builder, llvm::ArrayRef<mlir::Value> origins,
                   llvm::ArrayRef<int64_t> widths, int64_t first) const;
  /// Lets a part of the maker for those tiles read `local` at its own indices.
  void readLocally(MapOp part, mlir::Value local) const;
  /// The elements that strips of so many tiles copy, over those that they are of.
  double overlap(int64_t width) const;
  void erase();

private:
  mlir::Value whole;
  llvm::SmallVector<MapOp> boxes; ///< the first one first
  llvm::SmallVector<Cut> cuts;
  llvm::SmallVector<llvm::SmallVector<mlir::AffineExpr>> reads; ///< of the maker, one by one
};

} // namespace weft

#endif // WEFT_PASSES_CONTRACTIONS_STRIPIMAGES_H
