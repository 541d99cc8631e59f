//===- OverlapTurns.cpp - what meets on the pipes of a core out of order -----===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// A butterfly along a line is arithmetic first and shuffles last: what it stores is turned in
// registers, by squares. Each takes pipes of its own, and a core out of order would do the shuffles
// of one turn beside the arithmetic of the next, if it saw so far: a turn has more operations than
// may wait. So the order in which they stand brings them together. What shuffles alone lie between
// and the stores is done a turn later, among the arithmetic of the next turn; and what has the
// longest way to the end stands first (WideCore).
//
// Turns overlap where registers hold what passes between them, of squares of eight vectors mostly.
// Else a body is put in order by itself, where it then needs no more values at a time than before:
// what is spilled costs more than the order wins. Bodies without squares have their own passes
// (order-accesses, balance-sums) and stay as they are.
//
// Threads share the turns of a parallel loop, so that none is carried from one to the next.
//
// Where the target tells how far the core sees (wide_window), orders are tried as it would see
// them, and the best stands (WideOrders.h), although it may need more values at a time; also of
// operations between loops, a stage of short lines that has one turn.
//
//===-----------------------------------------------------------------------===//

#include "dialect/Target.h"
#include "passes/Notes.h"
#include "passes/Passes.h"
#include "passes/loops/Pressure.h"
#include "passes/pipes/SoftwarePipeline.h"
#include "passes/pipes/WideCore.h"
#include "passes/pipes/WideOrders.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace weft {
#define GEN_PASS_DEF_OVERLAPTURNS
#include "passes/Passes.h.inc"
} // namespace weft

using namespace mlir;
using namespace weft;
using affine::AffineForOp;

