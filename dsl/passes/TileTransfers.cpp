//===- TileTransfers.cpp - what comes and goes beside transformed tiles -----===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/TileCode.h"

#include "dialect/Cpe.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

static Value variableOf(AffineForOp loop) { return loop.getInductionVar(); }

/// The first tile of a block along each axis. Behind the last block come the first ones again.
TileCode::Exprs TileCode::startsOf(AffineExpr number) const {
  if (plan.rounds * mesh.columns > plan.blocks)
    number = number % plan.blocks;
  Exprs starts(plan.block.size(), constant(0));
  for (size_t axis = plan.block.size(); axis-- > 0;) {
    int64_t blocks = shape.tiles[axis] / plan.block[axis];
    starts[axis] = number % blocks * plan.block[axis];
    number = number.floorDiv(blocks);
  }
  return starts;
}

/// The first element of a region, from the first tile along each axis and the first plane on.
AffineExpr TileCode::placeOf(const TileRegion &region, ArrayRef<AffineExpr> starts,
                             AffineExpr plane) const {
  AffineExpr place = constant(0);
  for (const TileDim &dim : region.dims) {
    AffineExpr index = constant(dim.first);
    if (dim.along != TileDim::Along::Nothing)
      index = index + (dim.along == TileDim::Along::Planes ? plane : starts[dim.axis]) * dim.step;
    place = place * dim.whole + index;
  }
  return place;
}

TileCode::Runs TileCode::transferOf(const TileRegion &region, ArrayRef<int64_t> extents) const {
  auto [run, merged] = region.run(extents);
  Runs transfer(run);
  int64_t apart = 1;
  for (size_t n = extents.size(); n-- > 0; apart *= region.dims[n].whole)
    if (n < extents.size() - merged && extents[n] > 1) {
      transfer.counts.insert(transfer.counts.begin(), extents[n]);
      transfer.strides.insert(transfer.strides.begin(), apart);
    }
  return transfer;
}

/// Of each core's channels the pixels that its column's tiles read.
void TileCode::fetchImages(llvm::function_ref<AffineExpr(IndexValues &)> round) {
  onCores([&](OpBuilder &at, Value row, Value column) {
    IndexValues values;
    AffineExpr r = values.of(row), c = values.of(column);
    Exprs starts = startsOf(blockOf(round(values), c));
    AffineExpr place = placeOf(shape.images, starts, r * plan.channels);
    Runs of = transferOf(shape.images, shape.images.extents(plan.block, plan.channels));
    cpe::DmaGetOp::create(at, loc, nests.images.outer, applied(at, place, values), images,
                          ValueRange{row, column}, of.run, of.counts, of.strides);
  });
}

/// Of a core's row the filters, of its column the channels, of a group of points; and all groups.
void TileCode::fetchFilters(llvm::function_ref<AffineExpr(IndexValues &)> number) {
  onCores([&](OpBuilder &at, Value row, Value column) {
    IndexValues values;
    AffineExpr r = values.of(row), c = values.of(column);
    const PanelNest &products = nests.products;
    const PanelAccess &left = products.left;
    AffineExpr group = number(values);
    AffineExpr block = group.floorDiv(groups()) % plan.filterBlocks;
    Value start = elementAt(at, left, values, [&](Value operand) {
      return operand == variableOf(products.batch)   ? group % groups() * plan.group
             : operand == variableOf(products.rows)  ? (block * mesh.rows + r) * plan.filters
             : operand == variableOf(products.terms) ? c * plan.channels
                                                     : AffineExpr();
    });
    int64_t point = left.strideOf(variableOf(products.batch)),
            filter = left.strideOf(variableOf(products.rows));
    SmallVector<int64_t> counts{plan.group, plan.filters}, strides{point, filter};
    if (plan.keepsFilters) {
      counts = {plan.filterBlocks, shape.points, plan.filters};
      strides = {mesh.rows * plan.filters * filter, point, filter};
    }
    cpe::DmaGetOp::create(at, loc, left.memref, start, filters, ValueRange{row, column},
                          plan.channels, counts, strides);
  });
}

/// The results of a block of filters, counted over all rounds. Blocks of tiles that come again
/// behind the last one are not put.
void TileCode::put(llvm::function_ref<AffineExpr(IndexValues &)> numberIn) {
  onCores([&](OpBuilder &at, Value row, Value column) {
    IndexValues values;
    AffineExpr r = values.of(row), c = values.of(column), block = numberIn(values);
    AffineExpr number = blockOf(block.floorDiv(plan.filterBlocks), c);
    AffineExpr filter = (block % plan.filterBlocks * mesh.rows + r) * plan.filters;
    OpBuilder where = at;
    if (plan.rounds * mesh.columns > plan.blocks)
      where = onlyIf(at, {-number + (plan.blocks - 1)}, {false}, values);
    AffineExpr place = placeOf(shape.results, startsOf(number), filter);
    Runs of = transferOf(shape.results, shape.results.extents(plan.block, plan.filters));
    cpe::DmaPutOp::create(where, loc, results, nests.results.outer, applied(where, place, values),
                          ValueRange{row, column}, of.run, of.counts, of.strides);
  });
}

/// In the first group of a block: the results of the block before, and the images of the next
/// round.
void TileCode::fetchAndPutLate() {
  auto inFirst = [&](ArrayRef<AffineExpr> conditions, ArrayRef<bool> areZero,
                     const IndexValues &values, llvm::function_ref<void()> body) {
    OpBuilder::InsertionGuard guard(builder);
    OpBuilder inside = onlyIf(builder, conditions, areZero, values);
    builder.setInsertionPointToStart(inside.getInsertionBlock());
    body();
  };
  if (plan.rounds * plan.filterBlocks > 1) {
    IndexValues values;
    AffineExpr first = -values.of(group), another = blockNumberIn(values) - 1;
    inFirst({first, another}, {false, false}, values,
            [&] { put([&](IndexValues &inside) { return blockNumberIn(inside) - 1; }); });
  }
  if (plan.rounds > 1) {
    IndexValues values;
    inFirst({values.of(group) + filterBlockIn(values)}, {true}, values, [&] { fetchNextImages(); });
  }
}

void TileCode::fetchNextImages() {
  fetchImages([&](IndexValues &values) { return (blockIn(values) + 1) % plan.rounds; });
}

} // namespace weft
