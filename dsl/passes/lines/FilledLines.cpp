//===- FilledLines.cpp - shared lines that are filled up --------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// A line of first * second points is a matrix of `first` rows. Each core of a row of the mesh has
// some columns of it before the crossing, and some rows behind it. Where these numbers are no
// multiples of the cores, the arrays between stages have more rows and columns than the line, and
// the loops that are shared go over them, too: what is computed there is no point of the line and
// mixes with none. Only lines come from memory, and only they go there: copies between lines and
// filled arrays stand before the first stage and behind the last. Tables are filled up like arrays.
//
// The maps say which of their loops go over the mesh (`weft.shared_dims`): an array that one nest
// has in columns and the next in rows is exchanged between them (insert-exchanges).
//
//===-----------------------------------------------------------------------===//

#include "passes/lines/FilledLines.h"

#include "passes/loops/TurnLoops.h"
#include "passes/lowering/ContractionLoops.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace weft {

namespace {

/// An index as a sum over a stage's p and l (dims 0 and 1), or nothing where it is none.
std::optional<AffineExpr> linearIndex(Value index, Value p, Value l) {
  MLIRContext *context = index.getContext();
  if (std::optional<int64_t> constant = getConstantIntValue(index))
    return getAffineConstantExpr(*constant, context);
  AffineMap map = AffineMap::getMultiDimIdentityMap(1, context);
  SmallVector<Value> operands{index};
  affine::fullyComposeAffineMapAndOperands(&map, &operands);
  SmallVector<AffineExpr> dims;
  for (Value operand : operands) {
    if (operand != p && operand != l)
      return std::nullopt;
    dims.push_back(getAffineDimExpr(operand == p ? 0 : 1, context));
  }
  AffineExpr expr = map.getResult(0).replaceDimsAndSymbols(
      ArrayRef(dims).take_front(map.getNumDims()), ArrayRef(dims).drop_front(map.getNumDims()));
  return expr.isPureAffine() ? std::optional(expr) : std::nullopt;
}

/// A stage of a filled chain: its domain is line of the round, the loop that is not shared, and two
/// for the one that is, the inner of which goes over the columns of the mesh.
struct FilledStage {
  FilledStage(const LineChain &chain, const LineSplit &split, unsigned number)
      : map(chain.stages[number].map), isBefore(number < split.crossing) {
    auto [groups, within] = loopsOf(chain, chain.stages[number]);
    shared = isBefore ? split.second : split.first;
    filled = isBefore ? split.filledSecond.columns : split.filledFirst.columns;
    extents = {1, isBefore ? within : groups, (isBefore ? groups : within) / shared, shared};
    Block *body = map.bodyBlock();
    p = body->getArgument(chain.pre);
    l = body->getArgument(chain.pre + 1);
  }

  MapOp map;
  bool isBefore;
  int64_t shared = 0, filled = 0; ///< iterations over the columns of the mesh
  SmallVector<int64_t> extents;   ///< of the domain, for a line, not filled up
  BlockArgument p, l;

  AffineExpr dim(unsigned position) const { return getAffineDimExpr(position, p.getContext()); }
  /// Of p and l in the domain.
  SmallVector<AffineExpr> loops(int64_t pitch) const {
    AffineExpr both = dim(2) * pitch + dim(3);
    return isBefore ? SmallVector<AffineExpr>{both, dim(1)} : SmallVector<AffineExpr>{dim(1), both};
  }

