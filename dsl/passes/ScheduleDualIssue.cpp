//===- ScheduleDualIssue.cpp - ops in the order in which two pipes take them ===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// A compute core takes instructions in the order in which they stand, two a cycle where one is
// for each pipe and both have their operands. So what is ready goes before what waits. In a loop,
// one turn alone is mostly shorter than the way from its loads to its stores: turns overlap, each
// beginning while those before it end, where registers allow and the loop turns often enough.
//
// An order is judged by a model of the core, counting and branching included; of the orders
// that are tried, the shortest is kept. The emitter tells the C compiler to keep it.
//
// The C compiler orders for itself what it is not told to keep, and sees what it spills. So all
// that a core does is ordered here or nothing of it: where it has loops, and no value need be
// spilled. What the C compiler orders itself is written for it: arrays of a core's memory are parts
// of one for the C compiler, so that no load passes a store in front of it. Each body stands as a
// list schedule has it, where loads go before stores that they do not wait for as far as registers
// allow.
//
// A schedule may ask for an order (`weft.order`), whatever it wins or spills: any is legal, as
// memory, messages and transfers keep theirs. By latency, the one above; by pressure, bodies in
// place with the fewest values at a time; by the source, none of ours.
//
//===-----------------------------------------------------------------------===//

#include "dialect/Cpe.h"
#include "dialect/Target.h"
#include "passes/Notes.h"
#include "passes/Passes.h"
#include "passes/pipes/OrderProblem.h"
#include "passes/pipes/SoftwarePipeline.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <functional>

namespace weft {
#define GEN_PASS_DEF_SCHEDULEDUALISSUE
#include "passes/Passes.h.inc"
} // namespace weft

using namespace mlir;
using affine::AffineForOp;
using weft::BlockGraph;
using weft::PipeOrder;

namespace {

constexpr weft::Notes notes("schedule-dual-issue");

/// Turns that are at work at the same time, at most.
constexpr int64_t mostStages = 4;

/// Nodes of a body whose turns are tried to overlap: registers do not suffice for more.
constexpr size_t mostNodes = 256;

/// Registers that stay free of values: those of addresses and counts are not all known here.
constexpr int64_t keptFree = 2;

/// More that stay free where the C compiler has the last word: what it reloads needs some.
constexpr int64_t keptForCompiler = 4;

class ScheduleDualIssue : public weft::impl::ScheduleDualIssueBase<ScheduleDualIssue> {
public:
  using ScheduleDualIssueBase::ScheduleDualIssueBase;
  void runOnOperation() override;

private:
  /// What the schedule of the kernel asks for.
  enum class By { Cost, Latency, Pressure, Source };
  static By askedFor(weft::cpe::CoresOp cores);
  void orderCores(weft::cpe::CoresOp cores);
  weft::cpe::CoresOp ordered(weft::cpe::CoresOp cores);
  void orderLoop(AffineForOp loop);
  void orderRuns(Block &block);
  void writeForCompiler(weft::cpe::CoresOp cores);
  /// Whether an order needs about all registers, or more.
  bool mightSpill(const BlockGraph &graph, const PipeOrder &order, Location where);
  PipeOrder bestInPlace(const BlockGraph &graph, int64_t room, bool turns) const;
  PipeOrder fewestAlive(const BlockGraph &graph, bool turns) const;
  /// Registers for values that a body makes.
  int64_t roomIn(const BlockGraph &graph) const {
    return registers - graph.outside() - graph.pointers();
  }
  int64_t entriesOf(AffineForOp loop) const;

