//===- PipeOrder.cpp - list schedules, and what an order takes --------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/pipes/PipeOrder.h"

#include "passes/pipes/AliveValues.h"

#include "llvm/ADT/STLExtras.h"

#include <array>
#include <numeric>

using namespace mlir;

namespace weft {

using Node = BlockGraph::Node;
using Wait = BlockGraph::Wait;

PipeOrder asWritten(const BlockGraph &graph) {
  PipeOrder order;
  order.nodes.resize(graph.nodes().size());
  std::iota(order.nodes.begin(), order.nodes.end(), 0);
  order.stages.assign(graph.nodes().size(), 0);
  return order;
}

/// Cycles from the issue of each node to the end of what depends on it in its turn.
static SmallVector<int64_t> heightsOf(const BlockGraph &graph) {
  ArrayRef<Node> nodes = graph.nodes();
  SmallVector<int64_t> heights(nodes.size(), 0);
  for (size_t number = nodes.size(); number-- > 0;) {
    heights[number] = std::max(heights[number], nodes[number].latency);
    for (const Wait &wait : nodes[number].before)
      if (wait.turns == 0)
        heights[wait.node] = std::max(heights[wait.node], heights[number] + wait.cycles);
  }
  return heights;
}

PipeOrder listOrder(const BlockGraph &graph, int64_t registers, int64_t most) {
  ArrayRef<Node> nodes = graph.nodes();
  SmallVector<int64_t> heights = heightsOf(graph), earliest(nodes.size(), 0);
  SmallVector<int64_t> waiting(nodes.size(), 0);
  SmallVector<unsigned> ready;
  for (auto [number, node] : llvm::enumerate(nodes)) {
    waiting[number] = llvm::count_if(node.before, [](const Wait &w) { return w.turns == 0; });
    if (waiting[number] == 0)
      ready.push_back(number);
  }
  PipeOrder order;
  order.stages.assign(nodes.size(), 0);
  AliveValues alive(graph);
  std::array<int64_t, 2> freeAt = {0, 0};
  int64_t dividerFree = 0;
  auto soonest = [&](unsigned number) {
    const Node &node = nodes[number];
    int64_t pipe = node.pipe < 2 ? freeAt[node.pipe] : std::min(freeAt[0], freeAt[1]);
    if (node.instructions.empty())
      pipe = 0;
    return std::max({earliest[number], pipe, node.divides ? dividerFree : 0});
  };
  int64_t cycle = 0;
  while (!ready.empty()) {
    bool tight = alive.now() >= registers;
    // With so many registers taken, first what frees one, if it need not wait; then, while there is
    // a register, what goes on with values that are there; then both although they wait, and at
    // last what brings new ones. Else what can be now.
    auto rank = [&](unsigned number) {
      int64_t when = std::max(cycle, soonest(number)), more = alive.change(number);
      if (!tight)
        return std::tuple(0, when, -heights[number], number);
      bool now = when <= cycle + 1;
      int order = more <= 0                           ? (now ? 0 : 2)
                  : !alive.reads(number)              ? 4
                  : now && alive.now() + more <= most ? 1
                                                      : 3;
      return std::tuple(order, when, more <= 0 ? -heights[number] : 0, number);
    };
    auto best = llvm::min_element(
        ready, [&](unsigned left, unsigned right) { return rank(left) < rank(right); });
    unsigned chosen = *best;
    ready.erase(best);
    const Node &node = nodes[chosen];
    cycle = std::max(cycle, soonest(chosen));
    if (!node.instructions.empty()) {
      int64_t pipe = node.pipe < 2 ? node.pipe : (freeAt[1] <= freeAt[0] ? 1 : 0);
      freeAt[pipe] = cycle + node.busy;
      if (node.divides)
        dividerFree = cycle + node.divides;
    }
    order.nodes.push_back(chosen);
    alive.place(chosen);
    for (const Wait &next : node.after) {
      if (next.turns != 0)
        continue;
      earliest[next.node] = std::max(earliest[next.node], cycle + next.cycles);
      if (--waiting[next.node] == 0)
        ready.push_back(next.node);
    }
  }
  return order;
}

int64_t mostAlive(const BlockGraph &graph, const PipeOrder &order,
                  llvm::function_ref<bool(const BlockGraph::Node &)> counts) {
  auto size = static_cast<int64_t>(order.nodes.size());
  SmallVector<int64_t> position(size, 0), changes(size + 1, 0);
  for (auto [at, number] : llvm::enumerate(order.nodes))
    position[number] = static_cast<int64_t>(at);
  int64_t always = 0;
  for (auto [number, node] : llvm::enumerate(graph.nodes())) {
    if (!node.inRegister || !counts(node))
      continue;
    // To the last reader, in positions of turns one behind the other.
    int64_t from = position[number], to = node.livesOn ? size : from;
    for (const Wait &reader : node.readers) {
      int64_t turns = order.stages[reader.node] - order.stages[number] + reader.turns;
      to = std::max(to, position[reader.node] + turns * size);
    }
    always += (to - from) / size;
    int64_t end = from + (to - from) % size;
    ++changes[from];
    --changes[std::min(end, size)];
    if (end > size) {
      ++changes[0];
      --changes[end - size];
    }
  }
  int64_t alive = always, most = always;
  for (int64_t change : changes)
    most = std::max(most, alive += change);
  return most;
}

int64_t spillAccesses(const BlockGraph &graph, const PipeOrder &order, int64_t registers) {
  // Of one turn; what gives way is what is read last.
  SmallVector<SmallVector<int64_t, 4>> reads(graph.nodes().size());
  SmallVector<int64_t> position(order.nodes.size(), 0);
  for (auto [at, number] : llvm::enumerate(order.nodes))
    position[number] = static_cast<int64_t>(at);
  auto size = static_cast<int64_t>(order.nodes.size());
  for (auto [number, node] : llvm::enumerate(graph.nodes())) {
    for (const Wait &reader : node.readers)
      reads[number].push_back(reader.turns == 0 ? position[reader.node] : size);
    if (node.livesOn)
      reads[number].push_back(size);
    llvm::sort(reads[number], std::greater<>());
  }
  SmallVector<unsigned> inRegisters;
  llvm::SmallDenseSet<unsigned> stored;
  int64_t accesses = 0;
  auto makeRoom = [&](llvm::function_ref<bool(unsigned)> isKept) {
    while (static_cast<int64_t>(inRegisters.size()) >= std::max<int64_t>(registers, 4)) {
      unsigned *last = nullptr;
      for (unsigned &each : inRegisters)
        if (!isKept(each) && (!last || reads[each].back() > reads[*last].back()))
          last = &each;
      if (!last)
        return;
      accesses += stored.insert(*last).second;
      inRegisters.erase(last);
    }
  };
  for (auto [at, number] : llvm::enumerate(order.nodes)) {
    llvm::SmallDenseSet<unsigned> used;
    for (const Wait &wait : graph.nodes()[number].before)
      if (wait.turns == 0 && !reads[wait.node].empty() &&
          reads[wait.node].back() == static_cast<int64_t>(at))
        used.insert(wait.node);
    auto isKept = [&](unsigned each) { return used.contains(each); };
    for (unsigned each : used)
      if (!llvm::is_contained(inRegisters, each)) {
        makeRoom(isKept);
        ++accesses;
        inRegisters.push_back(each);
      }
    for (unsigned each : used) {
      while (!reads[each].empty() && reads[each].back() == static_cast<int64_t>(at))
        reads[each].pop_back();
      if (reads[each].empty())
        inRegisters.erase(llvm::find(inRegisters, each));
    }
    if (!reads[number].empty()) {
      makeRoom([](unsigned) { return false; });
      inRegisters.push_back(number);
    }
  }
  return accesses;
}

namespace {

/// The core: two instructions a cycle are decoded in order, each into its pipe, which issues in
/// order what has its operands; few wait before a pipe.
class Core {
public:
  explicit Core(const PipeModel &pipes) : rules(pipes.issue()) {}

