//===- TileNests.h - products of transformed tiles as loops ---------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_PANELS_TILENESTS_H
#define WEFT_PASSES_PANELS_TILENESTS_H

#include "passes/panels/BorderNest.h"
#include "passes/panels/PanelLoops.h"
#include "passes/panels/PointNest.h"
#include "passes/panels/TilePlan.h"

namespace weft {

/// Loops over tiles and planes whose body transforms one tile: between an array in memory, `outer`,
/// and one of `points` matrices of planes by tiles.
struct TransformNest {
  mlir::affine::AffineForOp outermost, innermost;
  mlir::affine::AffineForOp planes;                   ///< channels or filters
  llvm::SmallVector<mlir::affine::AffineForOp> axes;  ///< of the tiles, outermost first
  mlir::Value outer;                                  ///< images or results
  TileRegion region;                                  ///< of it
  llvm::MapVector<mlir::Operation *, int64_t> points; ///< accesses of matrices, and of which
  llvm::SmallVector<mlir::Operation *> outerAccesses;

  double operations() const;
  /// Elements that each dimension of an access of `outer` lies behind the tile's first one.
  llvm::SmallVector<int64_t> offsets(mlir::Operation *access) const;
};

/// Products, the loops before that make their right factor, and those behind that read the result.
struct TileNests {
  PanelNest products;
  TransformNest images, results;
  std::optional<PointNest> last;    ///< what is done with each result
  std::optional<BorderNest> border; ///< what would add zeros around images that are read without it

  /// Nothing, and why, where transforms are no such loops.
  static std::optional<TileNests> of(const PanelNest &products, const MeshMachine &machine,
                                     std::string &why);
  TileShape shape() const;

private:
  void findBorder();
};

/// Puts loops over blocks of tiles in the place of the last nest, and takes the others away.
void writeTileLoops(const TileNests &nests, const TilePlan &plan, const MeshMachine &machine,
                    bool fma);

} // namespace weft

#endif // WEFT_PASSES_PANELS_TILENESTS_H
