//===- SoftwarePipeline.cpp - turns of loops, pipelined ----------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Of S stages, a turn of the new loop does stage 0 of one turn of the old one, stage 1 of the one
// before, and so on. Its variable counts the oldest of them, so that what runs ahead is seen as
// an index plus a constant. A value that is made in one turn and read in the next is carried.
//
//===-----------------------------------------------------------------------===//

#include "passes/pipes/SoftwarePipeline.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/Dialect/Affine/Analysis/Utils.h"
#include "mlir/Dialect/Affine/LoopUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

namespace {

class SoftwarePipeline {
public:
  SoftwarePipeline(AffineForOp loop, const BlockGraph &graph, const PipeOrder &order)
      : loop(loop), graph(graph), order(order), builder(loop),
        trips(static_cast<int64_t>(*affine::getConstantTripCount(loop))),
        ahead(order.stageCount - 1), lower(loop.getConstantLowerBound()),
        step(loop.getStepAsInt()) {}

  void run();

private:
  /// A value of the old body, of a turn before the one that reads it or of the same.
  struct Read {
    Value value;
    int64_t turns = 0;
  };
  Read readOf(Value operand);
  /// What it is before products take its sign along.
  Value withoutSign(Value operand) const {
    while (operand.getDefiningOp() && graph.isSign(operand.getDefiningOp()))
      operand = operand.getDefiningOp()->getOperand(0);
    return operand;
  }
  int64_t stageOf(Value value) const { return order.stages[*graph.maker(value)]; }
  /// Turns of the new loop between a value and a reader in `stage`.
  int64_t apart(const Read &read, int64_t stage) const {
    return stage - stageOf(read.value) + read.turns;
  }
  void findCarried();
  Value startOf(Value value);
  /// Copies a node; `find` gives what it reads, `variable` the loop's variable.
  template <typename Find> void copy(unsigned node, Find find, Value variable, int64_t turn);
  Value variableAt(int64_t turn);
  Value turnOf(Value value, int64_t turn) const {
    auto found = made.find({value, turn});
    assert(found != made.end() && "read before it is made");
    return found->second;
  }

