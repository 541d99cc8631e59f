//===- TileTransfers.cpp - what comes and goes beside transformed tiles -----===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/panels/TileCode.h"

#include "dialect/Cpe.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

static Value variableOf(AffineForOp loop) { return loop.getInductionVar(); }

/// Which block it is along each axis. Behind the last block come the first ones again.
TileCode::Exprs TileCode::blocksOf(AffineExpr number) const {
  if (plan.rounds * mesh.columns > plan.blocks)
    number = number % plan.blocks;
  Exprs blocks(plan.block.size(), constant(0));
  for (size_t axis = plan.block.size(); axis-- > 0;) {
    int64_t count = shape.tiles[axis] / plan.block[axis];
    blocks[axis] = number % count;
    number = number.floorDiv(count);
  }
  return blocks;
}

/// The first tile of a block along each axis.
TileCode::Exprs TileCode::startsOf(AffineExpr number) const {
  Exprs starts = blocksOf(number);
  for (auto [start, tiles] : llvm::zip_equal(starts, plan.block))
    start = start * tiles;
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

/// Of each core's channels the pixels that its column's tiles read, but for their border.
void TileCode::fetchImages(llvm::function_ref<AffineExpr(IndexValues &)> round) {
  onCores([&](OpBuilder &at, Value row, Value column) {
    IndexValues values;
    AffineExpr r = values.of(row), c = values.of(column);
    AffineExpr number = blockOf(round(values), c), place = constant(0), to = constant(fetch.before);
    Exprs blocks = blocksOf(number), starts = startsOf(number);
    for (auto [dim, fetched] : llvm::zip_equal(shape.images.dims, fetch.dims)) {
      AffineExpr index = constant(dim.first);
      if (dim.along == TileDim::Along::Planes)
        index = index + r * plan.channels * dim.step;
      else if (dim.along == TileDim::Along::Tiles)
        index = index + starts[dim.axis] * dim.step;
      if (!fetched.shifts.empty()) {
        AffineExpr shift = stepsOf(fetched.shifts, blocks[dim.axis]);
        index = index + shift;
        to = to + shift * fetched.pitch;
      }
      place = place * dim.whole + index;
    }
    Value from = applied(at, place, values);
    if (!fetch.hasBorder) {
      cpe::DmaGetOp::create(at, loc, nests.images.outer, from, images, ValueRange{row, column},
                            fetch.run, fetch.counts, fetch.strides);
      return;
    }
    cpe::DmaGetOp::create(at, loc, nests.images.outer, from, images, applied(at, to, values),
                          ValueRange{row, column}, static_cast<uint64_t>(fetch.run), fetch.counts,
                          fetch.strides, at.getDenseI64ArrayAttr(fetch.pitches));
  });
}

/// Zeros where the images of this round have none: those that all blocks have are there already.
void TileCode::clearBorders() {
  if (llvm::none_of(fetch.dims, [](const TileFetch::Dim &dim) { return dim.changes(); }))
    return;
  onCores([&](OpBuilder &at, Value row, Value column) {
    IndexValues values;
    AffineExpr r = values.of(row), c = values.of(column);
    Exprs blocks = blocksOf(blockOf(blockIn(values), c));
    Value zero = arith::ConstantOp::create(at, loc, at.getZeroAttr(element));
    auto clearPart = [&](AffineExpr block, int64_t number, size_t cut, int64_t first,
                         int64_t count) {
      OpBuilder inner = onlyIf(at, {block - number}, {true}, values);
      SmallVector<int64_t> extents;
      for (const TileFetch::Dim &dim : fetch.dims)
        extents.push_back(extents.size() == cut ? count : dim.extent);
      IndexValues all = values;
      AffineExpr place = constant(fetch.before + first * fetch.dims[cut].pitch);
      for (auto [index, dim] : llvm::zip_equal(overElements(inner, extents, all), fetch.dims))
        place = place + index * dim.pitch;
      affine::AffineStoreOp::create(
          inner, loc, zero, images,
          AffineMap::get(all.values.size(), 0, {r, c, place}, loc.getContext()), all.values);
    };
    for (auto [n, dim] : llvm::enumerate(fetch.dims)) {
      if (!dim.changes())
        continue;
      for (auto [number, ends] : llvm::enumerate(dim.outside)) {
        AffineExpr block = blocks[shape.images.dims[n].axis];
        if (ends.first > 0)
          clearPart(block, number, n, 0, ends.first);
        if (ends.second > 0)
          clearPart(block, number, n, dim.extent - ends.second, ends.second);
      }
    }
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
