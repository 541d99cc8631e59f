//===- TileCode.h - loops in which a mesh keeps transformed tiles ---*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_PANELS_TILECODE_H
#define WEFT_PASSES_PANELS_TILECODE_H

#include "passes/panels/MeshCode.h"
#include "passes/panels/TileNests.h"

namespace weft {

/// What TileLoops.cpp writes; transfers are in TileTransfers.cpp.
class TileCode : MeshCode {
public:
  TileCode(const TileNests &nests, const TilePlan &plan, const MeshMachine &machine, bool fma)
      : MeshCode(mlir::affine::AffineForOp(nests.results.outermost),
                 mlir::affine::AffineForOp(nests.products.columns).getLoc(), nests.results.outer,
                 machine, fma),
        nests(nests), plan(plan), shape(nests.shape()),
        fetch(shape.fetch(plan.block, plan.channels, machine.lanes)) {}

  void run();

private:
  using Exprs = llvm::SmallVector<mlir::AffineExpr>;

  void makeArrays();
  Exprs blocksOf(mlir::AffineExpr number) const;
  Exprs startsOf(mlir::AffineExpr number) const;
  mlir::AffineExpr filterBlockIn(IndexValues &values) const {
    return filterBlock ? values.of(filterBlock) : constant(0);
  }
  mlir::AffineExpr firstFilter(IndexValues &values, mlir::AffineExpr row) const {
    return (filterBlockIn(values) * mesh.rows + row) * plan.filters;
  }
  mlir::AffineExpr blockOf(mlir::AffineExpr round, mlir::AffineExpr column) const {
    return round * mesh.columns + column;
  }
  mlir::AffineExpr placeOf(const TileRegion &region, llvm::ArrayRef<mlir::AffineExpr> starts,
                           mlir::AffineExpr plane) const;
  Runs transferOf(const TileRegion &region, llvm::ArrayRef<int64_t> extents) const;
  void fetchImages(llvm::function_ref<mlir::AffineExpr(IndexValues &)> round);
  void clearBorders();
  /// Of a group of points, counted over all blocks of filters.
  void fetchFilters(llvm::function_ref<mlir::AffineExpr(IndexValues &)> number);
  int64_t groups() const { return shape.points / plan.group; }
  /// Elements that a core sends in a step.
  int64_t ofFilters() const { return plan.group * plan.filters * plan.channels; }
  int64_t ofTiles() const { return plan.group * plan.channels * plan.pitch; }
  void transform(const TransformNest &nest, mlir::Value matrices, mlir::Value outer,
                 int64_t planes);
  void transformTile(mlir::OpBuilder &at, const TransformNest &nest, mlir::Value matrices,
                     mlir::Value outer, llvm::ArrayRef<mlir::Value> place) const;
  void fetchNextImages();
  void overGroups();
  void send(mlir::Value step, mlir::Value filtersPart);
  void multiplyGroup(mlir::Value filtersPart);
  void terms(mlir::OpBuilder &at, mlir::Value row, mlir::Value column, const SumsAt &place,
             mlir::AffineExpr part, mlir::AffineExpr channel, IndexValues &values,
             llvm::SmallVector<mlir::Value> &sums) const;
  void finish();
  void put(llvm::function_ref<mlir::AffineExpr(IndexValues &)> numberIn);
  mlir::AffineExpr blockNumberIn(IndexValues &values) const {
    return blockIn(values) * plan.filterBlocks + filterBlockIn(values);
  }
  /// Where filters come group by group, what else comes and goes waits until those of the first
  /// group are there: whoever waits for some waits for all.
  bool isLate() const { return !plan.keepsFilters && groups() > 1; }
  void fetchAndPutLate();
  void eraseOld();

  const TileNests &nests;
  const TilePlan &plan;
  TileShape shape;
  TileFetch fetch;
  mlir::Value images, results, tiles, sums; ///< of a core: what comes and goes, and the matrices
  mlir::Value filters;                      ///< all of a core, or those of the next group
  mlir::Value filterBlock, group;
  mlir::Value ownFilters;             ///< of the group at work, where the next ones come
  mlir::Value sentFilters, sentTiles; ///< from all cores of a row, and of a column
};

} // namespace weft

#endif // WEFT_PASSES_PANELS_TILECODE_H