namespace {

constexpr Notes notes("overlap-turns");

/// Nodes of a body that is looked at: a list schedule takes milliseconds for more. Where it is
/// known how far the core sees, so that an order stands for its cycles, more are.
constexpr size_t mostNodes = 512, mostSeen = 1024;

/// By node, whether nothing but shuffles of two vectors lies between it and the stores.
SmallVector<bool> turning(const BlockGraph &graph) {
  ArrayRef<BlockGraph::Node> nodes = graph.nodes();
  auto isTurning = [](const BlockGraph::Node &node) {
    auto shuffle = dyn_cast<vector::ShuffleOp>(node.ops.front());
    return shuffle && node.ops.size() == 1 && shuffle.getV1() != shuffle.getV2();
  };
  auto isStore = [](const BlockGraph::Node &node) {
    return isa<affine::AffineVectorStoreOp>(node.ops.front());
  };
  SmallVector<bool> found(nodes.size(), false);
  for (size_t number = nodes.size(); number-- > 0;) {
    const BlockGraph::Node &node = nodes[number];
    found[number] =
        isTurning(node) && !node.livesOn && !node.readers.empty() &&
        llvm::all_of(node.readers, [&](const BlockGraph::Wait &reader) {
          return reader.turns == 0 && (isStore(nodes[reader.node]) || found[reader.node]);
        });
  }
  for (auto [number, node] : llvm::enumerate(nodes))
    if (isStore(node))
      found[number] = llvm::any_of(node.before, [&](const BlockGraph::Wait &wait) {
        return wait.turns == 0 && found[wait.node];
      });
  return found;
}

/// Whether shuffles of what others have shuffled are among them: columns, which only put real and
/// imaginary parts beside each other, gain nothing (8 of 2048 and 4096 points of c128 0.95 and 0.93
/// times as fast).
bool hasSquares(const BlockGraph &graph, ArrayRef<bool> late) {
  for (auto [number, node] : llvm::enumerate(graph.nodes()))
    if (late[number] && isa<vector::ShuffleOp>(node.ops.front()) &&
        llvm::any_of(node.before, [&](const BlockGraph::Wait &wait) { return late[wait.node]; }))
      return true;
  return false;
}

/// An order by the cycles of a list schedule, where what is late spreads over the whole turn.
PipeOrder spread(PipeOrder order, ArrayRef<int64_t> times, ArrayRef<bool> late) {
  int64_t first = std::numeric_limits<int64_t>::max(), ends[2] = {0, 0};
  for (unsigned number : order.nodes) {
    if (late[number])
      first = std::min(first, times[number]);
    ends[late[number]] = std::max(ends[late[number]], times[number] + 1);
  }
  auto place = [&](unsigned number) {
    return late[number] ? double(times[number] - first) / double(ends[1] - first)
                        : double(times[number]) / double(ends[0]);
  };
  llvm::stable_sort(order.nodes, [&](unsigned one, unsigned other) {
    return std::pair(place(one), !late[one]) < std::pair(place(other), !late[other]);
  });
  for (unsigned number : order.nodes)
    order.stages[number] = late[number];
  order.stageCount = 2;
  return order;
}

/// Whether each node stands behind what it waits for, in turns that overlap as well.
bool isLegal(const BlockGraph &graph, const PipeOrder &order) {
  SmallVector<size_t> position(order.nodes.size());
  for (auto [at, number] : llvm::enumerate(order.nodes))
    position[number] = at;
  for (unsigned number : order.nodes)
    for (const BlockGraph::Wait &wait : graph.nodes()[number].before) {
      int64_t apart = order.stages[number] + wait.turns - order.stages[wait.node];
      if (apart < 0 || (apart == 0 && position[wait.node] >= position[number]))
        return false;
    }
  return true;
}

/// Whether halves of two rows are still loaded as halves: memory is as it was for both.
bool keepsPairs(const BlockGraph &graph, const PipeOrder &order) {
  SmallVector<int64_t> stores(order.nodes.size(), 0);
  int64_t count = 0;
  for (unsigned number : order.nodes) {
    count += isa<affine::AffineVectorStoreOp>(graph.nodes()[number].ops.front());
    stores[number] = count;
  }
  auto isLoad = [&](unsigned number) {
    return isa<affine::AffineVectorLoadOp>(graph.nodes()[number].ops.front());
  };
  for (auto [number, node] : llvm::enumerate(graph.nodes()))
    if (auto shuffle = dyn_cast<vector::ShuffleOp>(node.ops.front());
        shuffle && shuffle.getV1() != shuffle.getV2() &&
        llvm::all_of(node.before, [&](const BlockGraph::Wait &wait) { return isLoad(wait.node); }))
      for (const BlockGraph::Wait &wait : node.before)
        if (stores[wait.node] != stores[number])
          return false;
  return true;
}

/// Not what one operation reads from memory as it goes.
bool needsRegister(const BlockGraph::Node &node) {
  return node.readers.size() != 1 || node.ops.size() != 1 ||
         !isa<affine::AffineVectorLoadOp>(node.ops.front());
}

/// Whether twiddles are spread over lanes in registers, where each takes two for longer the earlier
/// it is loaded: lines of 960 to 1920 points of c128 0.95 to 0.97 times as fast in another order
/// with as many values.
bool spreadsLoads(const BlockGraph &graph) {
  return llvm::any_of(graph.nodes(), [&](const BlockGraph::Node &node) {
    auto shuffle = dyn_cast<vector::ShuffleOp>(node.ops.front());
    return shuffle && shuffle.getV1() == shuffle.getV2() &&
           shuffle.getV1().getDefiningOp<affine::AffineVectorLoadOp>();
  });
}

class OverlapTurns : public weft::impl::OverlapTurnsBase<OverlapTurns> {
public:
  using OverlapTurnsBase::OverlapTurnsBase;
  void runOnOperation() override;

private:
  void order(AffineForOp loop);
  void orderRuns(AffineForOp loop);
  void orderInWindow(AffineForOp loop, ArrayRef<Operation *> ops, const BlockGraph &graph,
                     int64_t room);
  std::optional<WideCore> core;
  int64_t registers = 0;
};

void OverlapTurns::order(AffineForOp loop) {
  Block &body = *loop.getBody();
  SmallVector<Operation *> ops;
  bool hasShuffles = false, hasStores = false;
  for (Operation &op : body.without_terminator()) {
    ops.push_back(&op);
    hasShuffles |= isa<vector::ShuffleOp>(op);
    hasStores |= isa<affine::AffineVectorStoreOp>(op);
  }
  std::optional<uint64_t> trips = affine::getConstantTripCount(loop);
  if (!hasShuffles || !hasStores || !trips || *trips < 2 || loop.getNumResults() != 0)
    return;
  std::optional<BlockGraph> graph = core->graphOf(ops, loop);
  if (!graph || graph->nodes().size() > (core->seesSoFar() ? mostSeen : mostNodes))
    return;
  SmallVector<bool> late = turning(*graph);
  if (!hasSquares(*graph, late))
    return;
  int64_t room = registers - pressureOf(body).distinct;
  PipeOrder best;
  int64_t alive = 0;
  /// The one of few values at a time that has all of them in so many registers.
  auto take = [&](int64_t most, bool overlaps) {
    for (int64_t spared : {0, 4, 8, 12}) {
      SmallVector<int64_t> times;
      PipeOrder order = core->listOrder(*graph, room - spared, times);
      if (overlaps)
        order = spread(std::move(order), times, late);
      alive = mostAlive(*graph, order, needsRegister);
      if (alive > most || !isLegal(*graph, order) || !keepsPairs(*graph, order) ||
          (overlaps && pipelineProblem(loop, *graph, order)))
        continue;
      best = std::move(order);
      return true;
    }
    return false;
  };
  // Another order alone wins less than a value costs that is stored and loaded again, unless it is
  // known how far the core sees.
  int64_t asItIs =
      mostAlive(*graph, asWritten(*graph), needsRegister) - int64_t(spreadsLoads(*graph));
  bool isBetter = !loop->hasAttr("weft.parallel") && take(room, true);
  if (!isBetter && core->seesSoFar())
    return orderInWindow(loop, ops, *graph, room);
  isBetter = isBetter || take(asItIs, false);
  if (Notes::wanted(loop.getLoc())) {
    std::string name = spokenLoop(loop.getInductionVar());
    if (isBetter)
      notes
          .decided(loop, "{0}: {1}", name,
                   best.stageCount > 1 ? "results turned and stored a turn later"
                                       : "its body in another order")
          .because("shuffles and arithmetic take pipes of their own (wide_pipes); {0} values at a "
                   "time, of {1} registers",
                   alive, room)
          .number("alive", alive)
          .number("stages", best.stageCount);
    else
      notes.rejected(loop, "{0} in another order", name)
          .because("{0} registers do not hold its values, or not as few as now", room)
          .number("room", room);
  }
  if (!isBetter)
    return;
  if (best.stageCount > 1)
    pipelineTurns(loop, *graph, best);
  else
    moveInOrder(*graph, best, body, body.getTerminator()->getIterator());
}

void OverlapTurns::orderInWindow(AffineForOp loop, ArrayRef<Operation *> ops,
                                 const BlockGraph &graph, int64_t room) {
  WideOrder best = bestInWindow(
      *core, graph, room,
      [&](const PipeOrder &order) { return mostAlive(graph, order, needsRegister); },
      [&](const PipeOrder &order) { return isLegal(graph, order) && keepsPairs(graph, order); });
  if (Notes::wanted(loop.getLoc())) {
    std::string name = spokenLoop(loop.getInductionVar());
    if (best.isAsWritten)
      notes.rejected(loop, "{0} in another order", name)
          .because(
              "in none a turn takes fewer cycles than {0}, of what the core sees (wide_window)",
              best.cycles)
          .number("cycles", best.cycles);
    else
      notes.decided(loop, "{0}: {1} operations in another order", name, graph.nodes().size())
          .because("a turn takes {0} cycles rather than {1}, of what the core sees (wide_window); "
                   "{2} values at a time, of {3} registers",
                   best.cycles, best.cyclesAsWritten, best.alive, room)
          .number("cycles", best.cycles)
          .number("alive", best.alive);
  }
  if (!best.isAsWritten)
    moveInOrder(graph, best.order, *loop.getBody(), std::next(ops.back()->getIterator()));
}

/// Of a body with loops or memory of its own, the operations between them.
void OverlapTurns::orderRuns(AffineForOp loop) {
  SmallVector<SmallVector<Operation *>> runs(1);
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (BlockGraph::takes(op))
      runs.back().push_back(&op);
    else if (!runs.back().empty())
      runs.emplace_back();
  }
  for (ArrayRef<Operation *> ops : runs) {
    if (llvm::none_of(ops, llvm::IsaPred<vector::ShuffleOp>) ||
        llvm::none_of(ops, llvm::IsaPred<affine::AffineVectorStoreOp>))
      continue;
    std::optional<BlockGraph> graph = core->graphOf(ops, {});
    if (!graph || graph->nodes().size() > mostSeen || !hasSquares(*graph, turning(*graph)))
      continue;
    orderInWindow(loop, ops, *graph, registers - graph->outside());
  }
}

void OverlapTurns::runOnOperation() {
  FailureOr<Target> target = Target::of(getOperation());
  if (failed(target))
    return signalPassFailure();
  core = WideCore::of(*target);
  if (!core)
    return;
  FailureOr<int64_t> known = target->number("vector_registers");
  if (failed(known))
    return signalPassFailure();
  registers = *known;
  SmallVector<AffineForOp> loops;
  getOperation().walk([&](AffineForOp loop) { loops.push_back(loop); });
  for (AffineForOp loop : loops) {
    if (llvm::all_of(loop.getBody()->without_terminator(), BlockGraph::takes))
      order(loop);
    else if (core->seesSoFar())
      orderRuns(loop);
  }
}

} // namespace