  /// The cycle in which an instruction issues whose operands are there at `operands`.
  int64_t issue(const PipeModel::Timing &timing, int64_t operands, bool nextNeedsOne) {
    if (timing.busy > 1)
      operands = std::max(operands, dividerFree);
    int64_t first = decoded < rules.width ? decoding : decoding + 1;
    int64_t pipe = timing.pipe == 0 ? 0 : 1;
    auto [decode, at] = tryPipe(pipe, first, operands);
    if (timing.pipe == 2) {
      auto [otherDecode, otherAt] = tryPipe(0, first, operands);
      if (otherAt < at || (otherAt == at && nextNeedsOne)) {
        pipe = 0;
        decode = otherDecode;
        at = otherAt;
      }
    }
    if (decode > decoding || decoded >= rules.width) {
      decoding = decode;
      decoded = 0;
    }
    ++decoded;
    issued[pipe].push_back(at);
    if (timing.busy > 1)
      dividerFree = at + timing.busy;
    return at;
  }
  /// Behind a branch that is taken.
  void branch(int64_t at) {
    decoding = at + 1 + rules.taken;
    decoded = 0;
  }
  int64_t now() const { return decoding; }

private:
  std::pair<int64_t, int64_t> tryPipe(int64_t pipe, int64_t first, int64_t operands) const {
    const auto &before = issued[pipe];
    auto depth = static_cast<size_t>(std::max<int64_t>(rules.queue, 1));
    int64_t decode =
        before.size() < depth ? first : std::max(first, before[before.size() - depth] + 1);
    int64_t free = before.empty() ? decode : std::max(decode, before.back() + 1);
    return {decode, std::max(free, operands)};
  }