  /// A point, given by p and l, as digits of the domain's indices, `units` apart; nothing where
  /// they carry.
  std::optional<SmallVector<AffineExpr>> digits(AffineExpr point, ArrayRef<int64_t> units) const {
    SmallVector<int64_t> flat;
    if (failed(mlir::getFlattenedAffineExpr(point.replaceDims(loops(shared)), 4, 0, &flat)) ||
        flat.size() != 5)
      return std::nullopt;
    SmallVector<AffineExpr> result;
    for (auto [n, unit] : llvm::enumerate(units)) {
      AffineExpr digit = getAffineConstantExpr(0, point.getContext());
      int64_t most = 0;
      for (auto [position, factor] : llvm::enumerate(flat)) {
        if (factor < 0)
          return std::nullopt;
        int64_t times = factor / unit;
        factor %= unit;
        bool isDim = position < 4;
        if (isDim && extents[position] == 1)
          continue;
        digit = digit +
                (isDim ? dim(position) * times : getAffineConstantExpr(times, point.getContext()));
        most += times * (isDim ? extents[position] - 1 : 1);
      }
      if (n > 0 && most >= units[n - 1] / unit)
        return std::nullopt;
      result.push_back(digit);
    }
    return result;
  }
};

/// The array before a stage, or behind the last one: its shape for a line, and how far apart points
/// are that are next to each other along its dimensions.
struct FilledArray {
  SmallVector<int64_t> shape, units;
};

FilledArray arrayBefore(const LineChain &chain, const LineSplit &split, unsigned number) {
  int64_t first = split.first, second = split.second;
  if (number < split.crossing) {
    int64_t done = loopsOf(chain, chain.stages[number]).within;
    if (done == 1)
      return {{split.filledFirst.rows, split.filledSecond.columns}, {second, 1}};
    return {{first / done, split.filledSecond.columns, done}, {second * done, done, 1}};
  }
  int64_t rows = number == split.crossing        ? split.filledSecond.columns
                 : number == chain.stages.size() ? split.filledSecond.rows
                                                 : second;
  return {{rows, split.filledFirst.columns}, {first, 1}};
}

/// What a read of a filled chain is of.
enum class Source { Array, Lines, Table, Other };

/// Of a stage's read: lines in memory are read point by point, tables by p and l alone.
Source sourceOf(const LineChain &chain, const FilledStage &stage, unsigned number,
                tensor::ExtractOp read) {
  OperandRange indices = read.getIndices();
  Value tensor = read.getTensor();
  if (tensor.getDefiningOp<TableOp>()) {
    AffineExpr counted = stage.dim(stage.isBefore ? 0 : 1);
    for (Value index : indices) {
      auto linear = linearIndex(index, stage.p, stage.l);
      if (!linear || (*linear != counted && linear->isFunctionOfDim(stage.isBefore ? 0 : 1)))
        return Source::Other;
    }
    return Source::Table;
  }
  MapOp before = number == 0 ? MapOp() : chain.stages[number - 1].map;
  if ((before && tensor != before.getResult(0)) || indices.size() != chain.pre + 1)
    return Source::Other;
  for (unsigned line = 0; line < chain.pre; ++line)
    if (indices[line] != chain.lineArgument(chain.stages[number], line))
      return Source::Other;
  return before ? Source::Array : Source::Lines;
}

/// Whether all that a stage reads and stores has a place in filled arrays.
bool isFillable(const LineChain &chain, const LineSplit &split, unsigned number, Value &lines) {
  FilledStage stage(chain, split, number);
  auto [groups, within] = loopsOf(chain, chain.stages[number]);
  if ((stage.isBefore ? groups : within) % stage.shared != 0)
    return false;
  FilledArray from = arrayBefore(chain, split, number), to = arrayBefore(chain, split, number + 1);
  for (unsigned n = 0; n < stage.map.getStores().size(); ++n) {
    SmallVector<AffineExpr> renamed(stage.map.rank(), stage.dim(0) * 0);
    renamed[chain.pre] = stage.dim(0);
    renamed[chain.pre + 1] = stage.dim(1);
    AffineExpr point = stage.map.storeMap(n).getResult(chain.pre).replaceDims(renamed);
    if (!stage.digits(point, to.units))
      return false;
  }
  bool all = true;
  stage.map.getBody().walk([&](tensor::ExtractOp read) {
    Source source = sourceOf(chain, stage, number, read);
    if (source == Source::Lines && !lines)
      lines = read.getTensor();
    auto point = source == Source::Array || source == Source::Lines
                     ? linearIndex(read.getIndices()[chain.pre], stage.p, stage.l)
                     : std::nullopt;
    all &= source == Source::Table || (point && stage.digits(*point, from.units) &&
                                       (source == Source::Array || read.getTensor() == lines));
  });
  return all;
}

/// A table whose dimension `along` counts `outer` times `shared`, each filled up.
Value filledTable(OpBuilder &builder, TableOp table, ArrayRef<bool> along, int64_t shared,
                  int64_t filled) {
  auto value = cast<DenseElementsAttr>(table.getValue());
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  for (auto [dim, isAlong] : llvm::enumerate(along))
    if (isAlong)
      shape[dim] = shape[dim] / shared * filled;
  auto wider = RankedTensorType::get(shape, type.getElementType());
  ArrayRef<char> old = value.getRawData();
  if (value.isSplat())
    return TableOp::create(builder, table.getLoc(), wider,
                           DenseElementsAttr::getFromRawBuffer(wider, old));
  int64_t bytes = static_cast<int64_t>(old.size()) / type.getNumElements();
  std::vector<char> fresh(wider.getNumElements() * bytes, 0);
  for (int64_t element = 0; element < type.getNumElements(); ++element) {
    int64_t rest = element, place = 0, pitch = 1;
    for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
      int64_t index = rest % type.getDimSize(dim);
      rest /= type.getDimSize(dim);
      place += pitch * (along[dim] ? index / shared * filled + index % shared : index);
      pitch *= shape[dim];
    }
    std::copy_n(old.data() + element * bytes, bytes, fresh.data() + place * bytes);
  }
  return TableOp::create(builder, table.getLoc(), wider,
                         DenseElementsAttr::getFromRawBuffer(wider, fresh));
}

