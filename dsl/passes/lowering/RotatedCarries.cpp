//===- RotatedCarries.cpp - carried arrays that take turns in memory --------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// A carried value lives in one memory over all iterations. Where a step cannot store its next value
// there, because it reads other elements of the carried one or because that passes on as the `old`
// of the next step, the next value is copied when the step ends. Hand-written C swaps pointers
// instead.
//
// Here the loop takes as many steps at a time as arrays take turns: in a pair of Jacobi steps the
// first goes from one array to another, the second back. All that a turn yields is then made in
// it, and nobody needs the array in which it belongs any more. Arrays
// whose names stay the same for all steps are what every later pass knows; pointers that change
// places, or an index `t mod 3`, would hide from them what overlaps. The price is code: steps of
// many operations, in which copies are a small part, stay as they are.
//
//===-----------------------------------------------------------------------===//

#include "passes/lowering/RotatedCarries.h"

#include "passes/Notes.h"
#include "passes/Passes.h"
#include "passes/loops/Buffers.h"
#include "passes/lowering/CarriedChains.h"

#include "dialect/Groups.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace {

constexpr weft::Notes notes("lower-to-loops");

/// Steps that one turn of the loop may take: what three values carried of one another need.
constexpr int64_t mostSteps = 4;
/// Operations a step, where each point counts once: of more the copies are a small part.
constexpr int64_t mostOperations = 256;
/// Copies of less than this part of what a step stores are not worth a second step in the code.
constexpr int64_t leastShare = 8;

int64_t bytesOf(Value value) { return weft::bytesOf(cast<RankedTensorType>(value.getType())); }

class SteppedLoop {
public:
  explicit SteppedLoop(scf::ForOp loop) : loop(loop), body(*loop.getBody()) {}

  /// How many steps a turn takes so that all it yields is made in it; 1 where that gains nothing.
  int64_t stepsOfTurn();
  void rewrite(int64_t steps);

private:
  bool isCountable();
  void findPeriod();
  int64_t operations();
  int64_t storedBytes();
  Value nextOf(unsigned number) { return body.getTerminator()->getOperand(number); }
  /// The number of the carried value that a value is in the next step, where that is one.
  std::optional<unsigned> takerOf(Value value);
  SmallVector<Value> step(OpBuilder &builder, Value index, ValueRange carried);

  scf::ForOp loop;
  Block &body;
  int64_t lower = 0, stride = 0, trips = 0;
  int64_t period = 1, copiedBytes = 0;
};

bool SteppedLoop::isCountable() {
  auto from = getConstantIntValue(loop.getLowerBound()),
       to = getConstantIntValue(loop.getUpperBound()), by = getConstantIntValue(loop.getStep());
  if (!from || !to || !by || *by < 1)
    return false;
  lower = *from;
  stride = *by;
  trips = (*to - *from + *by - 1) / *by;
  return llvm::all_of(loop.getInitArgs().getTypes(), llvm::IsaPred<RankedTensorType>);
}

std::optional<unsigned> SteppedLoop::takerOf(Value value) {
  auto operands = body.getTerminator()->getOperands();
  if (llvm::count(operands, value) != 1)
    return std::nullopt;
  return std::distance(operands.begin(), llvm::find(operands, value));
}

/// Each value that a step makes, and the carried ones that it becomes one step after the other.
/// The last of them is needed no more when the value is stored, or there is one array more. Values
/// that pass on are copied twice: all are saved before any is overwritten.
void SteppedLoop::findPeriod() {
  for (unsigned first = 0; first < loop.getNumRegionIterArgs(); ++first) {
    Value made = nextOf(first);
    if (!made.getDefiningOp() || made.getParentBlock() != &body || takerOf(made) != first)
      continue;
    unsigned last = first;
    int64_t places = 1;
    while (auto taker = takerOf(loop.getRegionIterArg(last))) {
      last = *taker;
      ++places;
      copiedBytes += 2 * bytesOf(made);
    }
    bool isInPlace = !weft::chainOver(loop, loop.getRegionIterArg(last), made).empty();
    if (places > 1 || !isInPlace)
      copiedBytes += bytesOf(made);
    period = std::max(period, isInPlace ? places : places + 1);
  }
}

