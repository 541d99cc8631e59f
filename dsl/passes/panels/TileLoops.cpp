//===- TileLoops.cpp - loops in which a mesh keeps transformed tiles --------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
//   for rounds                               (each column of the mesh a block of tiles)
//     channels of the block are transformed  (the next round's images are on their way)
//     for blocks of filters
//       for groups of points
//         for steps                          (one column and one row of the mesh send)
//           for points of the group
//             products, the sums in registers
//       sums are transformed and put
//
//===-----------------------------------------------------------------------===//

#include "passes/panels/TileCode.h"

#include "dialect/Cpe.h"

#include "mlir/IR/IRMapping.h"

#include <numeric>

using namespace mlir;
using affine::AffineForOp;

namespace weft {

void TileCode::makeArrays() {
  auto elements = [](ArrayRef<int64_t> extents) {
    return std::accumulate(extents.begin(), extents.end(), int64_t(1), std::multiplies<>());
  };
  const PanelNest &products = nests.products;
  Value left = products.left.memref, right = products.right.memref;
  images = spread(fetch.elements, nests.images.outer, "coming");
  results = spread(elements(shape.results.extents(plan.block, plan.filters)), nests.results.outer,
                   "going");
  tiles = spread(shape.points * plan.channels * plan.pitch, right, "tiles");
  sums = spread(shape.points * plan.filters * plan.pitch, products.result.memref, "products");
  int64_t ofFilters = this->ofFilters();
  filters = spread(plan.keepsFilters ? groups() * plan.filterBlocks * ofFilters : ofFilters, left,
                   plan.keepsFilters ? "kept" : "coming");
  if (!plan.keepsFilters)
    ownFilters = spread(ofFilters, left, "part");
  sentFilters = spread(plan.together * ofFilters, left, "sent");
  sentTiles = spread(plan.together * ofTiles(), right, "sent");
  if (fetch.hasBorder)
    clear(images, fetch.elements);
  // What fills tiles up to vectors is multiplied, too.
  if (plan.pitch > plan.tiles)
    clear(tiles, shape.points * plan.channels * plan.pitch);
}

/// One tile after the other from an array of a core to another: in vectors along the last axis, the
/// last one of a line at its end. What two vectors have is made twice.
void TileCode::transform(const TransformNest &nest, Value matrices, Value outer, int64_t planes) {
  int64_t line = plan.block.back(), lanes = machine.lanes, rest = line % lanes;
  bool overlaps = line > lanes && rest != 0;
  onCores([&](OpBuilder &at, Value row, Value column) {
    OpBuilder inner = at;
    SmallVector<Value> place{row, column};
    auto loopOver = [&](int64_t from, int64_t to) {
      auto loop = AffineForOp::create(inner, loc, from, to);
      loop->setAttr("weft.independent", inner.getUnitAttr());
      place.push_back(loop.getInductionVar());
      inner = OpBuilder::atBlockBegin(loop.getBody());
      return loop;
    };
    loopOver(0, planes);
    for (int64_t trips : ArrayRef(plan.block).drop_back())
      loopOver(0, trips);
    auto overLine = [&](int64_t from, int64_t to) {
      OpBuilder::InsertionGuard guard(inner);
      AffineForOp loop = loopOver(from, to);
      loop->setAttr("weft.lane", inner.getUnitAttr());
      transformTile(inner, nest, matrices, outer, place);
      place.pop_back();
      inner.setInsertionPointAfter(loop);
    };
    overLine(0, overlaps ? line - rest : line);
    if (overlaps)
      overLine(line - lanes, line);
  });
}

/// One tile of a row's and column's core, of a plane, at a place along each axis.
void TileCode::transformTile(OpBuilder &at, const TransformNest &nest, Value matrices, Value outer,
                             ArrayRef<Value> place) const {
  IndexValues values;
  Exprs known;
  for (Value value : place)
    known.push_back(values.of(value));
  AffineExpr plane = known[2], tile = constant(0);
  ArrayRef<AffineExpr> tileOf = ArrayRef(known).drop_front(3);
  for (auto [number, trips] : llvm::zip_equal(tileOf, plan.block))
    tile = tile * trips + number;
  bool isOfImages = nest.planes == nests.images.planes;
  int64_t planes = isOfImages ? plan.channels : plan.filters;
  SmallVector<int64_t> extents = nest.region.extents(plan.block, planes);
  auto inOuter = [&](Operation *access) {
    AffineExpr element = constant(0);
    SmallVector<int64_t> offsets = nest.offsets(access);
    for (auto [n, dim] : llvm::enumerate(nest.region.dims)) {
      AffineExpr index = constant(offsets[n]);
      if (dim.along != TileDim::Along::Nothing)
        index = index + (dim.along == TileDim::Along::Planes ? plane : tileOf[dim.axis]) * dim.step;
      element = element * extents[n] + index;
    }
    return isOfImages ? element + fetch.before : element;
  };
  IRMapping mapped;
  auto body = nest.innermost;
  for (Operation &op : body.getBody()->without_terminator()) {
    if (isa<affine::AffineApplyOp>(op))
      continue;
    auto point = nest.points.find(&op);
    bool isPoint = point != nest.points.end();
    if (!isPoint && !llvm::is_contained(nest.outerAccesses, &op)) {
      at.clone(op, mapped);
      continue;
    }
    Value array = isPoint ? matrices : outer;
    AffineExpr element =
        isPoint ? (plane + point->second * planes) * plan.pitch + tile : inOuter(&op);
    AffineMap map =
        AffineMap::get(values.values.size(), 0, {known[0], known[1], element}, loc.getContext());
    if (auto store = dyn_cast<affine::AffineStoreOp>(op))
      affine::AffineStoreOp::create(at, op.getLoc(),
                                    mapped.lookupOrDefault(store.getValueToStore()), array, map,
                                    values.values);
    else
      mapped.map(op.getResult(0),
                 affine::AffineLoadOp::create(at, op.getLoc(), array, map, values.values));
  }
}

/// What the cores of some columns and rows have of a group of points, to all of their rows and
/// columns.
void TileCode::send(Value step, Value filtersPart) {
  IntegerAttr elementsOfFilters = builder.getI64IntegerAttr(ofFilters());
  IntegerAttr elementsOfTiles = builder.getI64IntegerAttr(ofTiles());
  for (int64_t n = 0; n < plan.together; ++n) {
    IndexValues values;
    AffineExpr place = step ? values.of(step) * plan.together + n : constant(n);
    Value from = applied(builder, place, values);
    Value to = plan.together > 1 ? applied(builder, constant(n), {}) : Value();
    cpe::BroadcastOp::create(builder, loc, plan.keepsFilters ? filters : ownFilters, filtersPart,
                             from, sentFilters, to, true, elementsOfFilters);
    cpe::BroadcastOp::create(builder, loc, tiles, group, from, sentTiles, to, false,
                             elementsOfTiles);
  }
}

/// What is done with each result, before it goes.
void TileCode::finish() {
  SmallVector<int64_t> extents = shape.results.extents(plan.block, plan.filters);
  onCores([&](OpBuilder &at, Value row, Value column) {
    OpBuilder inner = at;
    IndexValues values;
    AffineExpr r = values.of(row), c = values.of(column), place = constant(0);
    Exprs starts = startsOf(blockOf(blockIn(values), c)), whole;
    Exprs local = overElements(inner, extents, values);
    for (auto [dim, extent, own] : llvm::zip_equal(shape.results.dims, extents, local)) {
      AffineExpr first = dim.along == TileDim::Along::Planes  ? firstFilter(values, r)
                         : dim.along == TileDim::Along::Tiles ? starts[dim.axis]
                                                              : constant(0);
      place = place * extent + own;
      whole.push_back(first * dim.step + dim.first + own);
    }
    rework(inner, *nests.last, results, place, whole, values);
  });
}

/// The products of a group of points, the channels of some columns and rows of cores at a time.
void TileCode::multiplyGroup(Value filtersPart) {
  OpBuilder::InsertionGuard guard(builder);
  Value step;
  if (int64_t steps = mesh.columns / plan.together; steps > 1) {
    AffineForOp over = loop(steps, 1);
    step = over.getInductionVar();
    builder.setInsertionPointToStart(over.getBody());
  }
  send(step, filtersPart);
  multiply(
      {sums, plan.filters, plan.pitch, plan.registerRows, plan.registerVectors, plan.group, group},
      [&](OpBuilder &at, Value row, Value column, const SumsAt &place, SmallVector<Value> &sum) {
        IndexValues values;
        values.of(row);
        values.of(column);
        overTerms(
            at, plan.together, 1, values, sum,
            [&](OpBuilder &inPart, AffineExpr part, IndexValues &ofPart, SmallVector<Value> &sum) {
              overTerms(inPart, plan.channels, plan.depth, ofPart, sum,
                        [&](OpBuilder &inner, AffineExpr channel, IndexValues &here,
                            SmallVector<Value> &sum) {
                          terms(inner, row, column, place, part, channel, here, sum);
                        });
            });
      });
}

void TileCode::terms(OpBuilder &at, Value row, Value column, const SumsAt &place, AffineExpr part,
                     AffineExpr channel, IndexValues &values, SmallVector<Value> &sum) const {
  AffineExpr point = part * plan.group + (place.block ? values.of(place.block) : constant(0));
  AffineExpr filter = values.of(place.i), tile = values.of(place.j);
  for (int64_t n = 0; n < plan.depth; ++n) {
    SmallVector<Value> vectors;
    for (int64_t v = 0; v < plan.registerVectors; ++v)
      vectors.push_back(
          load(at, sentTiles, row, column,
               (point * plan.channels + channel + n) * plan.pitch + tile + v * machine.lanes,
               values, true));
    addTerm(at, sum, vectors, [&](int64_t beside) {
      return load(at, sentFilters, row, column,
                  (point * plan.filters + filter + beside) * plan.channels + channel + n, values,
                  false);
    });
  }
}

void TileCode::eraseOld() {
  if (nests.last)
    nests.last->erase();
  AffineForOp(nests.results.outermost).erase();
  AffineForOp(nests.products.outermost).erase();
  AffineForOp(nests.images.outermost).erase();
  if (nests.border)
    for (AffineForOp copy : nests.border->nests)
      copy.erase();
}

/// The sums of a block of filters, group by group.
void TileCode::overGroups() {
  OpBuilder::InsertionGuard guard(builder);
  clear(sums, shape.points * plan.filters * plan.pitch);
  group = Value();
  if (groups() > 1) {
    AffineForOp over = loop(groups(), 1);
    group = over.getInductionVar();
    builder.setInsertionPointToStart(over.getBody());
  }
  auto numberIn = [&](IndexValues &values) {
    return filterBlockIn(values) * groups() + (group ? values.of(group) : constant(0));
  };
  if (plan.keepsFilters) {
    IndexValues values;
    AffineExpr number = numberIn(values);
    bool isWhole = groups() * plan.filterBlocks == 1;
    return multiplyGroup(isWhole ? Value() : applied(builder, number, values));
  }
  cpe::DmaWaitOp::create(builder, loc);
  copy(filters, ownFilters, ofFilters());
  // Behind the last one of all the first one again.
  fetchFilters([&](IndexValues &values) { return numberIn(values) + 1; });
  if (isLate())
    fetchAndPutLate();
  multiplyGroup({});
}

void TileCode::run() {
  makeArrays();
  auto first = [&](IndexValues &) { return constant(0); };
  keep(nests.last);
  fetchFilters(first);
  fetchImages(first);
  cpe::DmaWaitOp::create(builder, loc);
  {
    OpBuilder::InsertionGuard guard(builder);
    overBlocks(plan.rounds);
    clearBorders();
    transform(nests.images, tiles, images, plan.channels);
    if (plan.rounds > 1 && !isLate())
      fetchNextImages();
    if (plan.filterBlocks > 1) {
      AffineForOp over = loop(plan.filterBlocks, 1);
      filterBlock = over.getInductionVar();
      builder.setInsertionPointToStart(over.getBody());
    }
    overGroups();
    // The next images are there then, and the last results are gone. Filters that come were waited
    // for behind both.
    if (plan.keepsFilters)
      cpe::DmaWaitOp::create(builder, loc);
    transform(nests.results, sums, results, plan.filters);
    if (nests.last)
      finish();
    if (!isLate())
      put([&](IndexValues &values) { return blockNumberIn(values); });
  }
  if (isLate()) {
    block = filterBlock = Value();
    put([&](IndexValues &) { return constant(plan.rounds * plan.filterBlocks - 1); });
  }
  cpe::DmaWaitOp::create(builder, loc);
  eraseOld();
}

void writeTileLoops(const TileNests &nests, const TilePlan &plan, const MeshMachine &machine,
                    bool fma) {
  TileCode(nests, plan, machine, fma).run();
}

} // namespace weft