class FilledRounds {
public:
  FilledRounds(LineChain &chain, const LineSplit &split, int64_t width)
      : chain(chain), split(split), width(width) {}

  BlocksOp build(OpBuilder &builder, int64_t from, int64_t to, Value init);

private:
  Value copyLines(OpBuilder &builder, Value lines);
  Value copyBack(OpBuilder &builder, Value local);
  Value buildStage(OpBuilder &builder, unsigned number, Value local);
  MapOp openMap(OpBuilder &builder, Location loc, RankedTensorType type, ArrayRef<int64_t> upper,
                ArrayRef<AffineMap> stores, ArrayRef<int64_t> shared);
  /// What lies between stages, and behind them.
  RankedTensorType typeOf(ArrayRef<int64_t> shape) const {
    MapOp last = chain.last();
    return RankedTensorType::get(
        shape, cast<RankedTensorType>(last.getResult(0).getType()).getElementType());
  }

  LineChain &chain;
  const LineSplit &split;
  int64_t width;
  BlocksOp blocks;
  SmallVector<Value> origin;
};

/// A map that fills what it stores of a new array, with a body that has its indices.
MapOp FilledRounds::openMap(OpBuilder &builder, Location loc, RankedTensorType type,
                            ArrayRef<int64_t> upper, ArrayRef<AffineMap> stores,
                            ArrayRef<int64_t> shared) {
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(), type.getElementType());
  SmallVector<int64_t> lower(upper.size(), 0);
  auto map = MapOp::create(builder, loc, TypeRange{type}, lower, upper, ValueRange{empty},
                           builder.getAffineMapArrayAttr(stores), nullptr);
  map->setAttr(sharedDimsMark, builder.getDenseI64ArrayAttr(shared));
  Block *body = &map.getBody().emplaceBlock();
  for (size_t n = 0; n < upper.size(); ++n)
    body->addArgument(builder.getIndexType(), loc);
  return map;
}

/// Lines of a round as matrices; the cores of a row of the mesh share their rows.
Value FilledRounds::copyLines(OpBuilder &builder, Value lines) {
  Location loc = chain.last().getLoc();
  MLIRContext *context = builder.getContext();
  FilledArray to = arrayBefore(chain, split, 0);
  SmallVector<int64_t> shape{width};
  llvm::append_range(shape, to.shape);
  // As memory has them: real ones may become complex numbers in the first stage.
  auto type =
      RankedTensorType::get(shape, cast<RankedTensorType>(lines.getType()).getElementType());
  MapOp map = openMap(builder, loc, type, {width, split.first, split.second},
                      AffineMap::getMultiDimIdentityMap(3, context), {0, 1});
  Block *body = map.bodyBlock();
  OpBuilder inner = OpBuilder::atBlockBegin(body);
  auto dim = [&](unsigned n) { return getAffineDimExpr(n, context); };
  SmallVector<Value> indices(origin);
  indices[split.line] =
      affine::AffineApplyOp::create(inner, loc, AffineMap::get(2, 0, dim(0) + dim(1)),
                                    ValueRange{origin[split.line], body->getArgument(0)});
  indices.push_back(affine::AffineApplyOp::create(
      inner, loc, AffineMap::get(2, 0, dim(0) * split.second + dim(1)),
      ValueRange{body->getArgument(1), body->getArgument(2)}));
  Value point = tensor::ExtractOp::create(inner, loc, lines, indices);
  YieldOp::create(inner, loc, point);
  return map.getResult(0);
}

