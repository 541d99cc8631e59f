//===- TurnedVectors.cpp - what vectors are loaded from ----------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/TurnedVectors.h"

#include "passes/TensorLayouts.h"

using namespace mlir;

namespace weft {

SmallVector<unsigned> turnedOrder(const WindowSum &sum) {
  SmallVector<Value> indices = indicesOf(sum.map, sum.reduce);
  auto exprs = indicesOver(sum.image, indices);
  auto innermost = [&](unsigned index) {
    unsigned last = 0;
    for (unsigned dim = 0; dim < indices.size(); ++dim)
      if ((*exprs)[index].isFunctionOfDim(dim))
        last = dim + 1;
    return last;
  };
  SmallVector<unsigned> order;
  for (unsigned index = 0; index < exprs->size(); ++index)
    if (index != *sum.turned)
      order.push_back(index);
  llvm::stable_sort(order, [&](unsigned a, unsigned b) { return innermost(a) < innermost(b); });
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

void joinBlocks(const WindowSum &sum, unsigned blocks, int64_t together) {
  MapOp map = sum.map;
  Block *body = map.bodyBlock();
  OpBuilder at = OpBuilder::atBlockBegin(body);
  AffineExpr column = at.getAffineDimExpr(sum.column);
  SmallVector<AffineExpr> now;
  for (unsigned dim = 0; dim < map.rank(); ++dim)
    now.push_back(at.getAffineDimExpr(dim));
  now[blocks] = now[blocks] * together + column.floorDiv(sum.columns());
  now[sum.column] = column % sum.columns();
  SmallVector<Operation *> applied;
  for (unsigned dim : {blocks, sum.column})
    applied.push_back(affine::AffineApplyOp::create(
        at, map.getLoc(), AffineMap::get(map.rank(), 0, now[dim]), body->getArguments()));
  for (auto [dim, op] : llvm::zip(std::array{blocks, sum.column}, applied))
    body->getArgument(dim).replaceUsesWithIf(op->getResult(0), [&](OpOperand &use) {
      return !llvm::is_contained(applied, use.getOwner());
    });
  SmallVector<int64_t> upper(map.getUpper());
  upper[blocks] /= together;
  upper[sum.column] *= together;
  map.setUpper(upper);
  AffineMap store = map.storeMap(0).replaceDimsAndSymbols(now, {}, map.rank(), 0);
  map.setStoresAttr(at.getAffineMapArrayAttr({store}));
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
  SmallVector<AffineExpr> index; ///< of the map's dimensions and the sum's
  int64_t before, columns, behind, width;

  /// Nothing where the index is something else, or blocks of `width` do not fill it.
  static std::optional<VectorPanels> of(const WindowSum &sum, int64_t width) {
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
    VectorPanels panels{{}, 1, shape[at], 1, width};
    auto joined = [&](unsigned from, unsigned to, int64_t &extent) {
      for (unsigned n = from; n < to; ++n)
        extent *= shape[n];
      return linear(ArrayRef(*exprs).slice(from, to - from), shape.slice(from, to - from), context);
    };
    AffineExpr before = joined(0, at, panels.before),
               behind = joined(at + 1, shape.size(), panels.behind);
    AffineExpr block = simple(first.floorDiv(width)), within = column;
    if (sum.columns() != width) {
      block = block + column.floorDiv(width);
      within = column % width;
    }
    panels.index = {before, block, behind, within};
    return panels;
  }
};

} // namespace

bool readInPanels(WindowSum &sum, int64_t width) {
  std::optional<VectorPanels> found = VectorPanels::of(sum, width);
  if (!found)
    return false;
  const VectorPanels &panels = *found;
  tensor::ExtractOp image = sum.image;
  Location loc = image.getLoc();
  OpBuilder before(sum.map), at(image);
  MLIRContext *context = at.getContext();
  int64_t blocks = panels.columns / panels.width;
  Value lines =
      reshaped(before, loc, image.getTensor(), {panels.before, panels.columns, panels.behind});
  auto dim = [&](unsigned n) { return getAffineDimExpr(n, context); };
  Value turned =
      copyOf(before, loc, lines, {panels.before, blocks, panels.behind, panels.width},
             AffineMap::get(4, 0, {dim(0), dim(1) * panels.width + dim(3), dim(2)}, context));
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
