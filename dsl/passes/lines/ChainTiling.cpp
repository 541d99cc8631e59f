//===- ChainTiling.cpp - a chain of stages over blocks of lines -------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/lines/ChainTiling.h"

#include "passes/Directives.h"
#include "passes/lines/PutChoice.h"
#include "passes/tensors/LoopOrder.h"
#include "passes/transforms/RealArithmetic.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace weft;

namespace {

/// The dimension of a stage's domain (p, l, ..), or of an edge's (k, ..), that lies along the line.
int64_t laneAlong(const Stage &stage) {
  if (stage.innerDomain == 1)
    return 0;
  MapOp map = stage.map;
  unsigned lines = map.rank() - stage.innerDomain;
  return map.getUpper()[lines + 1] == 1 ? 0 : 1;
}

class ChainTiling {
public:
  ChainTiling(LineChain &chain, const ChainPlan &plan, const AskedBlocks &asked,
              const std::optional<TransposedCopy> &put)
      : chain(chain), plan(plan), asked(asked), put(put) {}

  void run();

private:
  BlocksOp tile(OpBuilder &builder, int64_t from, int64_t to, int64_t width, Value init);
  Value buildStage(OpBuilder &builder, const Stage &stage, Value init);
  Value pack(OpBuilder &builder, tensor::ExtractOp read, const SmallVector<int> &lines);
  Value unpack(OpBuilder &builder, Value local, Location loc);
  bool needsPacking(const Stage &stage, tensor::ExtractOp read);
  bool keepsToOwnLines();
  bool isPutAlongLane() const;