/// Of all maps, one point each, sums with all their terms.
int64_t SteppedLoop::operations() {
  int64_t count = 0;
  body.walk([&](Operation *op) {
    if (op->hasTrait<OpTrait::ConstantLike>() || op->hasTrait<OpTrait::IsTerminator>())
      return;
    int64_t times = 1;
    for (auto sum = op->getParentOfType<weft::ReduceOp>(); sum;
         sum = sum->getParentOfType<weft::ReduceOp>())
      for (auto [from, to] : llvm::zip(sum.getLower(), sum.getUpper()))
        times = llvm::SaturatingMultiply<uint64_t>(times, to - from);
    count = llvm::SaturatingAdd<uint64_t>(count, times);
  });
  return count;
}

int64_t SteppedLoop::storedBytes() {
  int64_t bytes = 0;
  for (Operation &op : body)
    if (isa<weft::MapOp, weft::BlocksOp>(op))
      for (Value result : op.getResults())
        bytes += bytesOf(result);
  return bytes;
}

int64_t SteppedLoop::stepsOfTurn() {
  if (!isCountable())
    return 1;
  findPeriod();
  if (period == 1)
    return 1;
  auto rejected = [&] {
    return notes.rejected(loop, "{0} steps at a time, whose arrays take turns", period);
  };
  if (period > mostSteps) {
    rejected().because("{0} at most", mostSteps).number("most_steps", mostSteps);
    return 1;
  }
  if (trips < 2 * period) {
    rejected().because("there are {0} steps", trips).number("steps", trips);
    return 1;
  }
  if (int64_t count = operations(); count > mostOperations) {
    rejected()
        .because("copies are a small part of {0} operations a point, {1} at most", count,
                 mostOperations)
        .number("operations", count);
    return 1;
  }
  if (int64_t stored = storedBytes(); copiedBytes * leastShare < stored) {
    rejected()
        .because("{0} bytes are copied in a step that stores {1}", copiedBytes, stored)
        .number("copied_bytes", copiedBytes);
    return 1;
  }
  // Exchanges are paired by their order, which overlap decides.
  if (body.walk([](Operation *op) {
            return isa<weft::AlltoallOp, weft::AlltoallBeginOp, weft::AllgatherOp, weft::OwnOp>(op)
                       ? WalkResult::interrupt()
                       : WalkResult::advance();
          })
          .wasInterrupted()) {
    rejected().because("groups exchange in a step");
    return 1;
  }
  return period;
}

SmallVector<Value> SteppedLoop::step(OpBuilder &builder, Value index, ValueRange carried) {
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), index);
  for (auto [argument, value] : llvm::zip(loop.getRegionIterArgs(), carried))
    mapping.map(argument, value);
  for (Operation &op : body.without_terminator())
    builder.clone(op, mapping);
  return llvm::map_to_vector(body.getTerminator()->getOperands(),
                             [&](Value next) { return mapping.lookupOrDefault(next); });
}

void SteppedLoop::rewrite(int64_t steps) {
  Location loc = loop.getLoc();
  notes.decided(loop, "{0} steps at a time, whose arrays take turns", steps)
      .because("{0} bytes a step need not be copied", copiedBytes)
      .number("copied_bytes", copiedBytes);
  OpBuilder builder(loop);
  auto at = [&](int64_t number) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, lower + number * stride);
  };
  int64_t inTurns = trips / steps * steps;
  Value byTurn = arith::ConstantIndexOp::create(builder, loc, steps * stride);
  auto fresh = scf::ForOp::create(builder, loc, at(0), at(inTurns), byTurn, loop.getInitArgs());
  fresh->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(fresh.getBody());
    SmallVector<Value> carried(fresh.getRegionIterArgs());
    for (int64_t number = 0; number < steps; ++number) {
      Value index = fresh.getInductionVar();
      if (number != 0)
        index = affine::AffineApplyOp::create(
            builder, loc, AffineMap::get(1, 0, builder.getAffineDimExpr(0) + number * stride),
            index);
      carried = step(builder, index, carried);
    }
    scf::YieldOp::create(builder, loc, carried);
  }
  SmallVector<Value> carried(fresh.getResults());
  for (int64_t number = inTurns; number < trips; ++number)
    carried = step(builder, at(number), carried);
  loop.replaceAllUsesWith(carried);
  loop.erase();
}

} // namespace

namespace weft {

void rotateCarries(func::FuncOp function) {
  // What a schedule names would stand there several times.
  if (function->hasAttr("weft.schedule"))
    return;
  for (auto loop : llvm::to_vector(function.getOps<scf::ForOp>())) {
    SteppedLoop stepped(loop);
    if (int64_t steps = stepped.stepsOfTurn(); steps > 1)
      stepped.rewrite(steps);
  }
}

} // namespace weft
