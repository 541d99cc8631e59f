//===- LineRounds.cpp - rounds of lines that cores share --------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/LineRounds.h"

#include "passes/ContractionLoops.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace weft {

namespace {

/// The maps and blocks of rounds of lines.
class Rounds {
public:
  Rounds(LineChain &chain, const LineSplit &split) : chain(chain), split(split) {}

  /// Lines from one to another, `width` a round; the others' are those of `init`.
  BlocksOp build(OpBuilder &builder, int64_t from, int64_t to, int64_t width, Value init);

private:
  Value buildStage(OpBuilder &builder, unsigned number, Value before, Value local);
  AffineMap placeOfResult() const;

  LineChain &chain;
  LineSplit split;
  SmallVector<Value> origin;
  int64_t width = 0;
};

/// Domain (line of the round, outer loop, middle, inner), result [line of the round, point]. Of
/// columns: domain (inner, outer loop, middle, line of the round), result [point, line of the
/// round].
Value Rounds::buildStage(OpBuilder &builder, unsigned number, Value before, Value local) {
  const Stage &stage = chain.stages[number];
  MapOp old = stage.map;
  MLIRContext *context = builder.getContext();
  auto [groups, within] = loopsOf(chain, stage);
  bool isBefore = number < split.crossing;
  // Parts of columns need not lie one behind the other: the points of a core then have one
  // distance.
  int64_t shared = split.isColumns ? split.rows : isBefore ? split.second : split.first;
  unsigned line = split.isColumns ? 3 : 0, part = split.isColumns ? 0 : 3;
  SmallVector<int64_t> lower(4, 0), upper(4);
  upper[line] = width;
  upper[1] = isBefore ? within : groups;
  upper[2] = (isBefore ? groups : within) / shared;
  upper[part] = shared;
  auto dim = [&](unsigned position) { return getAffineDimExpr(position, context); };
  AffineExpr divided = dim(2) * shared + dim(part);
  AffineExpr p = isBefore ? divided : dim(1), l = isBefore ? dim(1) : divided;

  SmallVector<AffineExpr> renamed(old.rank(), getAffineConstantExpr(0, context));
  renamed[chain.pre] = p;
  renamed[chain.pre + 1] = l;
  SmallVector<AffineMap> stores;
  for (unsigned n = 0; n < old.getStores().size(); ++n) {
    AffineExpr point = old.storeMap(n).getResult(chain.pre).replaceDims(renamed);
    SmallVector<AffineExpr> index{dim(line), point};
    if (split.isColumns)
      std::swap(index[0], index[1]);
    stores.push_back(AffineMap::get(4, 0, index, context));
  }
  auto oldType = cast<RankedTensorType>(old.getResult(0).getType());
  SmallVector<int64_t> shape{width, oldType.getDimSize(chain.pre)};
  if (split.isColumns)
    std::swap(shape[0], shape[1]);
  auto type = RankedTensorType::get(shape, oldType.getElementType());
  auto map = MapOp::create(builder, old.getLoc(), TypeRange{type}, lower, upper, ValueRange{},
                           builder.getAffineMapArrayAttr(stores), nullptr);
  Block *body = &map.getBody().emplaceBlock();
  Block *oldBody = old.bodyBlock();
  Location ofLine = oldBody->getArgument(split.line).getLoc();
  Location ofShared = oldBody->getArgument(chain.pre + (isBefore ? 0 : 1)).getLoc();
  Location ofOther = oldBody->getArgument(chain.pre + (isBefore ? 1 : 0)).getLoc();
  for (unsigned position = 0; position < 4; ++position)
    body->addArgument(builder.getIndexType(), position == line ? ofLine
                                              : position == 1  ? ofOther
                                                               : ofShared);

  OpBuilder inner = OpBuilder::atBlockBegin(body);
  IRMapping mapping;
  auto index = [&](Location loc, AffineExpr expr, ValueRange values) -> Value {
    return affine::AffineApplyOp::create(inner, loc, AffineMap::get(values.size(), 0, expr),
                                         values);
  };
  Value ofRound = body->getArgument(line);
  for (unsigned other = 0; other < chain.lineDims(); ++other)
    mapping.map(chain.lineArgument(stage, other),
                other == split.line ? index(ofLine, dim(0) + dim(1), {origin[other], ofRound})
                                    : origin[other]);
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
    read.getIndicesMutable().assign(split.isColumns ? ValueRange{point, ofRound}
                                                    : ValueRange{ofRound, point});
  }
  return map.getResult(0);
}

/// From origins and the index of a stage's result to the chain's result.
AffineMap Rounds::placeOfResult() const {
  MLIRContext *context = chain.last().getContext();
  unsigned lines = chain.lineDims();
  AffineExpr ofRound = getAffineDimExpr(split.isColumns ? lines + 1 : lines, context);
  SmallVector<AffineExpr> place;
  for (unsigned line = 0; line < lines; ++line) {
    AffineExpr at = getAffineDimExpr(line, context);
    place.push_back(line == split.line ? at + ofRound : at);
  }
  AffineExpr point = getAffineDimExpr(split.isColumns ? lines : lines + 1, context);
  place.insert(place.begin() + chain.pre, point);
  return AffineMap::get(lines + 2, 0, place, context);
}

BlocksOp Rounds::build(OpBuilder &builder, int64_t from, int64_t to, int64_t lines, Value init) {
  MapOp last = chain.last();
  width = lines;
  SmallVector<int64_t> lower(chain.lineDims(), 0), upper(chain.extents);
  SmallVector<int64_t> steps(chain.lineDims(), 1);
  lower[split.line] = from;
  upper[split.line] = to;
  steps[split.line] = width;
  auto blocks = BlocksOp::create(builder, last.getLoc(), last->getResultTypes(), lower, upper,
                                 steps, init ? ValueRange{init} : ValueRange{},
                                 builder.getAffineMapArrayAttr({placeOfResult()}));
  blocks->setAttr(inTurnMark, builder.getUnitAttr());
  Block *body = &blocks.getBody().emplaceBlock();
  origin.clear();
  for (unsigned line = 0; line < chain.lineDims(); ++line)
    origin.push_back(body->addArgument(builder.getIndexType(),
                                       chain.lineArgument(chain.stages.back(), line).getLoc()));
  OpBuilder inner = OpBuilder::atBlockEnd(body);
  Value before, local;
  for (unsigned number = 0; number < chain.stages.size(); ++number) {
    local = buildStage(inner, number, before, local);
    MapOp old = chain.stages[number].map;
    before = old.getResult(0);
  }
  YieldOp::create(inner, last.getLoc(), local);
  return blocks;
}

} // namespace

BlocksOp buildRounds(OpBuilder &builder, LineChain &chain, const LineSplit &split, int64_t from,
                     int64_t to, int64_t width, Value init) {
  return Rounds(chain, split).build(builder, from, to, width, init);
}

} // namespace weft
