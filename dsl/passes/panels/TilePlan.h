//===- TilePlan.h - how a mesh of cores keeps transformed tiles -----*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_PANELS_TILEPLAN_H
#define WEFT_PASSES_PANELS_TILEPLAN_H

#include "passes/panels/PanelPlan.h"
#include "passes/panels/TileFetch.h"

namespace weft {

/// Products between two transforms: images in tiles are transformed to `points` matrices of
/// channels by tiles, multiplied with filters, and transformed back.
struct TileShape {
  int64_t points = 0, filters = 0, channels = 0;
  llvm::SmallVector<int64_t> tiles; ///< along each axis, outermost first
  TileRegion images, results;
  double imageOperations = 0, resultOperations = 0; ///< for one tile of a plane
  int64_t keptBytes = 0;                            ///< of arrays that stay with each core whole
  int64_t elementBytes = 4;

  int64_t allTiles() const;
  TileFetch fetch(llvm::ArrayRef<int64_t> block, int64_t ofCore, int64_t lanes) const {
    return {images, tiles, block, ofCore, lanes};
  }
};

/// How cores share them. Columns of the mesh have blocks of tiles, its rows channels of these and
/// filters: a core transforms its channels of its column's block, has its filters' products and
/// transforms them back. Nothing but images, filters and results goes through memory.
struct TilePlan {
  llvm::SmallVector<int64_t> block;  ///< tiles of a block along each axis
  int64_t tiles = 0, pitch = 0;      ///< of a block, and up to whole vectors
  int64_t channels = 0, filters = 0; ///< of a core, at a time
  int64_t filterBlocks = 1, rounds = 1, blocks = 1;
  int64_t group = 1;    ///< points that are multiplied in a step
  int64_t together = 1; ///< steps whose messages come before their products
  int64_t registerRows = 1, registerVectors = 1;
  int64_t depth = 1;         ///< channels of a step that are written out
  bool keepsFilters = false; ///< all that a core needs; else they come in each round
  int64_t bytes = 0;
  double cycles = 0, bound = 0; ///< as PanelPlan has them
};

/// The plan with the fewest cycles; nothing, and why, where there is none.
std::optional<TilePlan> planTiles(const TileShape &shape, const MeshMachine &machine,
                                  std::string &why);

/// Planes of images and results between which tiles and their products go through memory: of so
/// many tiles a plane, which lie in one run for each point.
struct TilePlanes {
  double images = 0, results = 0;
  int64_t tiles = 0, pixels = 0, resultPixels = 0; ///< of a plane
};
/// Cycles that memory takes for them; each run that is put costs as much as a long one.
double tileTraffic(const TilePlanes &planes, int64_t points, int64_t elementBytes,
                   const MeshMachine &machine);
/// Cycles that memory takes for planes that are copied into others.
double copyTraffic(double planes, int64_t from, int64_t to, int64_t elementBytes,
                   const MeshMachine &machine);
/// Those of tileTraffic with the transforms, of tiles that could stay, and the copy with a border.
double tilesThroughMemory(const TileShape &shape, const MeshMachine &machine);

} // namespace weft

#endif // WEFT_PASSES_PANELS_TILEPLAN_H
