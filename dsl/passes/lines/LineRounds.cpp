//===- LineRounds.cpp - rounds of lines that cores share --------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/lines/LineRounds.h"

#include "passes/lines/JoinedRounds.h"
#include "passes/loops/TurnLoops.h"
#include "passes/lowering/ContractionLoops.h"
#include "passes/lowering/Overwriting.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace weft {

namespace {

/// The place of a column's element among those of a round: where its point is, and what of the
/// domain (over or a part of the points, outer loop, middle, line of the round) counts columns.
template <typename Index>
SmallVector<Index> placeOf(const LineSplit &split, Index point, Index first, Index last) {
  if (split.over)
    return {point, first, last};
  return {point, last};
}

/// The maps and blocks of rounds of lines.
class Rounds {
public:
  Rounds(LineChain &chain, const LineSplit &split) : chain(chain), split(split) {}

  /// Lines from one to another, `width` a round; the others' are those of `inits`.
  BlocksOp build(OpBuilder &builder, int64_t from, int64_t to, int64_t width, ValueRange inits);

private:
  Value buildStage(OpBuilder &builder, unsigned number, Value before, Value local);
  MapOp makeColumns(OpBuilder &builder, MapOp stage);
  AffineMap placeOfResult() const;

  LineChain &chain;
  LineSplit split;
  SmallVector<Value> origin;
  int64_t width = 0;
};

/// The place of a column's point in a stage's result; `point` is an index in its body.
AffineMap placeIn(MapOp stage, const LineSplit &split, Value point) {
  AffineMap map = AffineMap::getMultiDimIdentityMap(1, stage.getContext());
  SmallVector<Value> operands{point};
  affine::fullyComposeAffineMapAndOperands(&map, &operands);
  SmallVector<AffineExpr> dims;
  for (Value operand : operands)
    dims.push_back(getAffineDimExpr(cast<BlockArgument>(operand).getArgNumber(), map.getContext()));
  AffineExpr place = map.getResult(0).replaceDimsAndSymbols(
      ArrayRef(dims).take_front(map.getNumDims()), ArrayRef(dims).drop_front(map.getNumDims()));
  auto dim = [&](unsigned position) { return getAffineDimExpr(position, map.getContext()); };
  return AffineMap::get(stage.rank(), 0, placeOf(split, place, dim(0), dim(stage.rank() - 1)),
                        map.getContext());
}

/// Domain (line of the round, outer loop, middle, inner), result [line of the round, point]. Of
/// columns: domain (inner, outer loop, middle, line of the round), result [point, line of the
/// round]; of whole columns: domain (over, outer loop, middle, line of the round), result [point,
/// over, line of the round].
Value Rounds::buildStage(OpBuilder &builder, unsigned number, Value before, Value local) {
  const Stage &stage = chain.stages[number];
  MapOp old = stage.map;
  MLIRContext *context = builder.getContext();
  auto [groups, within] = loopsOf(chain, stage);
  bool isBefore = number < split.crossing;
  // Parts of columns need not lie one behind the other: the points of a core then have one
  // distance.
  int64_t shared = split.isColumns ? split.sharing() : isBefore ? split.second : split.first;
  unsigned line = split.isColumns ? 3 : 0, part = split.isColumns ? 0 : 3;
  SmallVector<int64_t> lower(4, 0), upper(4);
  upper[line] = width;
  upper[1] = isBefore ? within : groups;
  upper[2] = (isBefore ? groups : within) / shared;
  upper[part] = split.over ? split.widthOver() : shared;
  auto dim = [&](unsigned position) { return getAffineDimExpr(position, context); };
  AffineExpr divided = split.over ? dim(2) : dim(2) * shared + dim(part);
  AffineExpr p = isBefore ? divided : dim(1), l = isBefore ? dim(1) : divided;

  SmallVector<AffineExpr> renamed(old.rank(), getAffineConstantExpr(0, context));
  renamed[chain.pre] = p;
  renamed[chain.pre + 1] = l;
  SmallVector<AffineMap> stores;
  for (unsigned n = 0; n < old.getStores().size(); ++n) {
    AffineExpr point = old.storeMap(n).getResult(chain.pre).replaceDims(renamed);
    SmallVector<AffineExpr> index{dim(line), point};
    if (split.isColumns)
      index = placeOf(split, point, dim(part), dim(line));
    stores.push_back(AffineMap::get(4, 0, index, context));
  }
  auto oldType = cast<RankedTensorType>(old.getResult(0).getType());
  SmallVector<int64_t> shape{width, oldType.getDimSize(chain.pre)};
  if (split.isColumns)
    shape = placeOf(split, shape[1], upper[part], width);
  auto type = RankedTensorType::get(shape, oldType.getElementType());
  auto map = MapOp::create(builder, old.getLoc(), TypeRange{type}, lower, upper, ValueRange{},
                           builder.getAffineMapArrayAttr(stores), nullptr);
  Block *body = &map.getBody().emplaceBlock();
  Block *oldBody = old.bodyBlock();
  Location ofLine = chain.lineArgument(stage, split.line).getLoc();
  Location ofOver = chain.lineArgument(stage, split.over.value_or(split.line)).getLoc();
  Location ofShared = oldBody->getArgument(chain.pre + (isBefore ? 0 : 1)).getLoc();
  Location ofOther = oldBody->getArgument(chain.pre + (isBefore ? 1 : 0)).getLoc();
  for (unsigned position = 0; position < 4; ++position)
    body->addArgument(builder.getIndexType(), position == line                 ? ofLine
                                              : position == 1                  ? ofOther
                                              : split.over && position == part ? ofOver
                                                                               : ofShared);

  OpBuilder inner = OpBuilder::atBlockBegin(body);
  IRMapping mapping;
  auto index = [&](Location loc, AffineExpr expr, ValueRange values) -> Value {
    return affine::AffineApplyOp::create(inner, loc, AffineMap::get(values.size(), 0, expr),
                                         values);
  };
  Value ofRound = body->getArgument(line), first = body->getArgument(part);
  for (unsigned other = 0; other < chain.lineDims(); ++other) {
    BlockArgument argument = chain.lineArgument(stage, other);
    Value own = other == split.line ? ofRound : other == split.over ? first : Value();
    mapping.map(argument, own ? index(argument.getLoc(), dim(0) + dim(1), {origin[other], own})
                              : origin[other]);
  }
  for (auto [position, expr] : llvm::enumerate(SmallVector<AffineExpr>{p, l})) {
    BlockArgument argument = oldBody->getArgument(chain.pre + position);
    mapping.map(argument, index(argument.getLoc(), expr, body->getArguments()));
  }
  for (Operation &op : *oldBody)
    inner.clone(op, mapping);
  SmallVector<tensor::ExtractOp> reads;
  map.getBody().walk([&](tensor::ExtractOp read) {
    if (before && read.getTensor() == before)
      reads.push_back(read);
  });
  for (tensor::ExtractOp read : reads) {
    Value point = read.getIndices()[chain.pre];
    read.getTensorMutable().assign(local);
    SmallVector<Value> place{ofRound, point};
    if (split.isColumns)
      place = placeOf(split, point, first, ofRound);
    read.getIndicesMutable().assign(place);
  }
  return map.getResult(0);
}

/// A first stage that does the maker's work at the points that it reads, and gives them as a
/// second result.
MapOp Rounds::makeColumns(OpBuilder &builder, MapOp stage) {
  MapOp maker = split.maker;
  auto terminator = cast<YieldOp>(stage.bodyBlock()->getTerminator());
  SmallVector<Value> yielded(terminator.getOperands());
  SmallVector<AffineMap> stores;
  for (unsigned n = 0; n < stage.getStores().size(); ++n)
    stores.push_back(stage.storeMap(n));
  SmallVector<int64_t> into(stores.size(), 0);
  for (auto read : llvm::to_vector(stage.bodyBlock()->getOps<tensor::ExtractOp>())) {
    if (read.getTensor() != maker.getResult(0))
      continue;
    OpBuilder here(read);
    IRMapping mapping;
    mapping.map(maker.bodyBlock()->getArguments(), read.getIndices());
    for (Operation &op : maker.bodyBlock()->without_terminator())
      here.clone(op, mapping);
    Value made = mapping.lookup(maker.yielded().front());
    read.replaceAllUsesWith(made);
    yielded.push_back(made);
    stores.push_back(placeIn(stage, split, read.getIndices()[chain.pre]));
    into.push_back(1);
    read.erase();
  }
  auto map =
      MapOp::create(builder, stage.getLoc(),
                    TypeRange{stage.getResult(0).getType(), stage.getResult(0).getType()},
                    stage.getLower(), stage.getUpper(), ValueRange{},
                    builder.getAffineMapArrayAttr(stores), builder.getDenseI64ArrayAttr(into));
  map.getBody().takeBody(stage.getBody());
  terminator->setOperands(yielded);
  stage.erase();
  return map;
}

/// Whether a map reads arrays that its result could overwrite at its own elements alone.
bool makesOwnElements(MapOp maker) {
  auto result = cast<OpResult>(maker.getResult(0));
  return llvm::all_of(maker.bodyBlock()->getOps<tensor::ExtractOp>(), [&](tensor::ExtractOp read) {
    return read.getTensor().getType() != result.getType() ||
           readsOnlyOwnElements(maker, result, read.getTensor());
  });
}

/// From origins and the index of a stage's result to the chain's result.
AffineMap Rounds::placeOfResult() const {
  MLIRContext *context = chain.last().getContext();
  unsigned lines = chain.lineDims();
  unsigned rank = lines + (split.over ? 3 : 2);
  AffineExpr ofRound = getAffineDimExpr(split.isColumns ? rank - 1 : lines, context);
  SmallVector<AffineExpr> place;
  for (unsigned line = 0; line < lines; ++line) {
    AffineExpr at = getAffineDimExpr(line, context);
    place.push_back(line == split.line   ? at + ofRound
                    : line == split.over ? at + getAffineDimExpr(lines + 1, context)
                                         : at);
  }
  AffineExpr point = getAffineDimExpr(split.isColumns ? lines : lines + 1, context);
  place.insert(place.begin() + chain.pre, point);
  return AffineMap::get(rank, 0, place, context);
}

BlocksOp Rounds::build(OpBuilder &builder, int64_t from, int64_t to, int64_t lines,
                       ValueRange inits) {
  MapOp last = chain.last();
  width = lines;
  SmallVector<int64_t> lower(chain.lineDims(), 0), upper(chain.extents);
  SmallVector<int64_t> steps(chain.lineDims(), 1);
  lower[split.line] = from;
  upper[split.line] = to;
  steps[split.line] = width;
  if (split.over)
    steps[*split.over] = split.widthOver();
  SmallVector<Type> types(split.maker ? 2 : 1, last.getResult(0).getType());
  SmallVector<AffineMap> places(types.size(), placeOfResult());
  auto blocks = BlocksOp::create(builder, last.getLoc(), types, lower, upper, steps, inits,
                                 builder.getAffineMapArrayAttr(places));
  blocks->setAttr(inTurnMark, builder.getUnitAttr());
  if (split.isPart)
    blocks->setAttr(sharingMark, builder.getI64IntegerAttr(split.columns));
  if (split.over)
    blocks->setAttr(planesMark, builder.getUnitAttr());
  if (split.maker && makesOwnElements(split.maker))
    blocks->setAttr(ownElementsMark, builder.getI64IntegerAttr(1));
  Block *body = &blocks.getBody().emplaceBlock();
  origin.clear();
  for (unsigned line = 0; line < chain.lineDims(); ++line)
    origin.push_back(body->addArgument(builder.getIndexType(),
                                       chain.lineArgument(chain.stages.back(), line).getLoc()));
  OpBuilder inner = OpBuilder::atBlockEnd(body);
  Value before, local, made;
  for (unsigned number = 0; number < chain.stages.size(); ++number) {
    local = buildStage(inner, number, before, local);
    if (number == 0 && split.maker) {
      MapOp both = makeColumns(inner, local.getDefiningOp<MapOp>());
      local = both.getResult(0);
      made = both.getResult(1);
    }
    MapOp old = chain.stages[number].map;
    before = old.getResult(0);
  }
  SmallVector<Value> yielded{local};
  if (made)
    yielded.push_back(made);
  YieldOp::create(inner, last.getLoc(), yielded);
  return blocks;
}

} // namespace

BlocksOp buildRounds(OpBuilder &builder, LineChain &chain, const LineSplit &split, int64_t from,
                     int64_t to, int64_t width, ValueRange inits) {
  return Rounds(chain, split).build(builder, from, to, width, inits);
}

} // namespace weft
