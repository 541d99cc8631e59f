//===- ColumnBlocks.cpp - the columns' factor, made where it is used ------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/ColumnBlocks.h"

#include "passes/WinogradMaps.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace weft {

std::optional<Grouping> panelsInBlocks(Value factor, int64_t batch, int64_t rows, int64_t columns,
                                       int64_t terms, const PanelLimits &limits) {
  auto maker = factor.getDefiningOp<MapOp>();
  if (!maker || !maker->hasAttr(codeletMark) || !maker.getInits().empty())
    return std::nullopt;
  int64_t bytes = batch * terms * limits.elementBytes;
  if (bytes * columns <= limits.l2Bytes)
    return std::nullopt;
  std::optional<Grouping> best;
  for (int64_t vectors = 1; vectors * limits.lanes <= columns; ++vectors) {
    int64_t width = vectors * limits.lanes;
    // The rows' factor is read once a block: no more of it than of what is saved. A panel
    // somewhat too large for the second cache is still better off than all of them.
    if (columns % width != 0)
      continue;
    if (2 * bytes * width > 3 * limits.l2Bytes)
      break;
    if (rows > 2 * width)
      continue;
    Grouping grouping = chooseGrouping(rows, width, terms, limits);
    if (grouping.vectors != vectors)
      continue;
    grouping.cycles *= static_cast<double>(columns) / width;
    if (!best || grouping.cycles < best->cycles)
      best = grouping;
  }
  return best;
}

namespace {

/// The maker's dimension that counts columns, as its stores [b, c / w, term, c % w] say.
std::optional<unsigned> columnDim(MapOp maker, int64_t width) {
  std::optional<unsigned> found;
  for (unsigned n = 0; n < maker.getStores().size(); ++n) {
    AffineMap store = maker.storeMap(n);
    auto within = dyn_cast<AffineBinaryOpExpr>(store.getResult(3));
    auto dim = dyn_cast_or_null<AffineDimExpr>(within ? within.getLHS() : AffineExpr());
    if (!dim || within != dim % width || store.getResult(1) != dim.floorDiv(width) ||
        (found && *found != dim.getPosition()))
      return std::nullopt;
    found = dim.getPosition();
  }
  return found;
}

/// The same map for columns from `origin` on, with one panel as its result.
MapOp panelOf(OpBuilder &builder, MapOp maker, unsigned column, int64_t width, Value origin) {
  SmallVector<int64_t> upper(maker.getUpper());
  upper[column] = width;
  SmallVector<AffineMap> stores;
  for (unsigned n = 0; n < maker.getStores().size(); ++n) {
    AffineMap store = maker.storeMap(n);
    stores.push_back(AffineMap::get(store.getNumDims(), 0,
                                    {store.getResult(0), builder.getAffineConstantExpr(0),
                                     store.getResult(2), builder.getAffineDimExpr(column)},
                                    builder.getContext()));
  }
  auto type = cast<RankedTensorType>(maker.getResult(0).getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[1] = 1;
  auto map = MapOp::create(builder, maker.getLoc(),
                           TypeRange{RankedTensorType::get(shape, type.getElementType())},
                           maker.getLower(), upper, ValueRange{},
                           builder.getAffineMapArrayAttr(stores), DenseI64ArrayAttr());
  map->setAttr(codeletMark, builder.getUnitAttr());
  Block *body = &map.getBody().emplaceBlock();
  OpBuilder inner = OpBuilder::atBlockBegin(body);
  IRMapping mapping;
  mapping.map(maker->getOperands(), maker->getOperands());
  for (BlockArgument index : maker.bodyBlock()->getArguments()) {
    Value own = body->addArgument(index.getType(), index.getLoc());
    if (index.getArgNumber() == column)
      own = affine::AffineApplyOp::create(
          inner, index.getLoc(),
          AffineMap::get(2, 0, inner.getAffineDimExpr(0) + inner.getAffineDimExpr(1)),
          ValueRange{origin, own});
    mapping.map(index, own);
  }
  for (Operation &op : *maker.bodyBlock())
    inner.clone(op, mapping);
  return map;
}

} // namespace

void joinColumnsMaker(MapOp map) {
  auto grouping = groupingOf(map);
  auto result = cast<RankedTensorType>(map.getResult(0).getType());
  auto sum = cast<ReduceOp>(map.yielded().front().getDefiningOp());
  auto product = sum.yielded().getDefiningOp<arith::MulFOp>();
  auto right = product.getRhs().getDefiningOp<tensor::ExtractOp>();
  auto maker = right.getTensor().getDefiningOp<MapOp>();
  if (!maker || !maker->hasOneUse() || maker->getNumResults() != 1 || !maker.getInits().empty())
    return;
  auto panels = cast<RankedTensorType>(right.getTensor().getType());
  int64_t width = panels.getDimSize(3), columns = result.getDimSize(2);
  auto column = columnDim(maker, width);
  if (!grouping || !column || maker.getUpper()[*column] != columns)
    return;

  OpBuilder builder(map);
  MLIRContext *context = builder.getContext();
  AffineExpr origin = builder.getAffineDimExpr(0), b = builder.getAffineDimExpr(1),
             row = builder.getAffineDimExpr(2), within = builder.getAffineDimExpr(3);
  auto blocks = BlocksOp::create(
      builder, map.getLoc(), TypeRange{result}, ArrayRef<int64_t>{0}, ArrayRef<int64_t>{columns},
      ArrayRef<int64_t>{width}, ValueRange{},
      builder.getAffineMapArrayAttr({AffineMap::get(4, 0, {b, row, origin + within}, context)}));
  blocks->setAttr(inTurnMark, builder.getUnitAttr());
  Block *body = &blocks.getBody().emplaceBlock();
  Value from =
      body->addArgument(builder.getIndexType(), map.bodyBlock()->getArguments().back().getLoc());
  OpBuilder inner = OpBuilder::atBlockBegin(body);
  MapOp panel = panelOf(inner, maker, *column, width, from);

  map.getResult(0).replaceAllUsesWith(blocks.getResult(0));
  map->moveBefore(body, body->end());
  SmallVector<int64_t> shape(result.getShape());
  shape[2] = width;
  map.getResult(0).setType(RankedTensorType::get(shape, result.getElementType()));
  map.setUpper(shape);
  OpBuilder atRead(right);
  Value zero = arith::ConstantIndexOp::create(atRead, right.getLoc(), 0);
  Value term = right.getIndices()[2];
  right.replaceAllUsesWith(
      tensor::ExtractOp::create(
          atRead, right.getLoc(), panel.getResult(0),
          ValueRange{map.bodyBlock()->getArgument(0), zero, term, map.bodyBlock()->getArgument(2)})
          .getResult());
  right.erase();
  inner.setInsertionPointToEnd(body);
  YieldOp::create(inner, map.getLoc(), map.getResult(0));
  maker.erase();
}

} // namespace weft