/// The lines that come out, without what they are filled up with.
Value FilledRounds::copyBack(OpBuilder &builder, Value local) {
  Location loc = chain.last().getLoc();
  SmallVector<int64_t> shape{width, split.second, split.first};
  MapOp map = openMap(builder, loc, typeOf(shape), shape,
                      AffineMap::getMultiDimIdentityMap(3, builder.getContext()), {0, 1});
  OpBuilder inner = OpBuilder::atBlockBegin(map.bodyBlock());
  Value point = tensor::ExtractOp::create(inner, loc, local, map.bodyBlock()->getArguments());
  YieldOp::create(inner, loc, point);
  return map.getResult(0);
}

Value FilledRounds::buildStage(OpBuilder &builder, unsigned number, Value local) {
  FilledStage stage(chain, split, number);
  FilledArray from = arrayBefore(chain, split, number), to = arrayBefore(chain, split, number + 1);
  MapOp old = stage.map;
  auto dimsOf = [&](AffineExpr point, const FilledArray &array) {
    SmallVector<AffineExpr> dims{stage.dim(0)};
    llvm::append_range(dims, *stage.digits(point, array.units));
    return dims;
  };
  SmallVector<AffineMap> stores;
  for (unsigned n = 0; n < old.getStores().size(); ++n) {
    SmallVector<AffineExpr> renamed(old.rank(), stage.dim(0) * 0);
    renamed[chain.pre] = stage.dim(0);
    renamed[chain.pre + 1] = stage.dim(1);
    AffineExpr point = old.storeMap(n).getResult(chain.pre).replaceDims(renamed);
    stores.push_back(AffineMap::get(4, 0, dimsOf(point, to), builder.getContext()));
  }
  SmallVector<int64_t> shape{width}, upper(stage.extents);
  llvm::append_range(shape, to.shape);
  upper[0] = width;
  upper[3] = stage.filled;
  MapOp map = openMap(builder, old.getLoc(), typeOf(shape), upper, stores, {0, 3});
  Block *body = map.bodyBlock();
  Block *oldBody = old.bodyBlock();
  body->getArgument(0).setLoc(oldBody->getArgument(split.line).getLoc());
  body->getArgument(1).setLoc((stage.isBefore ? stage.l : stage.p).getLoc());
  for (unsigned n : {2, 3})
    body->getArgument(n).setLoc((stage.isBefore ? stage.p : stage.l).getLoc());

  OpBuilder inner = OpBuilder::atBlockBegin(body);
  auto index = [&](Location loc, AffineExpr expr) -> Value {
    return affine::AffineApplyOp::create(inner, loc, AffineMap::get(4, 0, expr),
                                         body->getArguments());
  };
  IRMapping mapping;
  for (unsigned line = 0; line < chain.lineDims(); ++line)
    mapping.map(chain.lineArgument(chain.stages[number], line), origin[line]);
  SmallVector<AffineExpr> loops = stage.loops(stage.shared);
  mapping.map(stage.p, index(stage.p.getLoc(), loops[0]));
  mapping.map(stage.l, index(stage.l.getLoc(), loops[1]));
  SmallVector<AffineExpr> filledLoops = stage.loops(stage.filled);
  Value counted = index(old.getLoc(), filledLoops[stage.isBefore ? 0 : 1]);
  OpBuilder outside(blocks);
  DenseMap<std::pair<Value, unsigned>, Value> tables;
  for (Operation &op : *oldBody) {
    auto read = dyn_cast<tensor::ExtractOp>(op);
    if (!read) {
      inner.clone(op, mapping);
      continue;
    }
    SmallVector<Value> indices;
    Value tensor = local;
    if (auto table = read.getTensor().getDefiningOp<TableOp>()) {
      SmallVector<bool> along;
      unsigned which = 0;
      for (Value one : read.getIndices()) {
        bool counts = one == (stage.isBefore ? stage.p : stage.l);
        which = 2 * which + counts;
        along.push_back(counts);
        indices.push_back(counts ? counted : mapping.lookupOrDefault(one));
      }
      tensor = read.getTensor();
      if (which != 0) {
        Value &wider = tables[{read.getTensor(), which}];
        if (!wider)
          wider = filledTable(outside, table, along, stage.shared, stage.filled);
        tensor = wider;
      }
    } else {
      AffineExpr point = *linearIndex(read.getIndices()[chain.pre], stage.p, stage.l);
      for (AffineExpr dim : dimsOf(point, from))
        indices.push_back(index(op.getLoc(), dim));
    }
    Value fresh = tensor::ExtractOp::create(inner, op.getLoc(), tensor, indices);
    mapping.map(read.getResult(), fresh);
  }
  return map.getResult(0);
}