  LineChain &chain;
  ChainPlan plan;
  const AskedBlocks &asked;
  const std::optional<TransposedCopy> &put;
  // State of the block being built.
  SmallVector<Value> origin;
  int64_t width = 0;
  DenseMap<Value, Value> locals; ///< results of the old chain, and what holds their block
  /// A slab of an outer tensor; one tensor may be read along different lines.
  struct Packed {
    Value tensor;
    SmallVector<int> lines;
    Value local;
  };
  SmallVector<Packed> packed;
};

/// A map from `lower` to `upper`, not yet filled; `init` may be null.
MapOp createMap(OpBuilder &builder, Location loc, ArrayRef<int64_t> lower, ArrayRef<int64_t> upper,
                RankedTensorType type, ArrayRef<AffineMap> stores, Value init) {
  auto map = MapOp::create(builder, loc, TypeRange{type}, lower, upper,
                           init ? ValueRange{init} : ValueRange{},
                           builder.getAffineMapArrayAttr(stores), nullptr);
  Block *body = new Block;
  map.getBody().push_back(body);
  for (size_t dim = 0; dim < upper.size(); ++dim)
    body->addArgument(builder.getIndexType(), loc);
  return map;
}

/// A map over `type`, not yet filled, that stores each point's value at its index.
MapOp createMap(OpBuilder &builder, Location loc, RankedTensorType type) {
  SmallVector<int64_t> lower(type.getRank(), 0);
  return createMap(builder, loc, lower, type.getShape(), type,
                   AffineMap::getMultiDimIdentityMap(type.getRank(), builder.getContext()), {});
}

bool ChainTiling::needsPacking(const Stage &stage, tensor::ExtractOp read) {
  if (!plan.packs || read.getTensor().getDefiningOp<TableOp>())
    return false;
  auto lines = linesRead(chain, stage, read);
  if (!lines || !llvm::is_contained(*lines, static_cast<int>(plan.lane)) ||
      llvm::count(*lines, -1) == 0)
    return false;
  auto stride = strideAlong(read.getTensor().getType(), read.getIndices(),
                            chain.lineArgument(stage, plan.lane));
  return stride != 1;
}

/// The slab of an outer tensor that the block's lines see, lane last.
Value ChainTiling::pack(OpBuilder &builder, tensor::ExtractOp read, const SmallVector<int> &lines) {
  for (const Packed &known : packed)
    if (known.tensor == read.getTensor() && known.lines == lines)
      return known.local;
  RankedTensorType outer = read.getTensor().getType();
  SmallVector<int64_t> shape;
  for (auto [dim, line] : llvm::enumerate(lines))
    if (line < 0)
      shape.push_back(outer.getDimSize(dim));
  shape.push_back(width);
  auto type = RankedTensorType::get(shape, outer.getElementType());
  MapOp map = createMap(builder, read.getLoc(), type);
  OpBuilder inner = OpBuilder::atBlockEnd(map.bodyBlock());
  SmallVector<Value> index;
  unsigned next = 0;
  for (int line : lines) {
    if (line < 0)
      index.push_back(map.bodyBlock()->getArgument(next++));
    else if (line == static_cast<int>(plan.lane))
      index.push_back(affine::AffineApplyOp::create(
          inner, read.getLoc(),
          AffineMap::get(2, 0, inner.getAffineDimExpr(0) + inner.getAffineDimExpr(1)),
          ValueRange{origin[line], map.bodyBlock()->getArguments().back()}));
    else
      index.push_back(origin[line]);
  }
  Value element = tensor::ExtractOp::create(inner, read.getLoc(), read.getTensor(), index);
  YieldOp::create(inner, read.getLoc(), element);
  packed.push_back({read.getTensor(), lines, map.getResult(0)});
  return map.getResult(0);
}

Value ChainTiling::unpack(OpBuilder &builder, Value local, Location loc) {
  MapOp map = createMap(builder, loc, cast<RankedTensorType>(local.getType()));
  OpBuilder inner = OpBuilder::atBlockEnd(map.bodyBlock());
  Value element = tensor::ExtractOp::create(inner, loc, local, map.bodyBlock()->getArguments());
  YieldOp::create(inner, loc, element);
  return map.getResult(0);
}

/// A stage on the block's lines: domain (inner..., lane), result [inner..., lane]. It reads what
/// earlier stages gave there, and goes on with `init`, if there is one.
Value ChainTiling::buildStage(OpBuilder &builder, const Stage &stage, Value init) {
  MapOp old = stage.map;
  MLIRContext *context = builder.getContext();
  unsigned inner = stage.innerDomain;

  SmallVector<int64_t> lower(old.getLower().slice(chain.pre, inner));
  SmallVector<int64_t> upper(old.getUpper().slice(chain.pre, inner));
  lower.push_back(0);
  upper.push_back(width);
  auto oldType = cast<RankedTensorType>(old.getResult(0).getType());
  SmallVector<int64_t> shape(oldType.getShape().slice(chain.pre, stage.innerResult));
  shape.push_back(width);

  SmallVector<AffineExpr> renumber(old.rank(), getAffineConstantExpr(0, context));
  for (unsigned dim = 0; dim < inner; ++dim)
    renumber[chain.pre + dim] = getAffineDimExpr(dim, context);
  SmallVector<AffineMap> stores;
  for (unsigned n = 0; n < old.getStores().size(); ++n) {
    AffineMap store = old.storeMap(n).replaceDimsAndSymbols(renumber, {}, inner + 1, 0);
    SmallVector<AffineExpr> results(store.getResults().slice(chain.pre, stage.innerResult));
    results.push_back(getAffineDimExpr(inner, context));
    stores.push_back(AffineMap::get(inner + 1, 0, results, context));
  }
  auto type = RankedTensorType::get(shape, oldType.getElementType());

  // Packing maps come first, so that they stand before the stage that reads them.
  DenseMap<Operation *, std::pair<Value, SmallVector<int>>> sources;
  old.getBody().walk([&](tensor::ExtractOp read) {
    if (Value local = locals.lookup(read.getTensor())) {
      sources[read] = {local, *linesRead(chain, stage, read)};
    } else if (needsPacking(stage, read)) {
      SmallVector<int> lines = *linesRead(chain, stage, read);
      sources[read] = {pack(builder, read, lines), lines};
    }
  });
  if (!init && !old.getInits().empty())
    init = tensor::EmptyOp::create(builder, old.getLoc(), shape, type.getElementType());
  MapOp map = createMap(builder, old.getLoc(), lower, upper, type, stores, init);
  if (plan.alongLines)
    map->setAttr(laneIndexMark, builder.getI64IntegerAttr(laneAlong(stage)));

  IRMapping mapping;
  OpBuilder body = OpBuilder::atBlockEnd(map.bodyBlock());
  Value laneArgument = map.bodyBlock()->getArguments().back();
  for (unsigned dim = 0; dim < inner; ++dim) {
    map.bodyBlock()->getArgument(dim).setLoc(
        old.bodyBlock()->getArgument(chain.pre + dim).getLoc());
    mapping.map(old.bodyBlock()->getArgument(chain.pre + dim), map.bodyBlock()->getArgument(dim));
  }
  for (unsigned line = 0; line < chain.lineDims(); ++line) {
    Value argument = chain.lineArgument(stage, line);
    if (line != plan.lane) {
      mapping.map(argument, origin[line]);
      continue;
    }
    laneArgument.setLoc(asked.innerName.empty() ? argument.getLoc()
                                                : named(argument.getLoc(), asked.innerName));
    mapping.map(argument,
                affine::AffineApplyOp::create(
                    body, argument.getLoc(),
                    AffineMap::get(2, 0, body.getAffineDimExpr(0) + body.getAffineDimExpr(1)),
                    ValueRange{origin[line], laneArgument})
                    .getResult());
  }
  for (Operation &op : *old.bodyBlock())
    body.clone(op, mapping);
  // Reads of what is local now: the inner indices and the lane.
  for (auto &[oldRead, source] : sources) {
    auto read = cast<tensor::ExtractOp>(
        mapping.lookup(cast<tensor::ExtractOp>(oldRead).getResult()).getDefiningOp());
    SmallVector<Value> index;
    for (auto [n, line] : llvm::enumerate(source.second))
      if (line < 0)
        index.push_back(read.getIndices()[n]);
    index.push_back(laneArgument);
    OpBuilder at(read);
    Value replacement = tensor::ExtractOp::create(at, read.getLoc(), source.first, index);
    read.replaceAllUsesWith(replacement);
    read.erase();
  }
  return map.getResult(0);
}

BlocksOp ChainTiling::tile(OpBuilder &builder, int64_t from, int64_t to, int64_t blockWidth,
                           Value init) {
  MLIRContext *context = builder.getContext();
  MapOp last = chain.last();
  unsigned lines = chain.lineDims(), innerResult = chain.stages.back().innerResult;
  width = blockWidth;
  locals.clear();
  packed.clear();

  SmallVector<int64_t> lower(lines, 0), upper(chain.extents), steps(lines, 1);
  lower[plan.lane] = from;
  upper[plan.lane] = to;
  steps[plan.lane] = width;
  SmallVector<AffineExpr> place;
  auto lineIndex = [&](unsigned line) {
    AffineExpr expr = getAffineDimExpr(line, context);
    return line == plan.lane ? expr + getAffineDimExpr(lines + innerResult, context) : expr;
  };
  for (unsigned line = 0; line < chain.pre; ++line)
    place.push_back(lineIndex(line));
  for (unsigned dim = 0; dim < innerResult; ++dim)
    place.push_back(getAffineDimExpr(lines + dim, context));
  for (unsigned line = chain.pre; line < lines; ++line)
    place.push_back(lineIndex(line));
  AffineMap placeMap = AffineMap::get(lines + innerResult + 1, 0, place, context);

  if (put)
    placeMap = put->placeOf(placeMap);
  MapOp result = put ? put->map : last;
  auto blocks = BlocksOp::create(builder, result.getLoc(), result->getResultTypes(), lower, upper,
                                 steps, init ? ValueRange{init} : ValueRange{},
                                 builder.getAffineMapArrayAttr({placeMap}));
  if (plan.alongLines)
    blocks->setAttr(alongLinesMark, builder.getUnitAttr());
  if (asked.shared)
    markDistributed(blocks, *asked.shared, asked.distribute);
  // Lines that are done again must be as they were.
  if (!plan.again && !put && keepsToOwnLines())
    blocks->setAttr("weft.own_lines", builder.getUnitAttr());
  Block *body = new Block;
  blocks.getBody().push_back(body);
  origin.clear();
  for (unsigned line = 0; line < lines; ++line) {
    Location where = chain.lineArgument(chain.stages.back(), line).getLoc();
    if (line == plan.lane && !asked.outerName.empty())
      where = named(where, asked.outerName);
    origin.push_back(body->addArgument(builder.getIndexType(), where));
  }
  OpBuilder inner = OpBuilder::atBlockEnd(body);
  Value local;
  for (const Stage &stage : chain.stages) {
    local = buildStage(inner, stage, stage.goesOn ? local : Value());
    locals[MapOp(stage.map).getResult(0)] = local;
  }
  if ((plan.packs || put) && !isPutAlongLane())
    local = unpack(inner, local, last.getLoc());
  YieldOp::create(inner, last.getLoc(), local);
  return blocks;
}

/// Whether the copy behind the chain has the lines of a block side by side.
bool ChainTiling::isPutAlongLane() const { return put && lastLineOf(chain, *put) == plan.lane; }

/// Every read of a tensor of the result's type is at the block's own lines, so that
/// the result may overwrite it.
bool ChainTiling::keepsToOwnLines() {
  Type type = chain.last().getResult(0).getType();
  unsigned innerResult = chain.stages.back().innerResult;
  auto isOfChain = [&](Value tensor) {
    return llvm::any_of(chain.stages, [&](const Stage &stage) {
      MapOp map = stage.map;
      return tensor == map.getResult(0);
    });
  };
  for (const Stage &stage : chain.stages) {
    bool own = true;
    MapOp map = stage.map;
    map.getBody().walk([&](tensor::ExtractOp read) {
      if (isOfChain(read.getTensor()) || read.getTensor().getType() != type)
        return;
      auto lines = linesRead(chain, stage, read);
      if (!lines) {
        own = false;
        return;
      }
      for (auto [dim, line] : llvm::enumerate(*lines)) {
        int expected = dim < chain.pre                 ? static_cast<int>(dim)
                       : dim < chain.pre + innerResult ? -1
                                                       : static_cast<int>(dim - innerResult);
        own &= line == expected;
      }
    });
    if (!own)
      return false;
  }
  return true;
}

void ChainTiling::run() {
  if (chain.lineDims() == 0 || plan.turned) {
    // A line alone is no block: its stages stay in memory.
    for (const Stage &stage : chain.stages) {
      MapOp map = stage.map;
      int64_t lane =
          plan.turned ? chain.lineArgument(stage, plan.lane).getArgNumber() : laneAlong(stage);
      map->setAttr(laneIndexMark, OpBuilder(map).getI64IntegerAttr(lane));
      if (asked.shared)
        markDistributed(map, chain.lineArgument(stage, *asked.shared).getArgNumber(),
                        asked.distribute);
    }
    return;
  }
  MapOp last = chain.last();
  OpBuilder builder(put ? put->map : last);
  int64_t extent = chain.extents[plan.lane];
  int64_t whole = extent - plan.last;
  Value result = tile(builder, 0, whole > 0 ? whole : extent, whole > 0 ? plan.width : extent, {})
                     .getResult(0);
  if (whole > 0 && whole < extent) {
    // The first op leaves the last block's elements to the second.
    auto first = cast<BlocksOp>(result.getDefiningOp());
    auto type = cast<RankedTensorType>(result.getType());
    OpBuilder atFirst(first);
    Value empty =
        tensor::EmptyOp::create(atFirst, last.getLoc(), type.getShape(), type.getElementType());
    first.getInitsMutable().assign(empty);
    int64_t from = plan.again ? extent - plan.width : whole;
    result = tile(builder, from, extent, extent - from, result).getResult(0);
  }
  if (put) {
    MapOp copy = put->map;
    copy.getResult(0).replaceAllUsesWith(result);
    copy.erase();
  }
  last.getResult(0).replaceAllUsesWith(result);
  for (const Stage &stage : llvm::reverse(chain.stages)) {
    MapOp map = stage.map;
    SmallVector<Value> inits(map.getInits());
    map.erase();
    for (Value init : inits)
      if (auto empty = init.getDefiningOp<tensor::EmptyOp>(); empty && empty->use_empty())
        empty.erase();
  }
}

} // namespace

void weft::tileChain(LineChain &chain, const ChainPlan &plan, const AskedBlocks &asked,
                     const std::optional<TransposedCopy> &put) {
  ChainTiling(chain, plan, asked, put).run();
}