  PipeModel::Issue rules;
  int64_t decoding = 0, decoded = 0, dividerFree = 0;
  SmallVector<int64_t> issued[2];
};

/// An instruction of a turn, in the order of the text.
struct Step {
  PipeModel::Timing timing;
  std::optional<unsigned> node; ///< none: counting, moving a pointer
  bool first = true, last = true, joins = false;
};

/// The instructions of a turn, and those that count and move pointers where a pipe is free.
class Turn {
public:
  Turn(const BlockGraph &graph, const PipeModel &pipes, const PipeOrder &order) {
    for (unsigned number : order.nodes) {
      const Node &node = graph.nodes()[number];
      for (auto [at, timing] : llvm::enumerate(node.instructions))
        steps.push_back({timing, number, at == 0, at + 1 == node.instructions.size(),
                         node.joinsAt >= 0 && at + 1 == node.instructions.size()});
    }
    addCounting(graph, pipes, order);
  }
  SmallVector<Step> steps;

private:
  void addCounting(const BlockGraph &graph, const PipeModel &pipes, const PipeOrder &order);
};

void Turn::addCounting(const BlockGraph &graph, const PipeModel &pipes, const PipeOrder &order) {
  SmallVector<Step> own, joins, all;
  for (const Step &step : steps)
    (step.joins ? joins : own).push_back(step);
  SmallVector<int64_t> ready(graph.nodes().size(), 0), begun(graph.nodes().size(), -1);
  // The count and its comparison as early as a pipe is free; pointers behind the last access.
  int64_t counting = 2, counted = 0, pointers = graph.pointers();
  size_t lastAccess = own.size(), next = 0;
  while (lastAccess > 0 && !graph.nodes()[*own[lastAccess - 1].node].isAccess)
    --lastAccess;
  constexpr int64_t never = std::numeric_limits<int64_t>::max();
  for (const Step &step : joins)
    ready[*step.node] = never;
  bool taken[2] = {false, false};
  for (int64_t cycle = 0; next < own.size() || !joins.empty() || counting > 0 || pointers > 0;) {
    auto freePipe = [&](int64_t pipe) -> int64_t {
      if (pipe < 2)
        return taken[pipe] ? -1 : pipe;
      return !taken[1] ? 1 : !taken[0] ? 0 : -1;
    };
    if (next < own.size()) {
      const Step &step = own[next];
      const Node &node = graph.nodes()[*step.node];
      // Halves of an access do not wait for each other.
      int64_t at = step.first || node.joinsAt >= 0 ? 0 : begun[*step.node];
      if (step.first)
        for (const Wait &wait : node.before)
          if (order.stages[*step.node] - order.stages[wait.node] + wait.turns == 0)
            at = std::max(at, ready[wait.node]);
      if (int64_t pipe = freePipe(step.timing.pipe); at <= cycle && pipe >= 0) {
        taken[pipe] = true;
        begun[*step.node] = cycle + (node.isAccess ? 1 : step.timing.latency);
        if (node.joinsAt >= 0)
          begun[*step.node] = cycle + step.timing.latency;
        if (step.last)
          ready[*step.node] = cycle + step.timing.latency;
        all.push_back(step);
        ++next;
        continue;
      }
    }
    auto *join = llvm::find_if(joins, [&](const Step &step) {
      int64_t at = begun[*step.node];
      return at >= 0 && at <= cycle && (next >= own.size() || own[next].node != step.node);
    });
    if (join != joins.end() && !taken[0]) {
      taken[0] = true;
      ready[*join->node] = cycle + join->timing.latency;
      all.push_back(*join);
      joins.erase(join);
      continue;
    }
    int64_t pipe = freePipe(2);
    bool canCount = counting == 2 || (counting == 1 && cycle > counted);
    bool canMove = pointers > 0 && next >= lastAccess;
    if (pipe >= 0 && (canCount || canMove)) {
      taken[pipe] = true;
      all.push_back({pipes.integer(), std::nullopt});
      if (canCount) {
        counted = cycle;
        --counting;
      } else {
        --pointers;
      }
      continue;
    }
    ++cycle;
    taken[0] = taken[1] = false;
  }
  steps = std::move(all);
}

/// Runs turns one behind the other.
class Running {
public:
  Running(const BlockGraph &graph, const PipeModel &pipes, const PipeOrder &order)
      : graph(graph), pipes(pipes), order(order), turn(graph, pipes, order), core(pipes) {}