BlocksOp FilledRounds::build(OpBuilder &builder, int64_t from, int64_t to, Value init) {
  MapOp last = chain.last();
  MLIRContext *context = builder.getContext();
  unsigned lineDims = chain.lineDims();
  SmallVector<int64_t> lower(lineDims, 0), upper(chain.extents), steps(lineDims, 1);
  lower[split.line] = from;
  upper[split.line] = to;
  steps[split.line] = width;
  // From origins, line of the round, row and column to the chain's result.
  auto dim = [&](unsigned n) { return getAffineDimExpr(n, context); };
  SmallVector<AffineExpr> place;
  for (unsigned line = 0; line < lineDims; ++line)
    place.push_back(line == split.line ? dim(line) + dim(lineDims) : dim(line));
  place.push_back(dim(lineDims + 1) * split.first + dim(lineDims + 2));
  blocks = BlocksOp::create(
      builder, last.getLoc(), last->getResultTypes(), lower, upper, steps,
      init ? ValueRange{init} : ValueRange{},
      builder.getAffineMapArrayAttr({AffineMap::get(lineDims + 3, 0, place, context)}));
  blocks->setAttr(inTurnMark, builder.getUnitAttr());
  if (split.isPart)
    blocks->setAttr(sharingMark, builder.getI64IntegerAttr(split.columns));
  Block *body = &blocks.getBody().emplaceBlock();
  for (unsigned line = 0; line < lineDims; ++line)
    origin.push_back(body->addArgument(builder.getIndexType(),
                                       chain.lineArgument(chain.stages.back(), line).getLoc()));
  Value lines;
  (void)isFillable(chain, split, 0, lines);
  OpBuilder inner = OpBuilder::atBlockEnd(body);
  Value local = copyLines(inner, lines);
  for (unsigned number = 0; number < chain.stages.size(); ++number)
    local = buildStage(inner, number, local);
  YieldOp::create(inner, last.getLoc(), copyBack(inner, local));
  return blocks;
}

} // namespace

bool fillLines(const LineChain &chain, LineSplit &split, int64_t length, int64_t perMessage,
               std::string &why) {
  int64_t least = std::numeric_limits<int64_t>::max(), columns = split.columns;
  std::optional<LineSplit> best;
  auto filled = [&](int64_t points) {
    return LineSplit::Filled{static_cast<int64_t>(llvm::alignTo(points, columns)),
                             static_cast<int64_t>(llvm::alignTo(points, columns * perMessage))};
  };
  for (unsigned crossing = 1; crossing < chain.stages.size(); ++crossing) {
    LineSplit one = split;
    one.crossing = crossing;
    one.first = loopsOf(chain, chain.stages[crossing]).within;
    one.second = length / one.first;
    one.filledFirst = filled(one.first);
    one.filledSecond = filled(one.second);
    int64_t in = one.filledFirst.rows * one.filledSecond.columns;
    int64_t between = one.filledSecond.columns * one.filledFirst.columns;
    int64_t out = one.filledSecond.rows * one.filledFirst.columns;
    one.points = std::max({in, between, out}) / columns;
    Value lines;
    bool all = true;
    for (unsigned number = 0; number < chain.stages.size() && all; ++number)
      all = isFillable(chain, one, number, lines);
    if (all && in + between + out < least) {
      least = in + between + out;
      best = one;
    }
  }
  if (!best) {
    why = llvm::formatv("no two factors of {0} points are multiples of {1} cores, one of them for "
                        "messages of {2} points, and its stages read or store what cannot be "
                        "filled up",
                        length, columns, perMessage);
    return false;
  }
  split = *best;
  return true;
}

BlocksOp buildFilledRounds(OpBuilder &builder, LineChain &chain, const LineSplit &split,
                           int64_t from, int64_t to, int64_t width, Value init) {
  return FilledRounds(chain, split, width).build(builder, from, to, init);
}

void markShared(MapOp map, ArrayRef<unsigned> dims, ArrayRef<affine::AffineForOp> loops) {
  auto shared = map->getAttrOfType<DenseI64ArrayAttr>(sharedDimsMark);
  if (!shared)
    return;
  auto unit = UnitAttr::get(map.getContext());
  for (auto [dim, loop] : llvm::zip(dims, loops)) {
    affine::AffineForOp one = loop;
    if (dim == shared[0])
      one->setAttr(overRowsMark, unit);
    if (dim == shared[1])
      one->setAttr(overColumnsMark, unit);
  }
}

} // namespace weft
