//===- StripCosts.h - how long a strip of Winograd's tiles is -----*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Each strip reads the transforms of all filters once more: of few tiles the products wait for
// them. Of many the tiles and their sums leave the second cache before they are read again. Both
// are counted, where the machine's table has the rates, and the cheapest length is taken.
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_CONTRACTIONS_STRIPCOSTS_H
#define WEFT_PASSES_CONTRACTIONS_STRIPCOSTS_H

#include "passes/contractions/Contraction.h"

namespace weft {

/// The products of tiles and filters: `batch` of them, whose panels have so many vectors.
struct StripProducts {
  int64_t batch, columns, terms, vectors;
  int64_t calledBytes; ///< of all that the kernel is called with, and of its results
};

/// Strips have one tile of each of the first `depth` dimensions, and so many of the next.
struct StripLength {
  unsigned depth;
  int64_t tiles;
  double cycles; ///< of all strips, but for what every length takes
};

/// A dimension that tiles lie along.
struct StripExtent {
  int64_t tiles;
  bool isEven; ///< the last tile does not reach beyond the results
};

class StripCosts {
public:
  /// `limits` have rates.
  StripCosts(const StripProducts &products, const PanelLimits &limits);

  /// Of tiles along these dimensions, the outermost first. The last of several is left whole, as
  /// rows of the products; so are all behind one whose tiles reach too far.
  StripLength cheapest(llvm::ArrayRef<StripExtent> extents) const;
  /// How the sums of so many tiles are grouped.
  Grouping grouping(int64_t tiles) const;

private:
  double ofStrip(int64_t tiles) const;
  int64_t bytesOf(int64_t tiles) const {
    return products.batch * tiles * (products.columns + products.terms) * limits.elementBytes;
  }

  StripProducts products;
  PanelLimits limits; ///< where the filters pass by at their rate
  double memoryBytesPerCycle;
};

/// Of all that the function of an operation is called with, and of its results.
int64_t calledBytes(mlir::Operation *op);

/// How wide the strips of so many tiles are that have the most of them, one after the other: even
/// ones, larger ones first.
llvm::SmallVector<int64_t> stripWidths(int64_t extent, int64_t most);

} // namespace weft

#endif // WEFT_PASSES_CONTRACTIONS_STRIPCOSTS_H