  /// Whether a node takes part in a turn; the cycle behind the turn.
  template <typename Takes> int64_t run(Takes takes, bool branches) {
    SmallVector<int64_t> next = made;
    next.resize(graph.nodes().size(), 0);
    SmallVector<int64_t> chained(graph.nodes().size(), 0);
    int64_t last = core.now();
    for (auto [at, step] : llvm::enumerate(turn.steps)) {
      bool nextNeedsOne =
          at + 1 < turn.steps.size() ? turn.steps[at + 1].timing.pipe == 1 : branches;
      if (!step.node) {
        if (branches)
          last = core.issue(step.timing, 0, nextNeedsOne);
        continue;
      }
      if (!takes(*step.node))
        continue;
      const Node &node = graph.nodes()[*step.node];
      int64_t operands = step.first || (node.isAccess && !step.joins) ? 0 : chained[*step.node];
      if (step.first)
        for (const Wait &wait : node.before) {
          int64_t turns = order.stages[*step.node] - order.stages[wait.node] + wait.turns;
          if (turns == 0)
            operands = std::max(operands, next[wait.node]);
          else if (turns == 1 && !made.empty())
            operands = std::max(operands, made[wait.node]);
        }
      last = core.issue(step.timing, operands, nextNeedsOne);
      chained[*step.node] = last + step.timing.latency;
      if (step.last)
        next[*step.node] = chained[*step.node];
    }
    made = std::move(next);
    if (!branches)
      return last + 1;
    core.branch(core.issue(pipes.control(), 0, false));
    return core.now();
  }

private:
  const BlockGraph &graph;
  const PipeModel &pipes;
  const PipeOrder &order;
  Turn turn;
  Core core;
  SmallVector<int64_t> made; ///< when the results of the turn before are there
};

} // namespace

int64_t turnCycles(const BlockGraph &graph, const PipeModel &pipes, const PipeOrder &order) {
  constexpr int64_t most = 64;
  Running running(graph, pipes, order);
  int64_t before = 0, cycles = 0, same = 0;
  for (int64_t turn = 0; turn < most && same < 4; ++turn) {
    int64_t now = running.run([](unsigned) { return true; }, true);
    same = now - before == cycles ? same + 1 : 0;
    cycles = now - before;
    before = now;
  }
  return cycles;
}

int64_t runCycles(const BlockGraph &graph, const PipeModel &pipes, const PipeOrder &order) {
  return Running(graph, pipes, order).run([](unsigned) { return true; }, false);
}

int64_t loopCycles(const BlockGraph &graph, const PipeModel &pipes, const PipeOrder &order,
                   int64_t turns) {
  int64_t ahead = order.stageCount - 1;
  Running running(graph, pipes, order);
  for (int64_t turn = 0; turn < ahead; ++turn)
    running.run([&](unsigned node) { return order.stages[node] <= turn; }, false);
  // The first turn of the loop's own, and from there on as fast as it goes.
  int64_t first = running.run([](unsigned) { return true; }, true);
  int64_t steady = (turns - ahead - 1) * turnCycles(graph, pipes, order);
  int64_t end = first;
  for (int64_t turn = 0; turn < ahead; ++turn)
    end = running.run([&](unsigned node) { return order.stages[node] > turn; }, false);
  return end + steady + pipes.issue().mispredicted;
}

} // namespace weft
