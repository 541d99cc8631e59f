//===- ColumnBlocks.cpp - the columns' factor, made where it is used ------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/contractions/ColumnBlocks.h"

#include "passes/contractions/CutMaps.h"
#include "passes/loops/TurnLoops.h"
#include "passes/transforms/WinogradMaps.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace weft {

std::optional<Grouping> panelsInBlocks(Value factor, int64_t batch, int64_t rows, int64_t columns,
                                       int64_t terms, const PanelLimits &limits) {
  auto maker = factor.getDefiningOp<MapOp>();
  if (!maker || !maker->hasAttr(codeletMark) || !maker.getInits().empty())
    return std::nullopt;
  return groupingInBlocks(batch, rows, columns, terms, limits);
}

std::optional<Grouping> groupingInBlocks(int64_t batch, int64_t rows, int64_t columns,
                                         int64_t terms, const PanelLimits &limits) {
  int64_t bytes = batch * terms * limits.elementBytes;
  if (bytes * columns <= limits.l2Bytes)
    return std::nullopt;
  std::optional<Grouping> best;
  // One panel is no block.
  for (int64_t vectors = 1; vectors * limits.lanes < columns; ++vectors) {
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

/// A panel of columns from `origin` on. Batches lie a power of two of bytes apart where
/// terms are so many; one unused term keeps them out of each other's places in the cache.
MapOp panelOf(OpBuilder &builder, MapOp maker, unsigned column, int64_t width, Value origin,
              int64_t wayBytes) {
  auto type = cast<RankedTensorType>(maker.getResult(0).getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[1] = 1;
  int64_t bytes = shape[2] * width * type.getElementTypeBitWidth() / 8;
  Value init;
  if (bytes % wayBytes == 0) {
    ++shape[2];
    init = tensor::EmptyOp::create(builder, maker.getLoc(), shape, type.getElementType());
  }
  SmallVector<AffineMap> stores;
  for (unsigned n = 0; n < maker.getStores().size(); ++n) {
    AffineMap store = maker.storeMap(n);
    stores.push_back(AffineMap::get(store.getNumDims(), 0,
                                    {store.getResult(0), builder.getAffineConstantExpr(0),
                                     store.getResult(2), builder.getAffineDimExpr(column)},
                                    builder.getContext()));
  }
  MapOp map = cutMap(builder, maker, {{column, width, origin}}, shape, stores, init);
  map->setAttr(codeletMark, builder.getUnitAttr());
  return map;
}

/// The copy behind a tensor that nothing reads but `maker` and a part of it, `panel`.
MapOp copyBehind(Value tensor, MapOp maker, MapOp panel) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!llvm::all_of(tensor.getUsers(), [&](Operation *user) {
        return maker->isAncestor(user) || panel->isAncestor(user);
      }))
    return {};
  if (auto reshape = tensor.getDefiningOp<ReshapeOp>()) {
    tensor = reshape.getInput();
    if (!tensor.hasOneUse())
      return {};
  }
  auto copy = tensor.getDefiningOp<MapOp>();
  if (!copy || copy->getNumResults() != 1 || !copy.getInits().empty() ||
      copy.yielded().size() != 1 || !copy.storeMap(0).isIdentity() ||
      !copy.yielded().front().getDefiningOp<tensor::ExtractOp>() ||
      copy.getUpper().back() != type.getShape().back())
    return {};
  return copy;
}

/// Lets a panel's maker read copies of its own columns only, made before it.
void cutCopies(MapOp panel, MapOp maker, unsigned column, int64_t width, Value origin) {
  llvm::MapVector<Value, SmallVector<tensor::ExtractOp>> reads;
  panel.getBody().walk([&](tensor::ExtractOp read) { reads[read.getTensor()].push_back(read); });
  Value own = panel.bodyBlock()->getArgument(column);
  auto isColumn = [&](Value index) {
    auto apply = index.getDefiningOp<affine::AffineApplyOp>();
    return apply && apply.getMapOperands().size() == 2 && apply.getMapOperands()[0] == origin &&
           apply.getMapOperands()[1] == own &&
           apply.getAffineMap().getResult(0) ==
               getAffineDimExpr(0, apply.getContext()) + getAffineDimExpr(1, apply.getContext());
  };
  for (auto &[tensor, all] : reads) {
    MapOp copy = copyBehind(tensor, maker, panel);
    if (!copy || !llvm::all_of(all, [&](tensor::ExtractOp read) {
          return isColumn(read.getIndices().back());
        }))
      continue;
    OpBuilder builder(panel);
    SmallVector<int64_t> shape(copy.getUpper());
    shape.back() = width;
    MapOp part =
        cutMap(builder, copy, {{copy.rank() - 1, width, origin}}, shape, {copy.storeMap(0)});
    auto type = cast<RankedTensorType>(tensor.getType());
    SmallVector<int64_t> seen(type.getShape());
    seen.back() = width;
    Value local = part.getResult(0);
    if (seen != shape)
      local = ReshapeOp::create(builder, copy.getLoc(),
                                RankedTensorType::get(seen, type.getElementType()), local);
    for (tensor::ExtractOp read : all) {
      read.getTensorMutable().assign(local);
      read.getIndicesMutable()[read.getIndices().size() - 1].assign(own);
    }
  }
}

} // namespace

void joinColumnsMaker(MapOp map, int64_t wayBytes) {
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
  MapOp panel = panelOf(inner, maker, *column, width, from, wayBytes);
  cutCopies(panel, maker, *column, width, from);

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
  // With it whatever copied for it alone.
  SmallVector<Operation *> unused{maker};
  while (!unused.empty()) {
    Operation *op = unused.pop_back_val();
    llvm::SmallSetVector<Operation *, 4> sources;
    op->walk([&](Operation *within) {
      for (Value operand : within->getOperands())
        if (Operation *source = operand.getDefiningOp(); source && !op->isAncestor(source))
          sources.insert(source);
    });
    op->erase();
    for (Operation *source : sources)
      if (isa<MapOp, ReshapeOp>(source) && source->use_empty())
        unused.push_back(source);
  }
}

} // namespace weft
