//===- FourStep.cpp - a long line as columns and lines of a matrix --------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// A line that the caches nearby do not hold passes through them once a stage: five times, of four
// million points. Written row by row as a matrix of R rows and C columns (point n1*C + n2), it is
// transformed in four steps (Bailey, FFTs in External or Hierarchical Memory, 1990):
//
//   columns of R points, times exp(sign*2*pi*i*k1*n2/(R*C)), lines of C points, transposed
//
// of which blocks of columns, and each line, stay in a cache from their first stage to their
// last: two passes. The factor lies with the lines' first stage, and the transposed store behind
// their last one.
//
//===-----------------------------------------------------------------------===//

#include "passes/FourStep.h"

#include "passes/Notes.h"
#include "passes/Passes.h"
#include "passes/loops/Buffers.h"
#include "passes/tensors/TransposedCopy.h"
#include "passes/transforms/Codelets.h"
#include "passes/transforms/Factorisation.h"
#include "passes/transforms/RealArithmetic.h"

#include <cmath>
#include <numeric>

namespace weft {
#define GEN_PASS_DEF_FOURSTEP
#include "passes/Passes.h.inc"
} // namespace weft

using namespace mlir;

namespace {

constexpr weft::Notes notes("four-step");

/// Where all lines together outgrow the last cache, each has to be so many times as long as one
/// alone: 64 lines of 16384 points of c128 take 1.04 times as long in four steps, 16 of 65536
/// points 0.81, four of a million 0.58 times.
constexpr int64_t longerOfMany = 4;

/// Stages along lines of multiples of so many points fall into few sets of the first cache. Other
/// lines go well stage by stage up to more points (`four_step_uncrowded_points`).
constexpr int64_t crowdedPoints = 4096;

/// Rows that are so many columns long begin with a cache line, and a block of columns has whole
/// ones: 4000 columns of c128 are 1.4 times as fast as 5000, 2000 1.15 times as 1000.
constexpr int64_t evenColumns = 16;

/// The rows of a matrix of whole vectors of parts, next to as many as columns. Nothing where the
/// length has no such factors.
std::optional<int64_t> squareRowsOf(int64_t points, int64_t lanes) {
  std::optional<int64_t> best;
  auto longer = [&](int64_t rows) { return std::max(rows, points / rows); };
  for (int64_t rows = lanes; rows <= points / lanes; rows += lanes)
    if (points % rows == 0 && points / rows % lanes == 0 && (!best || longer(rows) < longer(*best)))
      best = rows;
  return best;
}

/// The rows of any matrix of no fewer columns: how far it is from that of so many columns for each
/// row, in powers of two of its columns, counts, and columns that are no whole vectors as much as
/// two of these.
std::optional<int64_t> longRowsOf(int64_t points, int64_t lanes, int64_t columnsPerRow) {
  std::optional<int64_t> best;
  auto cost = [&](int64_t rows) {
    int64_t columns = points / rows;
    double apart = std::abs(
        std::log2(static_cast<double>(columns) / static_cast<double>(columnsPerRow * rows)));
    return apart / 2 + (columns % evenColumns == 0 ? 0 : columns % lanes == 0 ? 1 : 2);
  };
  for (int64_t rows = lanes; rows <= points / rows; ++rows)
    if (points % rows == 0 && (!best || cost(rows) < cost(*best)))
      best = rows;
  return best;
}

/// The shape with `extents` in place of the last one.
RankedTensorType withLast(RankedTensorType type, ArrayRef<int64_t> extents) {
  SmallVector<int64_t> shape(type.getShape().drop_back());
  shape.append(extents.begin(), extents.end());
  return RankedTensorType::get(shape, type.getElementType());
}

/// Each row and column of the last two dimensions times its factor.
Value times(OpBuilder &builder, Location loc, Value matrices, int64_t sign) {
  auto type = cast<RankedTensorType>(matrices.getType());
  int64_t rank = type.getRank(), rows = type.getDimSize(rank - 2), columns = type.getShape().back();
  Value factors = weft::TwiddleOp::create(
      builder, loc, RankedTensorType::get({rows, columns}, type.getElementType()), rows, columns,
      sign);
  SmallVector<int64_t> lower(rank, 0);
  auto map = weft::MapOp::create(
      builder, loc, TypeRange{type}, lower, type.getShape(), ValueRange{},
      builder.getAffineMapArrayAttr(builder.getMultiDimIdentityMap(rank)), nullptr);
  Block *body = &map.getBody().emplaceBlock();
  SmallVector<Value> index;
  for (int64_t dim = 0; dim < rank; ++dim)
    index.push_back(body->addArgument(builder.getIndexType(), weft::unnamed(loc)));
  OpBuilder inner = OpBuilder::atBlockBegin(body);
  Value element = tensor::ExtractOp::create(inner, loc, matrices, index);
  Value factor = tensor::ExtractOp::create(inner, loc, factors, ArrayRef(index).take_back(2));
  weft::YieldOp::create(inner, loc,
                        complex::MulOp::create(inner, loc, element, factor).getResult());
  return map.getResult(0);
}

void expand(weft::DftOp op, int64_t rows) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(op.getType());
  int64_t axis = type.getRank() - 1, sign = op.getSign(), columns = type.getShape().back() / rows;
  RankedTensorType matrices = withLast(type, {rows, columns}),
                   turned = withLast(type, {columns, rows});
  Value value = weft::ReshapeOp::create(builder, loc, matrices, op.getInput());
  value = weft::DftOp::create(builder, loc, matrices, value, axis, sign, op.getScaleAttr(),
                              DenseI64ArrayAttr());
  value = times(builder, loc, value, sign);
  value = weft::DftOp::create(builder, loc, matrices, value, axis + 1, sign, FloatAttr(),
                              DenseI64ArrayAttr());
  SmallVector<int64_t> order(axis + 2);
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[axis], order[axis + 1]);
  auto turn = weft::TransposeOp::create(builder, loc, turned, value, order);
  turn->setAttr(weft::ofLineMark, builder.getUnitAttr());
  value = turn;
  value = weft::ReshapeOp::create(builder, loc, type, value);
  op.replaceAllUsesWith(value);
  op.erase();
}