  int64_t registers = 0, cores = 1;
  By by = By::Cost;
  /// Of the cores' work that is looked at: whether it has loops; what is told if they stay as they
  /// are ordered; where a value might be spilled, and of how many.
  struct Work {
    bool hasLoops = false;
    std::vector<std::function<void()>> notes;
    std::vector<std::string> problems;
    std::optional<Location> spills;
    int64_t values = 0, room = 0;
    /// Whether what is ordered takes the place of what the cores do.
    bool isKept(By by) const { return !spills && (by != By::Cost || hasLoops); }
  };
  Work work;
  std::vector<std::string> told; ///< problems of all that is ordered
  std::optional<weft::PipeModel> pipes;
};

/// How often a core comes to a loop.
int64_t ScheduleDualIssue::entriesOf(AffineForOp loop) const {
  int64_t entries = 1;
  for (auto around = loop->getParentOfType<AffineForOp>(); around;
       around = around->getParentOfType<AffineForOp>()) {
    entries *= static_cast<int64_t>(affine::getConstantTripCount(around).value_or(1));
    auto outer = around->getParentOfType<AffineForOp>();
    bool outermost =
        around->hasAttr("weft.parallel") && !(outer && outer->hasAttr("weft.parallel"));
    if (outermost)
      entries = std::max<int64_t>(1, entries / cores);
  }
  return entries;
}

/// Of the order that there is and of list schedules that spare registers, the shortest with what
/// it spills.
PipeOrder ScheduleDualIssue::bestInPlace(const BlockGraph &graph, int64_t room, bool turns) const {
  if (by == By::Pressure)
    return fewestAlive(graph, turns);
  PipeOrder best = weft::asWritten(graph);
  auto cost = [&](const PipeOrder &order) {
    constexpr int64_t access = 2; // cycles, of waiting too
    auto *cycles = turns ? weft::turnCycles : weft::runCycles;
    return cycles(graph, *pipes, order) + access * weft::spillAccesses(graph, order, room);
  };
  int64_t least = cost(best);
  for (int64_t spared : {int64_t{0}, int64_t{2}, int64_t{4}, room / 4, room / 2, 3 * room / 4}) {
    PipeOrder order = weft::listOrder(graph, room - spared, room);
    if (int64_t cycles = cost(order); cycles < least) {
      least = cycles;
      best = std::move(order);
    }
  }
  return best;
}

/// Of the order that there is and of list schedules that spare registers, the one with the fewest
/// values at a time; of equal ones the shortest.
PipeOrder ScheduleDualIssue::fewestAlive(const BlockGraph &graph, bool turns) const {
  auto cost = [&](const PipeOrder &order) {
    auto *cycles = turns ? weft::turnCycles : weft::runCycles;
    return std::pair(weft::mostAlive(graph, order), cycles(graph, *pipes, order));
  };
  PipeOrder best = weft::asWritten(graph);
  for (int64_t spared = roomIn(graph); spared >= 0; --spared)
    if (PipeOrder order = weft::listOrder(graph, spared); cost(order) < cost(best))
      best = std::move(order);
  return best;
}

bool ScheduleDualIssue::mightSpill(const BlockGraph &graph, const PipeOrder &order,
                                   Location where) {
  int64_t values = weft::mostAlive(graph, order), room = roomIn(graph);
  if (by != By::Cost || values + keptFree <= room)
    return false;
  if (!work.spills) {
    work.spills = where;
    work.values = values;
    work.room = room;
  }
  return true;
}

void ScheduleDualIssue::orderLoop(AffineForOp loop) {
  SmallVector<Operation *> ops;
  for (Operation &op : loop.getBody()->without_terminator())
    ops.push_back(&op);
  BlockGraph graph(ops, *pipes, loop);
  if (graph.nodes().empty())
    return;
  std::string name = weft::spokenLoop(loop.getInductionVar());
  int64_t room = roomIn(graph);
  PipeOrder best = bestInPlace(graph, room - keptFree, true);
  if (mightSpill(graph, best, loop.getLoc()))
    return;
  int64_t trips = static_cast<int64_t>(affine::getConstantTripCount(loop).value_or(1));
  int64_t inPlace = weft::turnCycles(graph, *pipes, best);
  int64_t bound = weft::leastInterval(graph, *pipes);
  // Fetching instructions counts: what stands before and behind the loop is fetched once.
  int64_t entries = entriesOf(loop);
  auto whole = [&](const PipeOrder &order) {
    const weft::PipeModel::Issue &issue = pipes->issue();
    int64_t more = (order.stageCount - 1) * graph.instructionCount();
    int64_t fetched = issue.line ? more * issue.miss / issue.line : 0;
    return weft::loopCycles(graph, *pipes, order, trips) + fetched / entries;
  };
  int64_t least = whole(best);
  work.hasLoops = true;
  const char *reason = "no order of overlapping turns is shorter";
  if (by == By::Pressure)
    reason = "the schedule asks for few values at a time";
  else if (graph.nodes().size() > mostNodes)
    reason = "its body is too long";
  else
    for (int64_t interval = bound, found = 0; interval < inPlace && found < 3; ++interval) {
      std::optional<PipeOrder> order =
          weft::moduloOrder(graph, *pipes, interval, room - keptFree, mostStages);
      if (!order || order->stageCount == 1)
        continue;
      if (const char *problem = weft::pipelineProblem(loop, graph, *order)) {
        reason = problem;
        break;
      }
      // The next ones may leave more room to counting.
      ++found;
      if (int64_t cycles = whole(*order); cycles < least) {
        least = cycles;
        best = std::move(*order);
      } else {
        reason = "the first and the last turns cost what the others save";
      }
    }
  if (weft::Notes::wanted(loop.getLoc())) {
    int64_t cycles = weft::turnCycles(graph, *pipes, best), turns = best.stageCount;
    int64_t values = weft::mostAlive(graph, best);
    work.notes.emplace_back([=, where = loop.getLoc()] {
      notes.decided(where, "{0}: {1}", name, turns > 1 ? "turns that overlap" : "its body in order")
          .because(turns > 1 ? "{0} cycles a turn instead of {1}, {2} at least; {3} turns at a "
                               "time, {4} values, of {5} registers"
                             : "{0} cycles a turn instead of {1}, {2} at least; {6}; {4} values, "
                               "of {5} registers",
                   cycles, inPlace, bound, turns, values, room, reason)
          .number("cycles", cycles)
          .number("in_place", inPlace)
          .number("bound", bound)
          .number("turns", turns);
    });
  }
  if (!problems.empty())
    work.problems.push_back(weft::orderProblem(graph, {name, weft::placeIn(loop.getLoc()),
                                                       weft::turnCycles(graph, *pipes, best), bound,
                                                       room - keptFree, entries, mostStages}));
  if (best.stageCount > 1)
    weft::pipelineTurns(loop, graph, best);
  else
    weft::moveInOrder(graph, best, *loop.getBody(), loop.getBody()->getTerminator()->getIterator());
}

/// Ops between loops, transfers and meetings, each row of them in the order that is chosen for it.
void forRuns(Block &block, llvm::function_ref<void(ArrayRef<Operation *>, Block::iterator)> order) {
  SmallVector<Operation *> run;
  auto close = [&](Block::iterator end) {
    if (run.size() > 1)
      order(run, end);
    run.clear();
  };
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (BlockGraph::takes(op))
      run.push_back(&op);
    else
      close(op.getIterator());
  }
  close(block.end());
}

