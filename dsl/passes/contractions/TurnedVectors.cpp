//===- TurnedVectors.cpp - what vectors are loaded from ----------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/contractions/TurnedVectors.h"

#include "passes/tensors/FixedInputs.h"
#include "passes/tensors/TensorLayouts.h"

using namespace mlir;

namespace weft {

namespace {

/// Some of a read's indices in the order of the terms: by the last of the map's dimensions and the
/// sum's that each depends on.
void sortByTerms(MutableArrayRef<unsigned> order, ArrayRef<AffineExpr> index, unsigned dims) {
  auto innermost = [&](unsigned n) {
    unsigned last = 0;
    for (unsigned dim = 0; dim < dims; ++dim)
      if (index[n].isFunctionOfDim(dim))
        last = dim + 1;
    return last;
  };
  llvm::stable_sort(order, [&](unsigned a, unsigned b) { return innermost(a) < innermost(b); });
}

} // namespace

SmallVector<unsigned> turnedOrder(const WindowSum &sum) {
  SmallVector<Value> indices = indicesOf(sum.map, sum.reduce);
  auto exprs = indicesOver(sum.image, indices);
  SmallVector<unsigned> order;
  for (unsigned index = 0; index < exprs->size(); ++index)
    if (index != *sum.turned)
      order.push_back(index);
  sortByTerms(order, *exprs, indices.size());
  order.push_back(*sum.turned);
  return order;
}

std::optional<unsigned> blocksOfColumns(const WindowSum &sum) {
  MapOp map = sum.map;
  SmallVector<Value> indices = indicesOf(sum.map, sum.reduce);
  auto vectors = indicesOver(sum.image, indices), scalars = indicesOver(sum.filter, indices);
  MLIRContext *context = map.getContext();
  for (unsigned dim = 0; dim < map.rank(); ++dim) {
    if (dim == sum.row || dim == sum.column || !isWithout(*scalars, dim))
      continue;
    AffineExpr whole =
        getAffineDimExpr(dim, context) * sum.columns() + getAffineDimExpr(sum.column, context);
    auto isWhole = [&](AffineExpr index) {
      return simplifyAffineExpr(index - whole, indices.size(), 0) ==
             getAffineConstantExpr(0, context);
    };
    if (llvm::all_of(llvm::enumerate(*vectors), [&](auto index) {
          return index.index() == *sum.turned ? isWhole(index.value())
                                              : !index.value().isFunctionOfDim(dim);
        }))
      return dim;
  }
  return std::nullopt;
}

/// Lets the body and the store use `now` for the map's dimensions.
static void renumber(MapOp map, OpBuilder &at, ArrayRef<unsigned> changed,
                     ArrayRef<AffineExpr> now) {
  Block *body = map.bodyBlock();
  SmallVector<Operation *> applied;
  for (unsigned dim : changed) {
    AffineMap is = AffineMap::get(map.rank(), 0, now[dim]);
    SmallVector<Value> operands(body->getArguments());
    affine::canonicalizeMapAndOperands(&is, &operands); // none that it does not depend on
    applied.push_back(affine::AffineApplyOp::create(at, map.getLoc(), is, operands));
  }
  for (auto [dim, op] : llvm::zip(changed, applied))
    body->getArgument(dim).replaceUsesWithIf(op->getResult(0), [&](OpOperand &use) {
      return !llvm::is_contained(applied, use.getOwner());
    });
  AffineMap store = map.storeMap(0).replaceDimsAndSymbols(now, {}, map.rank(), 0);
  map.setStoresAttr(at.getAffineMapArrayAttr({store}));
}

static SmallVector<AffineExpr> dimsOf(MapOp map) {
  return llvm::map_to_vector(llvm::seq<unsigned>(0, map.rank()),
                             [&](unsigned dim) { return getAffineDimExpr(dim, map.getContext()); });
}

void joinBlocks(const WindowSum &sum, unsigned blocks, int64_t together) {
  MapOp map = sum.map;
  OpBuilder at = OpBuilder::atBlockBegin(map.bodyBlock());
  SmallVector<AffineExpr> now = dimsOf(map);
  AffineExpr column = now[sum.column];
  now[blocks] = now[blocks] * together + column.floorDiv(sum.columns());
  now[sum.column] = column % sum.columns();
  SmallVector<int64_t> upper(map.getUpper());
  upper[blocks] /= together;
  upper[sum.column] *= together;
  renumber(map, at, {blocks, sum.column}, now);
  map.setUpper(upper);
}

std::optional<unsigned> linesOfRows(const WindowSum &sum) {
  if (sum.row == 0 || sum.row - 1 == sum.column)
    return std::nullopt;
  unsigned lines = sum.row - 1;
  SmallVector<Value> indices = indicesOf(sum.map, sum.reduce);
  bool isOfRows = isWithout(*indicesOver(sum.image, indices), lines) &&
                  !isWithout(*indicesOver(sum.filter, indices), lines);
  return isOfRows ? std::optional(lines) : std::nullopt;
}

void joinLines(const WindowSum &sum, unsigned lines) {
  MapOp map = sum.map;
  OpBuilder at = OpBuilder::atBlockBegin(map.bodyBlock());
  SmallVector<AffineExpr> now = dimsOf(map);
  AffineExpr row = now[sum.row];
  now[lines] = row.floorDiv(sum.rows());
  now[sum.row] = row % sum.rows();
  SmallVector<int64_t> upper(map.getUpper());
  upper[sum.row] *= std::exchange(upper[lines], 1);
  renumber(map, at, {lines, sum.row}, now);
  map.setUpper(upper);
}

void turnImage(WindowSum &sum) {
  tensor::ExtractOp image = sum.image;
  SmallVector<unsigned> order = turnedOrder(sum);
  OpBuilder before(sum.map), at(image);
  Value turned = inOrder(before, image.getTensor(), order);
  // Where its makers changed, the read has its new indices by now.
  if (turned == image.getTensor())
    return;
  SmallVector<Value> index;
  for (unsigned from : order)
    index.push_back(image.getIndices()[from]);
  sum.image = tensor::ExtractOp::create(at, image.getLoc(), turned, index);
  image.replaceAllUsesWith(sum.image.getResult());
  image.erase();
}

namespace {

/// How vectors of a block of columns are read of a tensor whose index `turned` is the column and a
/// whole number of blocks before it.
struct VectorPanels {
  SmallVector<int64_t> lines;    ///< the tensor, reshaped: [before, columns, behind ..]
  SmallVector<int64_t> shape;    ///< of the panels
  SmallVector<AffineExpr> index; ///< of the panels, by the map's dimensions and the sum's
  AffineMap source;              ///< where the lines have an element of the panels

