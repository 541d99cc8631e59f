//===- ButterflyMaps.cpp - a stage as a map of real arithmetic --------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/transforms/ButterflyMaps.h"

#include "passes/transforms/Codelets.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace weft {
namespace {

/// Values of a table with more entries than `largestTable` are a product of a
/// coarse and a fine root; the split near the square root keeps both small.
int64_t splitOf(int64_t entries) { return int64_t(1) << ((llvm::Log2_64_Ceil(entries) + 1) / 2); }

Value makeTable(OpBuilder &builder, Location location, ComplexType element, const Twine &name,
                ArrayRef<int64_t> shape, const std::vector<Exact> &values) {
  auto type = RankedTensorType::get(shape, element);
  return TableOp::create(builder, named(location, name.str()), type, denseTable(type, values));
}

/// The twiddles of one stage, multiplied by its scale: w^(j*p) for j in 1:radix.
class Twiddles {
public:
  Twiddles(OpBuilder &outside, Location location, const StageShape &shape)
      : location(location), radix(shape.radix), count(shape.count()), order(radix * count) {
    auto element = cast<ComplexType>(shape.type.getElementType());
    long double scale = shape.scale.value_or(1.0);
    if (count * (radix - 1) <= largestTable) {
      // Where p is what lies side by side in memory, so do its twiddles.
      byPoint = shape.done == 1 && shape.axis + 1 == shape.type.getRank();
      SmallVector<int64_t> extents{count, radix - 1};
      if (byPoint)
        std::swap(extents[0], extents[1]);
      std::vector<Exact> values;
      for (int64_t row = 0; row < extents[0]; ++row)
        for (int64_t column = 0; column < extents[1]; ++column) {
          int64_t p = byPoint ? column : row, j = (byPoint ? row : column) + 1;
          values.push_back(scale * root(j * p, order, shape.sign));
        }
      table = makeTable(outside, location, element, "w_" + Twine(order), extents, values);
      if (radix > 2)
        table.getDefiningOp()->setAttr(powersMark, outside.getI64IntegerAttr(byPoint ? 0 : 1));
      return;
    }
    split = splitOf(order);
    std::vector<Exact> coarse, fine;
    for (int64_t q = 0; q * split < order; ++q)
      coarse.push_back(root(q * split, order, shape.sign));
    for (int64_t q = 0; q < split; ++q)
      fine.push_back(scale * root(q, order, shape.sign));
    table = makeTable(outside, location, element, "w_" + Twine(order) + "_coarse",
                      {int64_t(coarse.size())}, coarse);
    fineTable = makeTable(outside, location, element, "w_" + Twine(order) + "_fine", {split}, fine);
  }

  Parts load(RealBuilder &arithmetic, OpBuilder &builder, Value p, int64_t j) const {
    AffineExpr index = builder.getAffineDimExpr(0);
    std::string name = (llvm::Twine("w") + llvm::Twine(j)).str();
    Location place = named(location, name);
    if (!fineTable) {
      SmallVector<AffineExpr> indices{index, builder.getAffineConstantExpr(j - 1)};
      if (byPoint)
        std::swap(indices[0], indices[1]);
      return arithmetic.split(extractAt(builder, place, table, indices, p), name);
    }
    Value coarse = extractAt(builder, place, table, (index * j).floorDiv(split), p);
    Value fine = extractAt(builder, place, fineTable, (index * j) % split, p);
    Parts coarseParts = arithmetic.split(coarse), fineParts = arithmetic.split(fine);
    return arithmetic.mul(coarseParts, fineParts);
  }

private:
  Location location;
  int64_t radix, count, order;
  int64_t split = 0;
  Value table, fineTable;
  bool byPoint = false; ///< the table's rows are of one j
};

} // namespace

SmallVector<Value> indicesAt(OpBuilder &builder, Location location, ArrayRef<AffineExpr> indices,
                             ValueRange operands) {
  SmallVector<Value> values;
  for (AffineExpr index : indices) {
    auto map = AffineMap::get(operands.size(), 0, index);
    OpFoldResult folded = affine::makeComposedFoldedAffineApply(builder, unnamed(location), map,
                                                                getAsOpFoldResult(operands));
    values.push_back(getValueOrCreateConstantIndexOp(builder, unnamed(location), folded));
  }
  return values;
}

Value extractAt(OpBuilder &builder, Location location, Value tensor, ArrayRef<AffineExpr> indices,
                ValueRange operands) {
  return tensor::ExtractOp::create(builder, location, tensor,
                                   indicesAt(builder, location, indices, operands));
}

