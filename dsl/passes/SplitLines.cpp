//===- SplitLines.cpp - lines shared by the cores of a row ------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Of n = first * second points, the stages before the crossing combine points that lie `second`
// apart, those behind it points that lie `first` apart. So the loop over p of the former and the
// loop over l of the latter are written as two, the inner of which may be shared by the cores of a
// row: then only the crossing moves points between cores. A round is as many lines as the mesh has
// rows, or a few times as many; the arrays between its stages are small enough to stay with the
// cores (insert-exchanges).
//
//===-----------------------------------------------------------------------===//

#include "passes/SplitLines.h"

#include "passes/ContractionLoops.h"
#include "passes/FilledLines.h"
#include "passes/Notes.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace weft {

namespace {

constexpr Notes notes("tile-for-ldm");

/// Rounds that there are to be before a row takes more than a line at a time: rows of cores compute
/// while others have the memory, but for the first and the last round.
constexpr int64_t fewRounds = 8;

bool isButterfly(const LineChain &chain, const Stage &stage) {
  MapOp map = stage.map;
  if (stage.innerDomain != 2 || stage.innerResult != 1 || map.getStores().size() < 2)
    return false;
  auto [groups, within] = loopsOf(chain, stage);
  auto type = cast<RankedTensorType>(map.getResult(0).getType());
  return isa<ComplexType>(type.getElementType()) &&
         groups * within * static_cast<int64_t>(map.getStores().size()) ==
             type.getDimSize(chain.pre);
}

/// Where the stages are crossed: as early as each core of a row can have as many points as the
/// others, in whole messages, on both sides; the runs that come from memory are longest then.
bool findCrossing(const LineChain &chain, LineSplit &split, int64_t perMessage) {
  int64_t length = split.points * split.columns;
  for (unsigned crossing = 1; crossing < chain.stages.size(); ++crossing) {
    auto [groups, within] = loopsOf(chain, chain.stages[crossing]);
    split.crossing = crossing;
    split.first = within;
    split.second = length / within;
    if (split.first % (split.columns * perMessage) != 0 || split.second % split.columns != 0)
      continue;
    // The loops of all stages are then multiples of what is shared.
    bool all = true;
    for (auto [number, stage] : llvm::enumerate(chain.stages)) {
      StageLoops loops = loopsOf(chain, stage);
      all &= number < crossing ? loops.groups % split.second == 0 : loops.within % within == 0;
    }
    if (all)
      return true;
  }
  return false;
}

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

/// Domain (line of the round, outer loop, middle, inner), result [line of the round, point].
Value Rounds::buildStage(OpBuilder &builder, unsigned number, Value before, Value local) {
  const Stage &stage = chain.stages[number];
  MapOp old = stage.map;
  MLIRContext *context = builder.getContext();
  auto [groups, within] = loopsOf(chain, stage);
  bool isBefore = number < split.crossing;
  int64_t shared = isBefore ? split.second : split.first;
  SmallVector<int64_t> lower(4, 0);
  SmallVector<int64_t> upper{width, isBefore ? within : groups,
                             (isBefore ? groups : within) / shared, shared};
  auto dim = [&](unsigned position) { return getAffineDimExpr(position, context); };
  AffineExpr divided = dim(2) * shared + dim(3);
  AffineExpr p = isBefore ? divided : dim(1), l = isBefore ? dim(1) : divided;

  SmallVector<AffineExpr> renamed(old.rank(), getAffineConstantExpr(0, context));
  renamed[chain.pre] = p;
  renamed[chain.pre + 1] = l;
  SmallVector<AffineMap> stores;
  for (unsigned n = 0; n < old.getStores().size(); ++n) {
    AffineExpr point = old.storeMap(n).getResult(chain.pre).replaceDims(renamed);
    stores.push_back(AffineMap::get(4, 0, {dim(0), point}, context));
  }
  auto oldType = cast<RankedTensorType>(old.getResult(0).getType());
  auto type =
      RankedTensorType::get({width, oldType.getDimSize(chain.pre)}, oldType.getElementType());
  auto map = MapOp::create(builder, old.getLoc(), TypeRange{type}, lower, upper, ValueRange{},
                           builder.getAffineMapArrayAttr(stores), nullptr);
  Block *body = &map.getBody().emplaceBlock();
  Block *oldBody = old.bodyBlock();
  Location ofLine = oldBody->getArgument(split.line).getLoc();
  Location ofShared = oldBody->getArgument(chain.pre + (isBefore ? 0 : 1)).getLoc();
  Location ofOther = oldBody->getArgument(chain.pre + (isBefore ? 1 : 0)).getLoc();
  for (Location loc : {ofLine, ofOther, ofShared, ofShared})
    body->addArgument(builder.getIndexType(), loc);

  OpBuilder inner = OpBuilder::atBlockBegin(body);
  IRMapping mapping;
  auto index = [&](Location loc, AffineExpr expr, ValueRange values) -> Value {
    return affine::AffineApplyOp::create(inner, loc, AffineMap::get(values.size(), 0, expr),
                                         values);
  };
  for (unsigned line = 0; line < chain.lineDims(); ++line)
    mapping.map(chain.lineArgument(stage, line),
                line == split.line
                    ? index(ofLine, dim(0) + dim(1), {origin[line], body->getArgument(0)})
                    : origin[line]);
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
    read.getIndicesMutable().assign(ValueRange{body->getArgument(0), point});
  }
  return map.getResult(0);
}