struct FourStep : public weft::impl::FourStepBase<FourStep> {
  using FourStepBase::FourStepBase;

  void runOnOperation() override {
    FailureOr<weft::Target> target = weft::Target::of(getOperation());
    if (failed(target))
      return signalPassFailure();
    SmallVector<weft::DftOp> transforms;
    getOperation().walk([&](weft::DftOp op) { transforms.push_back(op); });
    for (weft::DftOp op : transforms) {
      std::optional<weft::FourSteps> steps = weft::fourStepsOf(op, *target);
      if (!steps)
        continue;
      explain(op, *steps);
      if (steps->rows)
        expand(op, *steps->rows);
    }
  }

  static void explain(weft::DftOp op, const weft::FourSteps &steps) {
    if (!weft::Notes::wanted(op.getLoc()))
      return;
    std::string name = weft::spoken(op);
    if (!steps.rows)
      notes.rejected(op, "{0}: {1} points in four steps", name, steps.points)
          .because("they have no two factors that suit vectors of {0} numbers, with primes to {1}",
                   steps.lanes, weft::largestPrime)
          .number("points", steps.points);
    else
      notes
          .decided(op, "{0}: {1} points in four steps, as {2} rows of {3}", name, steps.points,
                   *steps.rows, steps.points / *steps.rows)
          .because(
              "{0} bytes, {1} or more ({2}), would pass through the caches once a stage: now twice",
              steps.bytes, steps.least, steps.key)
          .number("rows", *steps.rows)
          .number("bytes", steps.bytes);
  }
};

} // namespace

std::optional<weft::FourSteps> weft::fourStepsOf(DftOp op, const Target &target) {
  auto type = cast<RankedTensorType>(op.getType());
  unsigned width = realType(type.getElementType()).getIntOrFloatBitWidth();
  FourSteps steps;
  steps.key = width == 64 ? "four_step_double_bytes" : "four_step_single_bytes";
  std::optional<int64_t> least = target.numberIfAny(steps.key);
  if (!least || op.getRadices() || static_cast<int64_t>(op.getAxis()) + 1 != type.getRank())
    return std::nullopt;
  FailureOr<int64_t> lastCache = target.number("l3_bytes");
  FailureOr<VectorUnit> vectors = target.vectors();
  if (failed(lastCache) || failed(vectors))
    return std::nullopt;
  steps.points = type.getShape().back();
  int64_t all = bytesOf(type), lines = type.getNumElements() / steps.points;
  steps.bytes = all / lines;
  steps.least = lines > 1 && all > *lastCache ? longerOfMany * *least : *least;
  std::optional<int64_t> columns = target.numberIfAny("four_step_columns_per_row");
  if (steps.points % crowdedPoints != 0)
    steps.least =
        std::max(steps.least, target.numberIfAny("four_step_uncrowded_points").value_or(0) *
                                  steps.bytes / steps.points);
  if (steps.bytes < steps.least)
    return std::nullopt;
  steps.lanes = vectors->lanes(width);
  // Primes without a butterfly are convolutions of their own.
  if (!llvm::all_of(factorise(steps.points), suitsStage))
    return steps;
  steps.rows = squareRowsOf(steps.points, steps.lanes);
  if (columns)
    steps.rows = longRowsOf(steps.points, steps.lanes, *columns);
  return steps;
}