Parts loadRoot(RealBuilder &arithmetic, OpBuilder &tables, OpBuilder &builder, Location location,
               ComplexType type, int64_t rows, int64_t columns, int64_t sign, AffineExpr row,
               AffineExpr column, ValueRange operands, std::optional<int64_t> run) {
  if (rows * columns <= largestTable) {
    std::vector<Exact> values;
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t k = 0; k < columns; ++k)
        values.push_back(root(i * k, rows * columns, sign));
    Value table = makeTable(tables, location, type, "w", {rows, columns}, values);
    return arithmetic.split(extractAt(builder, location, table, {row, column}, operands));
  }
  // The longer index is split in two, each half with a table over the other index:
  // w^(row*column) = w^(row*high*size) * w^(row*low), all affine in the indices.
  if (rows > columns) {
    std::swap(rows, columns);
    std::swap(row, column);
    run.reset();
  }
  int64_t size = run.value_or(splitOf(columns));
  int64_t highs = llvm::divideCeil(columns, size);
  AffineExpr high = column.floorDiv(size), low = column % size;
  Parts parts[2];
  for (bool fine : {false, true}) {
    int64_t extent = fine ? size : highs, step = fine ? 1 : size;
    AffineExpr position = fine ? low : high;
    // Rows too many for one table: split them as well.
    int64_t rowSize = rows * extent <= largestTable ? rows : splitOf(rows);
    int64_t rowHighs = llvm::divideCeil(rows, rowSize);
    auto load = [&](int64_t count, int64_t rowStep, AffineExpr rowIndex) {
      std::vector<Exact> values;
      for (int64_t i = 0; i < count; ++i)
        for (int64_t k = 0; k < extent; ++k)
          values.push_back(root(i * rowStep * (k * step), rows * columns, sign));
      Value table = makeTable(tables, location, type, "w", {count, extent}, values);
      return arithmetic.split(extractAt(builder, location, table, {rowIndex, position}, operands));
    };
    if (rowHighs == 1) {
      parts[fine] = load(rows, 1, row);
      continue;
    }
    Parts rowHigh = load(rowHighs, rowSize, row.floorDiv(rowSize));
    Parts rowLow = load(rowSize, 1, row % rowSize);
    parts[fine] = arithmetic.mul(rowHigh, rowLow);
  }
  return arithmetic.mul(parts[0], parts[1]);
}

/// How many columns of a table a butterfly reads one behind the other, where that is all who reads
/// them: the first stage along its rows, of what a map has multiplied.
static std::optional<int64_t> runOf(TwiddleOp op) {
  std::optional<int64_t> run;
  for (Operation *user : op->getUsers()) {
    auto read = dyn_cast<tensor::ExtractOp>(user);
    auto map = read ? dyn_cast<MapOp>(read->getParentOp()) : nullptr;
    if (!map || map->getNumResults() != 1 || !map->hasOneUse())
      return std::nullopt;
    auto column = dyn_cast<BlockArgument>(read.getIndices().back());
    auto stage = dyn_cast<ButterflyOp>(*map->user_begin());
    if (!stage || stage.getDone() != 1 || !column || column.getOwner() != map.bodyBlock() ||
        column.getArgNumber() != stage.getAxis())
      return std::nullopt;
    auto here = static_cast<int64_t>(op.getCols() / stage.getRadix());
    if (run && *run != here)
      return std::nullopt;
    run = here;
  }
  return run;
}

/// The same where vectors that begin at multiples of it lie across two parts of a row, which have a
/// power of two each. A core's own memory, instead of caches, has no room for longer tables.
static std::optional<int64_t> straddledRunOf(TwiddleOp op, const Target &target) {
  FailureOr<VectorUnit> vectors = target.vectors();
  std::optional<int64_t> run = runOf(op);
  if (!run || failed(vectors) || !target.numberIfAny("l2_bytes"))
    return std::nullopt;
  auto element = cast<ComplexType>(cast<RankedTensorType>(op.getType()).getElementType());
  int64_t lanes = vectors->lanes(element.getElementType().getIntOrFloatBitWidth());
  return *run % lanes == 0 ? std::nullopt : run;
}

void expandTwiddle(TwiddleOp op, const Target &target) {
  OpBuilder outside(op);
  auto type = cast<RankedTensorType>(op.getType());
  auto element = cast<ComplexType>(type.getElementType());
  int64_t rows = op.getRows(), columns = op.getCols(), sign = op.getSign();
  if (rows * columns <= largestTable) {
    std::vector<Exact> values;
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t k = 0; k < columns; ++k)
        values.push_back(root(i * k, rows * columns, sign));
    op.replaceAllUsesWith(
        TableOp::create(outside, named(op.getLoc(), "twiddle"), type, denseTable(type, values))
            .getResult());
    op.erase();
    return;
  }
  auto map = MapOp::create(outside, op.getLoc(), type, outside.getDenseI64ArrayAttr({0, 0}),
                           outside.getDenseI64ArrayAttr({rows, columns}), ValueRange{},
                           outside.getAffineMapArrayAttr(outside.getMultiDimIdentityMap(2)),
                           DenseI64ArrayAttr());
  Location inner = unnamed(op.getLoc());
  Block *body = &map.getBody().emplaceBlock();
  body->addArguments({outside.getIndexType(), outside.getIndexType()}, {inner, inner});
  OpBuilder builder = OpBuilder::atBlockBegin(body);
  outside.setInsertionPoint(map);
  RealBuilder arithmetic(builder, inner, body);
  Parts value = loadRoot(arithmetic, outside, builder, inner, element, rows, columns, sign,
                         builder.getAffineDimExpr(0), builder.getAffineDimExpr(1),
                         body->getArguments(), straddledRunOf(op, target));
  YieldOp::create(builder, inner, arithmetic.join(value));
  op.replaceAllUsesWith(map.getResult(0));
  op.erase();
}

