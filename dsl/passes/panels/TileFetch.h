//===- TileFetch.h - how blocks of tiles come from memory -----------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_PANELS_TILEFETCH_H
#define WEFT_PASSES_PANELS_TILEFETCH_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <utility>

namespace weft {

/// A dimension of images or of results in memory. The index that goes along it is that of a tile
/// along an axis, or a channel's or filter's; a tile reads or writes `extent` elements of it, the
/// next one `step` further. What tiles of images read outside of the array is their border: zeros.
struct TileDim {
  enum class Along { Nothing, Tiles, Planes };
  Along along = Along::Nothing;
  unsigned axis = 0; ///< of the tiles
  int64_t first = 0, step = 0, extent = 1;
  int64_t whole = 1;  ///< elements that the array has there
  int64_t border = 0; ///< zeros before it, from which accesses count

  /// Elements that so many neighbouring tiles, or planes, touch.
  int64_t elements(int64_t many) const {
    return along == Along::Nothing ? extent : step * (many - 1) + extent;
  }
};

/// What a core has of images or results: `planes` channels or filters of a block of tiles.
struct TileRegion {
  llvm::SmallVector<TileDim> dims; ///< outermost first

  llvm::SmallVector<int64_t> extents(llvm::ArrayRef<int64_t> block, int64_t planes) const;
  /// Elements that lie one behind the other in memory, and how many dims they are.
  std::pair<int64_t, unsigned> run(llvm::ArrayRef<int64_t> extents) const;
  /// Whether tiles, so many along each axis, reach out of the array.
  bool hasBorder(llvm::ArrayRef<int64_t> tiles) const;
};

/// How a core fetches its region. Each block gets as many elements along a dimension as there are
/// at most, from the nearest place where there are so many. They come to where they belong among
/// the block's elements: what lies outside of the array has room there, too, and becomes zero.
struct TileFetch {
  TileFetch() = default;
  TileFetch(const TileRegion &region, llvm::ArrayRef<int64_t> tiles, llvm::ArrayRef<int64_t> block,
            int64_t planes, int64_t lanes);

  /// Of one dimension of a region.
  struct Dim {
    int64_t extent = 1, there = 1; ///< elements of a block, and those that are fetched
    int64_t pitch = 1;             ///< from one to the next in the core's array
    /// How much farther each block along it is fetched from than it begins, if any is.
    llvm::SmallVector<int64_t> shifts;
    /// Elements outside of the array, before and behind, of each block.
    llvm::SmallVector<std::pair<int64_t, int64_t>> outside;

    /// Blocks whose zeros differ from one another's.
    bool changes() const { return outside.size() > 1; }
  };
  llvm::SmallVector<Dim> dims;
  bool hasBorder = false;
  int64_t before = 0, elements = 1; ///< of the core's array, what comes before a block among them
  /// Runs of memory, outermost first: how many, how far apart there and in the core's array.
  int64_t run = 1;
  llvm::SmallVector<int64_t> counts, strides, pitches;

  /// Of a core; runs that lie one behind the other in its array are one.
  int64_t transfers() const;
  /// Elements that become zero in each round, at most.
  int64_t cleared() const;
};

} // namespace weft

#endif // WEFT_PASSES_PANELS_TILEFETCH_H