void ScheduleDualIssue::orderRuns(Block &block) {
  forRuns(block, [&](ArrayRef<Operation *> run, Block::iterator end) {
    BlockGraph graph(run, *pipes);
    PipeOrder best = bestInPlace(graph, roomIn(graph) - keptFree, false);
    if (!mightSpill(graph, best, run.front()->getLoc()))
      weft::moveInOrder(graph, best, block, end);
  });
}

/// Loads in front of stores that they do not wait for: the C compiler cannot tell that.
void ScheduleDualIssue::writeForCompiler(weft::cpe::CoresOp cores) {
  SmallVector<Block *> blocks;
  cores->walk([&](Block *block) { blocks.push_back(block); });
  for (Block *block : blocks)
    forRuns(*block, [&](ArrayRef<Operation *> run, Block::iterator end) {
      BlockGraph graph(run, *pipes);
      weft::moveInOrder(graph, weft::listOrder(graph, roomIn(graph) - keptForCompiler), *block,
                        end);
    });
}

ScheduleDualIssue::By ScheduleDualIssue::askedFor(weft::cpe::CoresOp cores) {
  auto kernel = cores->getParentOfType<func::FuncOp>();
  auto asked = kernel ? kernel->getAttrOfType<StringAttr>("weft.order") : StringAttr();
  return llvm::StringSwitch<By>(asked ? asked.getValue() : "")
      .Case("latency", By::Latency)
      .Case("pressure", By::Pressure)
      .Case("source", By::Source)
      .Default(By::Cost);
}