/// Indices of a tensor: those of the point of a stage, with `index` in place of the axis.
static SmallVector<AffineExpr> stageIndices(MLIRContext *context, const StageShape &shape,
                                            AffineExpr index) {
  SmallVector<AffineExpr> result;
  for (int64_t n = 0; n < shape.type.getRank(); ++n)
    result.push_back(n == shape.axis ? index
                                     : getAffineDimExpr(n < shape.axis ? n : n + 1, context));
  return result;
}

MapOp makeStage(OpBuilder &outside, Location location, const StageShape &shape,
                llvm::function_ref<Parts(StageBody &, int64_t)> input) {
  MLIRContext *context = outside.getContext();
  int64_t axis = shape.axis, radix = shape.radix, done = shape.done, count = shape.count();
  SmallVector<int64_t> upper(shape.type.getShape());
  upper[axis] = count;
  upper.insert(upper.begin() + axis + 1, done);
  SmallVector<int64_t> lower(upper.size(), 0);
  AffineExpr zero = outside.getAffineConstantExpr(0);
  AffineExpr p = count == 1 ? zero : outside.getAffineDimExpr(axis);
  AffineExpr l = done == 1 ? zero : outside.getAffineDimExpr(axis + 1);
  SmallVector<AffineMap> stores;
  for (int64_t j = 0; j < radix; ++j)
    stores.push_back(AffineMap::get(
        upper.size(), 0, stageIndices(context, shape, p * (radix * done) + j * done + l), context));

  std::optional<Twiddles> twiddles;
  if (count > 1 && !shape.coprime)
    twiddles.emplace(outside, location, shape);
  auto map = MapOp::create(outside, location, shape.type, outside.getDenseI64ArrayAttr(lower),
                           outside.getDenseI64ArrayAttr(upper), ValueRange{},
                           outside.getAffineMapArrayAttr(stores), DenseI64ArrayAttr());
  Location inner = unnamed(location);
  Block *body = &map.getBody().emplaceBlock();
  for (size_t n = 0; n < upper.size(); ++n)
    body->addArgument(outside.getIndexType(), int64_t(n) == axis ? named(inner, "p") : inner);
  OpBuilder builder = OpBuilder::atBlockBegin(body);
  RealBuilder arithmetic(builder, inner, body);
  StageBody stage{builder, arithmetic, inner, body->getArguments(), p, l};
  SmallVector<Parts> outputs =
      codelet(arithmetic, radix, shape.sign, [&](int64_t k) { return input(stage, k); });
  Type real = cast<ComplexType>(shape.type.getElementType()).getElementType();
  SmallVector<Value> values;
  for (auto [j, output] : llvm::enumerate(outputs)) {
    if (twiddles && j > 0)
      output = arithmetic.mul(
          output, twiddles->load(arithmetic, builder, body->getArgument(axis), int64_t(j)));
    else if (shape.scale)
      output = arithmetic.scale(output, arithmetic.constant(*shape.scale, real));
    values.push_back(arithmetic.join(output));
  }
  YieldOp::create(builder, inner, values);
  return map;
}

void expandButterfly(ButterflyOp op) {
  OpBuilder outside(op);
  StageShape shape{cast<RankedTensorType>(op.getType()),
                   static_cast<int64_t>(op.getAxis()),
                   static_cast<int64_t>(op.getRadix()),
                   static_cast<int64_t>(op.getDone()),
                   static_cast<int64_t>(op.getSign()),
                   std::nullopt,
                   op.getCoprime()};
  if (op.getScale())
    shape.scale = op.getScale()->convertToDouble();
  auto load = [&](StageBody &body, int64_t k) {
    std::string name = (llvm::Twine("x") + llvm::Twine(k)).str();
    AffineExpr index = body.p * shape.done + k * shape.count() * shape.done + body.l;
    Value element = extractAt(body.builder, named(body.location, name), op.getInput(),
                              stageIndices(op.getContext(), shape, index), body.point);
    return body.arithmetic.split(element, name);
  };
  MapOp map = makeStage(outside, op.getLoc(), shape, load);
  map->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  map->setAttr("weft.lines", outside.getI64IntegerAttr(shape.axis));
  op.replaceAllUsesWith(map.getResult(0));
  op.erase();
}

} // namespace weft