  /// Nothing where the index is something else, or blocks of `width` do not fill it.
  static std::optional<VectorPanels> of(const WindowSum &sum, int64_t width);
};

std::optional<VectorPanels> VectorPanels::of(const WindowSum &sum, int64_t width) {
  SmallVector<Value> indices = indicesOf(sum.map, sum.reduce);
  tensor::ExtractOp image = sum.image;
  auto exprs = indicesOver(image, indices);
  ArrayRef<int64_t> shape = image.getTensor().getType().getShape();
  unsigned at = *sum.turned;
  MLIRContext *context = (*exprs)[at].getContext();
  AffineExpr column = getAffineDimExpr(sum.column, context);
  auto simple = [&](AffineExpr expr) { return simplifyAffineExpr(expr, indices.size(), 0); };
  AffineExpr first = simple((*exprs)[at] - column);
  if (sum.columns() % width != 0 || shape[at] % width != 0 ||
      simple(first % width) != getAffineConstantExpr(0, context))
    return std::nullopt;
  VectorPanels panels;
  SmallVector<AffineExpr> place; // in the lines
  auto join = [&](unsigned from, unsigned to) {
    int64_t extent = 1;
    for (unsigned n = from; n < to; ++n)
      extent *= shape[n];
    panels.lines.push_back(extent);
    place.push_back(
        linear(ArrayRef(*exprs).slice(from, to - from), shape.slice(from, to - from), context));
  };
  join(0, at);
  join(at, at + 1);
  // Panels that are made once have the terms in the order in which they are added. Those that each
  // call makes are copied in runs, as they lie.
  if (isFixed(image.getTensor()))
    for (unsigned n = at + 1; n < shape.size(); ++n)
      join(n, n + 1);
  else
    join(at + 1, shape.size());
  SmallVector<unsigned> order = llvm::to_vector(llvm::seq<unsigned>(0, place.size()));
  sortByTerms(MutableArrayRef(order).drop_front(2), place, indices.size());
  SmallVector<AffineExpr> source(place.size());
  for (unsigned n : order) {
    source[n] = getAffineDimExpr(panels.shape.size(), context);
    panels.shape.push_back(panels.lines[n]);
    panels.index.push_back(place[n]);
  }
  source[1] = source[1] * width + getAffineDimExpr(place.size(), context);
  panels.shape[1] /= width;
  panels.index[1] = simple(first.floorDiv(width));
  AffineExpr within = column;
  if (sum.columns() != width) {
    panels.index[1] = panels.index[1] + column.floorDiv(width);
    within = column % width;
  }
  panels.shape.push_back(width);
  panels.index.push_back(within);
  panels.source = AffineMap::get(panels.shape.size(), 0, source, context);
  return panels;
}

} // namespace

bool readInPanels(WindowSum &sum, int64_t width) {
  std::optional<VectorPanels> found = VectorPanels::of(sum, width);
  if (!found)
    return false;
  const VectorPanels &panels = *found;
  tensor::ExtractOp image = sum.image;
  Location loc = image.getLoc();
  OpBuilder before(sum.map), at(image);
  Value lines = reshaped(before, loc, image.getTensor(), panels.lines);
  Value turned = copyOf(before, loc, lines, panels.shape, panels.source);
  SmallVector<OpFoldResult> point = getAsOpFoldResult(indicesOf(sum.map, sum.reduce));
  SmallVector<Value> index;
  for (AffineExpr expr : panels.index)
    index.push_back(getValueOrCreateConstantIndexOp(
        at, loc,
        affine::makeComposedFoldedAffineApply(at, loc, AffineMap::get(point.size(), 0, expr),
                                              point)));
  sum.image = tensor::ExtractOp::create(at, loc, turned, index);
  image.replaceAllUsesWith(sum.image.getResult());
  image.erase();
  return true;
}

void blocksLast(const WindowSum &sum, const PanelLimits &limits, SmallVectorImpl<unsigned> &order) {
  MapOp map = sum.map;
  SmallVector<Value> indices = indicesOf(sum.map, sum.reduce);
  auto vectors = indicesOver(sum.image, indices), rows = indicesOver(sum.filter, indices);
  int64_t ofVectors = sum.terms() * sum.columns() * limits.elementBytes;
  tensor::ExtractOp scalars = sum.filter;
  int64_t ofRows = scalars.getTensor().getType().getNumElements() * limits.elementBytes;
  SmallVector<unsigned> before, blocks;
  for (unsigned dim : order) {
    if (isWithout(*rows, dim) && !isWithout(*vectors, dim)) {
      blocks.push_back(dim);
      ofVectors *= map.getUpper()[dim];
    } else {
      before.push_back(dim);
      if (blocks.empty())
        ofRows /= map.getUpper()[dim];
    }
  }
  if (4 * ofVectors > 3 * limits.l2Bytes || 2 * ofRows <= limits.l2Bytes)
    return;
  order = std::move(before);
  llvm::append_range(order, blocks);
}

} // namespace weft