/// A copy in order, whole unless something would be spilled that need not be, or no loop is
/// ordered.
weft::cpe::CoresOp ScheduleDualIssue::ordered(weft::cpe::CoresOp cores) {
  work = Work();
  auto copy = cast<weft::cpe::CoresOp>(OpBuilder(cores).clone(*cores));
  auto isOrdered = [](AffineForOp loop) {
    return !loop->hasAttr("weft.parallel") &&
           llvm::all_of(loop.getBody()->without_terminator(), BlockGraph::takes);
  };
  SmallVector<AffineForOp> loops;
  copy->walk([&](AffineForOp loop) {
    if (isOrdered(loop))
      loops.push_back(loop);
  });
  for (AffineForOp loop : loops)
    if (!work.spills)
      orderLoop(loop);
  if (!work.isKept(by))
    return copy;
  SmallVector<Block *> blocks;
  copy->walk([&](Block *block) {
    auto loop = dyn_cast<AffineForOp>(block->getParentOp());
    if (!loop || !isOrdered(loop))
      blocks.push_back(block);
  });
  for (Block *block : blocks)
    orderRuns(*block);
  return copy;
}

/// The copy takes the place of what the cores do if it is good.
void ScheduleDualIssue::orderCores(weft::cpe::CoresOp cores) {
  by = askedFor(cores);
  if (by == By::Source) {
    notes.decided(cores, "what a core does, as it is").because("the schedule asks for it");
    return;
  }
  weft::cpe::CoresOp copy = ordered(cores);
  if (work.isKept(by)) {
    for (const auto &tell : work.notes)
      tell();
    told.insert(told.end(), work.problems.begin(), work.problems.end());
    copy->setAttr("weft.ordered", UnitAttr::get(&getContext()));
    cores.erase();
    return;
  }
  copy.erase();
  writeForCompiler(cores);
  if (work.spills)
    notes.rejected(*work.spills, "what a core does, in order")
        .because(
            "{0} values at a time, of {1} registers: the C compiler knows better what to spill",
            work.values, work.room)
        .number("values", work.values)
        .number("registers", work.room);
}

void ScheduleDualIssue::runOnOperation() {
  FailureOr<weft::Target> target = weft::Target::of(getOperation());
  if (failed(target))
    return signalPassFailure();
  FailureOr<int64_t> vectorRegisters = target->number("vector_registers");
  FailureOr<weft::VectorUnit> unit = target->vectors();
  if (failed(vectorRegisters) || failed(unit))
    return signalPassFailure();
  registers = *vectorRegisters;
  cores = target->numberIfAny("cores").value_or(1);
  pipes = weft::PipeModel::of(*target, *unit);
  if (!pipes)
    return;

  SmallVector<weft::cpe::CoresOp> all;
  getOperation()->walk([&](weft::cpe::CoresOp op) { all.push_back(op); });
  for (weft::cpe::CoresOp op : all)
    orderCores(op);
  WalkResult walked = getOperation()->walk([&](func::FuncOp func) {
    auto asked = func->getAttrOfType<StringAttr>("weft.order");
    bool hasCores =
        func.walk([](weft::cpe::CoresOp) { return WalkResult::interrupt(); }).wasInterrupted();
    if (!asked || asked.getValue() == "source" || hasCores)
      return WalkResult::advance();
    func.emitError() << "schedule: order " << asked.getValue()
                     << ": nothing of the kernel runs on the compute cores; expected source";
    return WalkResult::interrupt();
  });
  if (walked.wasInterrupted())
    return signalPassFailure();
  if (problems.empty())
    return;
  std::error_code failed;
  llvm::raw_fd_ostream file(problems, failed, llvm::sys::fs::OF_Append);
  if (failed) {
    getOperation()->emitError() << "cannot write to '" << problems << "': " << failed.message();
    return signalPassFailure();
  }
  for (const std::string &one : told)
    file << one << '\n';
}

} // namespace