/// From origins, line of the round and point to the chain's result.
AffineMap Rounds::placeOfResult() const {
  MLIRContext *context = chain.last().getContext();
  unsigned lines = chain.lineDims();
  SmallVector<AffineExpr> place;
  for (unsigned line = 0; line < lines; ++line) {
    AffineExpr at = getAffineDimExpr(line, context);
    place.push_back(line == split.line ? at + getAffineDimExpr(lines, context) : at);
  }
  place.push_back(getAffineDimExpr(lines + 1, context));
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

int64_t roundsOf(const LineChain &chain, const LineSplit &split) {
  int64_t rounds = chain.extents[split.line] / (split.rows * split.each);
  for (unsigned line = 0; line < chain.lineDims(); ++line)
    rounds *= line == split.line ? 1 : chain.extents[line];
  return rounds;
}

/// The split of a chain's lines; nothing, and `why`, where there is none.
std::optional<LineSplit> splitOf(const LineChain &chain, const MeshRoom &room, std::string &why) {
  auto refuse = [&](std::string reason) {
    why = std::move(reason);
    return std::nullopt;
  };
  if (chain.stages.size() < 2 || chain.post != 0 || chain.pre == 0 ||
      !llvm::all_of(chain.stages, [&](const Stage &stage) { return isButterfly(chain, stage); }))
    return refuse("cores share only lines of points side by side, and stages of butterflies");
  LineSplit split;
  split.rows = room.rows;
  split.columns = room.columns;
  for (unsigned line = 0; line < chain.lineDims(); ++line) {
    bool divides = chain.extents[line] % split.rows == 0;
    bool divided = chain.extents[split.line] % split.rows == 0;
    if (divides || (!divided && chain.extents[line] > chain.extents[split.line]))
      split.line = line;
  }
  if (chain.extents[split.line] < split.rows)
    return refuse(llvm::formatv("there are {0} lines, and {1} rows of cores",
                                chain.extents[split.line], split.rows));
  auto type = cast<RankedTensorType>(chain.last()->getResult(0).getType());
  int64_t length = type.getDimSize(chain.pre);
  int64_t pointBytes =
      2 * cast<ComplexType>(type.getElementType()).getElementType().getIntOrFloatBitWidth() / 8;
  split.points = length / split.columns;
  if (length % split.columns != 0 || !findCrossing(chain, split, room.points))
    if (!fillLines(chain, split, length, room.points, why))
      return std::nullopt;
  split.bytes = 2 * split.points * pointBytes; // what an exchange gives away, and what it brings
  if (split.bytes > room.bytes)
    return refuse(llvm::formatv("its part with each of {0} cores takes {1} bytes before and "
                                "behind an exchange, and they have {2} for it",
                                split.columns, split.bytes, room.bytes));
  while (2 * split.each * split.bytes <= room.bytes && roundsOf(chain, split) >= 2 * fewRounds &&
         2 * split.each * split.rows <= chain.extents[split.line])
    split.each *= 2;
  return split;
}

void splitLines(LineChain &chain, const LineSplit &split) {
  MapOp last = chain.last();
  OpBuilder builder(last);
  int64_t extent = chain.extents[split.line], width = split.rows * split.each;
  int64_t whole = extent - extent % width;
  auto build = [&](int64_t from, int64_t to, int64_t lines, Value init) -> Value {
    BlocksOp blocks = split.isFilled()
                          ? buildFilledRounds(builder, chain, split, from, to, lines, init)
                          : Rounds(chain, split).build(builder, from, to, lines, init);
    return blocks.getResult(0);
  };
  Value init;
  if (whole < extent) {
    auto type = cast<RankedTensorType>(last.getResult(0).getType());
    init = tensor::EmptyOp::create(builder, last.getLoc(), type.getShape(), type.getElementType());
  }
  Value result = build(0, whole, width, init);
  if (whole < extent) {
    // What is left of rows is computed with lines that are there already: they come out the same.
    int64_t rest = llvm::alignTo(extent - whole, split.rows);
    result = build(extent - rest, extent, split.rows, result);
  }
  last.getResult(0).replaceAllUsesWith(result);
  for (const Stage &stage : llvm::reverse(chain.stages)) {
    MapOp map = stage.map;
    map.erase();
  }
}

} // namespace

void shareLines(LineChain &chain, std::optional<MeshRoom> room, StringRef tooLong) {
  MapOp last = chain.last();
  std::string name = Notes::wanted(last.getLoc()) ? spoken(last) : std::string();
  std::string why;
  std::optional<LineSplit> split = room ? splitOf(chain, *room, why) : std::nullopt;
  if (!split) {
    notes.rejected(last, "{0}: its stages ({1}) over blocks of lines", name, chain.stages.size())
        .because("{0}{1}{2}", tooLong.str(), why.empty() ? "" : "; ", why);
    return;
  }
  std::string filled;
  if (split->isFilled())
    filled = llvm::formatv("; its {0} rows of {1} are filled up to {2} of {3}, its {1} of {0} to "
                           "{4} of {5}",
                           split->first, split->second, split->filledFirst.rows,
                           split->filledSecond.columns, split->filledSecond.rows,
                           split->filledFirst.columns);
  notes
      .decided(last, "{0}: each of its lines by the {1} cores of a row, {2} at a time", name,
               split->columns, split->rows * split->each)
      .because("{0}; they exchange their parts of {1} points, of {2} bytes with what they get, "
               "behind stage {3}; in {4} rounds, {5} lines a row{6}",
               tooLong.str(), split->points, split->bytes, split->crossing, roundsOf(chain, *split),
               split->each, filled)
      .number("points", split->points)
      .number("bytes", split->bytes)
      .number("lines", split->each);
  splitLines(chain, *split);
}

} // namespace weft