  AffineForOp loop;
  const BlockGraph &graph;
  const PipeOrder &order;
  OpBuilder builder;
  int64_t trips, ahead, lower, step;
  SmallVector<affine::AffineApplyOp> variables;    ///< the loop's, in turns by number and ahead
  llvm::MapVector<Value, unsigned> carried;        ///< which of what the new loop carries
  DenseMap<std::pair<Value, int64_t>, Value> made; ///< by the old turn
};

SoftwarePipeline::Read SoftwarePipeline::readOf(Value operand) {
  operand = withoutSign(operand);
  auto argument = dyn_cast<BlockArgument>(operand);
  if (!argument || argument.getOwner() != loop.getBody() || argument.getArgNumber() == 0)
    return {operand};
  return {loop.getBody()->getTerminator()->getOperand(argument.getArgNumber() - 1), 1};
}

void SoftwarePipeline::findCarried() {
  for (unsigned number : order.nodes)
    for (Operation *op : graph.nodes()[number].ops)
      for (Value operand : graph.isSign(op) ? ValueRange() : op->getOperands()) {
        Read read = readOf(operand);
        if (graph.maker(read.value) && apart(read, order.stages[number]) > 0)
          carried.insert({read.value, carried.size()});
      }
  for (Value next : loop.getBody()->getTerminator()->getOperands())
    if (stageOf(next) == 0)
      carried.insert({next, carried.size()});
}

/// What the new loop begins with.
Value SoftwarePipeline::startOf(Value value) {
  int64_t turn = ahead - 1 - stageOf(value);
  if (turn >= 0)
    return turnOf(value, turn);
  for (auto [next, start] :
       llvm::zip(loop.getBody()->getTerminator()->getOperands(), loop.getInits()))
    if (next == value)
      return start;
  llvm_unreachable("what no turn has made is what the loop begins with");
}

Value SoftwarePipeline::variableAt(int64_t turn) {
  variables.push_back(affine::AffineApplyOp::create(
      builder, loop.getInductionVar().getLoc(),
      AffineMap::getConstantMap(lower + turn * step, loop.getContext()), ValueRange()));
  return variables.back();
}

template <typename Find>
void SoftwarePipeline::copy(unsigned number, Find find, Value variable, int64_t turn) {
  for (Operation *op : graph.nodes()[number].ops) {
    if (graph.isSign(op))
      continue;
    IRMapping mapping;
    mapping.map(loop.getInductionVar(), variable);
    // Indices that the op reads are made anew.
    SmallVector<Operation *> indices;
    for (size_t next = 0; next <= indices.size(); ++next)
      for (Value operand : (next == 0 ? op : indices[next - 1])->getOperands())
        if (Operation *from = operand.getDefiningOp(); from && from->getBlock() == loop.getBody() &&
                                                       !graph.maker(operand) &&
                                                       !llvm::is_contained(indices, from))
          indices.push_back(from);
    for (Operation *index : llvm::reverse(indices))
      builder.clone(*index, mapping);
    for (Value operand : op->getOperands()) {
      if (!graph.maker(readOf(operand).value))
        continue;
      SmallVector<Operation *> signs;
      Value source = operand;
      for (; source != withoutSign(operand); source = source.getDefiningOp()->getOperand(0))
        signs.push_back(source.getDefiningOp());
      mapping.map(source, find(readOf(operand)));
      for (Operation *sign : llvm::reverse(signs))
        builder.clone(*sign, mapping);
    }
    Operation *copied = builder.clone(*op, mapping);
    for (auto [was, is] : llvm::zip(op->getResults(), copied->getResults()))
      made[{was, turn}] = is;
    // The variable becomes part of the indices.
    if (auto read = dyn_cast<affine::AffineReadOpInterface>(copied);
        read || isa<affine::AffineWriteOpInterface>(copied)) {
      auto map = copied->getAttrOfType<AffineMapAttr>("map").getValue();
      unsigned first = copied->getNumOperands() - map.getNumInputs();
      SmallVector<Value> operands(copied->getOperands().drop_front(first));
      affine::fullyComposeAffineMapAndOperands(&map, &operands);
      affine::canonicalizeMapAndOperands(&map, &operands);
      copied->setOperands(first, copied->getNumOperands() - first, operands);
      copied->setAttr("map", AffineMapAttr::get(map));
    }
  }
}

void SoftwarePipeline::run() {
  findCarried();
  Block &body = *loop.getBody();
  // In a turn of the new loop that is outside of it: of what stages, read from turns by number.
  auto outside = [&](int64_t now, llvm::function_ref<bool(int64_t)> takes) {
    for (unsigned number : order.nodes) {
      int64_t stage = order.stages[number], turn = now - stage;
      if (!takes(stage))
        continue;
      auto find = [&](const Read &read) {
        int64_t from = turn - read.turns;
        if (from >= 0)
          return turnOf(read.value, from);
        for (auto [next, start] : llvm::zip(body.getTerminator()->getOperands(), loop.getInits()))
          if (next == read.value)
            return Value(start);
        llvm_unreachable("the first turn reads what the loop begins with");
      };
      copy(number, find, variableAt(turn), turn);
    }
  };
  for (int64_t now = 0; now < ahead; ++now)
    outside(now, [&](int64_t stage) { return stage <= now; });

  SmallVector<Value> starts =
      llvm::map_to_vector(carried, [&](const auto &each) { return startOf(each.first); });
  auto kernel = AffineForOp::create(builder, loop.getLoc(), lower, lower + (trips - ahead) * step,
                                    step, starts);
  kernel.getInductionVar().setLoc(loop.getInductionVar().getLoc());
  for (NamedAttribute attribute : loop->getDiscardableAttrs())
    if (attribute.getName() != "weft.independent" && attribute.getName() != "weft.carries")
      kernel->setDiscardableAttr(attribute.getName(), attribute.getValue());
  kernel->setAttr("weft.carries",
                  builder.getStrArrayAttr(SmallVector<StringRef>(carried.size(), "ahead")));
  {
    OpBuilder::InsertionGuard guard(builder);
    Block &inside = *kernel.getBody();
    if (carried.empty())
      inside.getTerminator()->erase();
    builder.setInsertionPointToEnd(&inside);
    // Turns count from that of stage 0, as if it were turn 0.
    DenseMap<std::pair<Value, int64_t>, Value> around = std::exchange(made, decltype(made)());
    SmallVector<Value> byStage;
    for (int64_t stage = 0; stage <= ahead; ++stage) {
      int64_t by = (ahead - stage) * step;
      Value variable = kernel.getInductionVar();
      if (by != 0) {
        variables.push_back(affine::AffineApplyOp::create(
            builder, loop.getInductionVar().getLoc(),
            AffineMap::get(1, 0, builder.getAffineDimExpr(0) + by), ValueRange(variable)));
        variable = variables.back();
      }
      byStage.push_back(variable);
    }
    for (unsigned number : order.nodes) {
      int64_t stage = order.stages[number];
      auto find = [&](const Read &read) {
        if (apart(read, stage) == 0)
          return turnOf(read.value, 0);
        return Value(kernel.getRegionIterArgs()[carried.lookup(read.value)]);
      };
      copy(number, find, byStage[stage], 0);
    }
    SmallVector<Value> nexts =
        llvm::map_to_vector(carried, [&](const auto &each) { return turnOf(each.first, 0); });
    affine::AffineYieldOp::create(builder, loop.getLoc(), nexts);
    made = std::move(around);
  }
  // What its last turn has made.
  for (auto [each, result] : llvm::zip(carried, kernel.getResults()))
    made[{each.first, trips - 1 - stageOf(each.first)}] = result;

  for (int64_t now = trips; now < trips + ahead; ++now)
    outside(now, [&](int64_t stage) { return now - stage < trips; });
  for (auto [result, next] : llvm::zip(loop.getResults(), body.getTerminator()->getOperands()))
    result.replaceAllUsesWith(turnOf(next, trips - 1));
  loop.erase();
  for (affine::AffineApplyOp variable : variables)
    if (variable->use_empty())
      variable.erase();
}

} // namespace

const char *pipelineProblem(AffineForOp loop, const BlockGraph &graph, const PipeOrder &order) {
  std::optional<uint64_t> trips = affine::getConstantTripCount(loop);
  if (!loop.hasConstantBounds() || !trips)
    return "its bounds are no constants";
  if (static_cast<int64_t>(*trips) < order.stageCount + 1)
    return "it has too few iterations";
  llvm::SmallDenseSet<Value> seen;
  for (Value next : loop.getBody()->getTerminator()->getOperands())
    if (!graph.maker(next) || graph.isSign(next.getDefiningOp()) || !seen.insert(next).second)
      return "what it carries is not made by one op each";
  return nullptr;
}

void pipelineTurns(AffineForOp loop, const BlockGraph &graph, const PipeOrder &order) {
  SoftwarePipeline(loop, graph, order).run();
}

void moveInOrder(const BlockGraph &graph, const PipeOrder &order, Block &block,
                 Block::iterator end) {
  for (Operation *op : graph.free())
    op->moveBefore(&block, end);
  for (unsigned number : order.nodes)
    for (Operation *op : graph.nodes()[number].ops)
      op->moveBefore(&block, end);
}

} // namespace weft
