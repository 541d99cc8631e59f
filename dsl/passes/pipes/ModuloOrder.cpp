//===- ModuloOrder.cpp - turns of a loop that overlap -----------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Iterative modulo scheduling (Rau 1994): nodes with the longest way to the end first, each in
// the first cycle in which its pipe is free in every turn; one that finds none takes the place of
// another, which is put again. Then nodes move, as long as that shortens the time for which
// values wait: a value that waits longer than a turn would be overwritten by the next one's.
//
//===-----------------------------------------------------------------------===//

#include "passes/pipes/PipeOrder.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace weft {

using Node = BlockGraph::Node;
using Wait = BlockGraph::Wait;

/// Instructions of a loop itself: the count, its comparison, the branch.
constexpr int64_t counting = 2, branches = 1;

namespace {

class Modulo {
public:
  Modulo(const BlockGraph &graph, int64_t interval)
      : nodes(graph.nodes()), interval(interval), time(nodes.size(), unplaced),
        last(nodes.size(), unplaced), used(interval) {
    // The branch is last, and pointers move behind the last access.
    reserve(1, interval - 1);
    int64_t busier = graph.onPipe(1) + branches + graph.pointers() > interval ? 0 : 1;
    for (int64_t pointer = 0; pointer < graph.pointers(); ++pointer)
      reserve(busier, interval - 1 - busier - pointer);
  }

  bool run() { return measure() && place() && settle(); }
  /// Cycles for which each value waits at most a turn.
  bool isShort() const {
    for (unsigned number = 0; number < nodes.size(); ++number)
      if (lifetime(number) > interval)
        return false;
    return true;
  }
  PipeOrder order() const;

private:
  static constexpr int64_t unplaced = std::numeric_limits<int64_t>::min();
  struct Slot {
    int64_t on[2] = {-1, -1}; ///< the node that takes a pipe, -2 the loop itself
    int64_t divider = -1;
  };

  void reserve(int64_t pipe, int64_t slot) {
    if (slot >= 0)
      used[slot].on[pipe] = -2;
  }
  int64_t slotOf(int64_t cycle) const { return ((cycle % interval) + interval) % interval; }
  bool measure();
  bool place();
  bool settle();
  bool isFree(unsigned number, int64_t cycle, int64_t pipe) const;
  int64_t pipeFor(unsigned number, int64_t cycle) const;
  void take(unsigned number, int64_t cycle, int64_t pipe);
  void release(unsigned number);
  void evict(unsigned number, int64_t cycle, int64_t pipe);
  int64_t lifetime(unsigned number) const;
  int64_t waitingAround(unsigned number) const;

  ArrayRef<Node> nodes;
  int64_t interval;
  SmallVector<int64_t> time, last, heights;
  SmallVector<int64_t> pipeOf;
  std::vector<Slot> used;
};

/// Heights over turns; false where something waits for itself longer than a turn.
bool Modulo::measure() {
  heights.assign(nodes.size(), 0);
  pipeOf.assign(nodes.size(), -1);
  constexpr int64_t mostRounds = 64;
  for (int64_t round = 0; round < mostRounds; ++round) {
    bool changed = false;
    for (size_t number = nodes.size(); number-- > 0;)
      for (const Wait &wait : nodes[number].before) {
        int64_t height = heights[number] + wait.cycles - interval * wait.turns;
        if (height > heights[wait.node]) {
          heights[wait.node] = height;
          changed = true;
        }
      }
    if (!changed)
      return true;
  }
  return false;
}

bool Modulo::isFree(unsigned number, int64_t cycle, int64_t pipe) const {
  const Node &node = nodes[number];
  if (node.busy > interval || node.divides > interval)
    return false;
  for (int64_t at = 0; at < node.busy; ++at)
    if (used[slotOf(cycle + at)].on[pipe] != -1)
      return false;
  for (int64_t at = 0; at < node.divides; ++at)
    if (used[slotOf(cycle + at)].divider != -1)
      return false;
  if (node.joinsAt >= 0 && used[slotOf(cycle + node.joinsAt)].on[0] != -1)
    return false;
  return true;
}

int64_t Modulo::pipeFor(unsigned number, int64_t cycle) const {
  const Node &node = nodes[number];
  if (node.instructions.empty())
    return 2;
  for (int64_t pipe : {1, 0})
    if ((node.pipe == 2 || node.pipe == pipe) && isFree(number, cycle, pipe))
      return pipe;
  return -1;
}

void Modulo::take(unsigned number, int64_t cycle, int64_t pipe) {
  const Node &node = nodes[number];
  time[number] = last[number] = cycle;
  pipeOf[number] = pipe;
  if (pipe == 2)
    return;
  for (int64_t at = 0; at < node.busy; ++at)
    used[slotOf(cycle + at)].on[pipe] = number;
  for (int64_t at = 0; at < node.divides; ++at)
    used[slotOf(cycle + at)].divider = number;
  if (node.joinsAt >= 0)
    used[slotOf(cycle + node.joinsAt)].on[0] = number;
}

void Modulo::release(unsigned number) {
  const Node &node = nodes[number];
  if (pipeOf[number] < 2) {
    for (int64_t at = 0; at < node.busy; ++at)
      used[slotOf(time[number] + at)].on[pipeOf[number]] = -1;
    for (int64_t at = 0; at < node.divides; ++at)
      used[slotOf(time[number] + at)].divider = -1;
    if (node.joinsAt >= 0)
      used[slotOf(time[number] + node.joinsAt)].on[0] = -1;
  }
  time[number] = unplaced;
}

/// Whatever has the slots that a node is to have.
void Modulo::evict(unsigned number, int64_t cycle, int64_t pipe) {
  const Node &node = nodes[number];
  for (int64_t at = 0; at < std::max(node.busy, node.divides); ++at) {
    Slot &slot = used[slotOf(cycle + at)];
    if (at < node.busy && slot.on[pipe] >= 0)
      release(slot.on[pipe]);
    if (at < node.divides && slot.divider >= 0)
      release(slot.divider);
  }
  if (node.joinsAt >= 0)
    if (int64_t other = used[slotOf(cycle + node.joinsAt)].on[0]; other >= 0)
      release(other);
}

bool Modulo::place() {
  int64_t budget = 12 * static_cast<int64_t>(nodes.size()) + 32;
  while (true) {
    std::optional<unsigned> best;
    for (unsigned number = 0; number < nodes.size(); ++number)
      if (time[number] == unplaced && (!best || heights[number] > heights[*best]))
        best = number;
    if (!best)
      return true;
    if (budget-- == 0)
      return false;
    const Node &node = nodes[*best];
    int64_t start = 0;
    for (const Wait &wait : node.before)
      if (time[wait.node] != unplaced && wait.node != *best)
        start = std::max(start, time[wait.node] + wait.cycles - interval * wait.turns);
    int64_t cycle = start, pipe = -1;
    for (; cycle < start + interval && pipe < 0; ++cycle)
      pipe = pipeFor(*best, cycle);
    --cycle;
    if (pipe < 0) {
      cycle = last[*best] == unplaced ? start : std::max(start, last[*best] + 1);
      pipe = node.pipe == 2 ? 1 : node.pipe;
      // The loop's own slots stay.
      int64_t tried = 0;
      auto isOwn = [&](int64_t at) {
        for (int64_t offset = 0; offset < node.busy; ++offset)
          if (used[slotOf(at + offset)].on[pipe] == -2)
            return true;
        return node.joinsAt >= 0 && used[slotOf(at + node.joinsAt)].on[0] == -2;
      };
      while (isOwn(cycle) && ++tried <= interval)
        ++cycle;
      if (tried > interval || node.busy > interval || node.divides > interval)
        return false;
      evict(*best, cycle, pipe);
    }
    take(*best, cycle, pipe);
    for (const Wait &wait : node.after)
      if (wait.node != *best && time[wait.node] != unplaced &&
          time[wait.node] < cycle + wait.cycles - interval * wait.turns)
        release(wait.node);
  }
}

int64_t Modulo::lifetime(unsigned number) const {
  int64_t end = time[number];
  for (const Wait &reader : nodes[number].readers)
    end = std::max(end, time[reader.node] + interval * reader.turns);
  return end - time[number];
}

/// Cycles for which the values wait that a node makes and reads; those of more than a turn weigh.
int64_t Modulo::waitingAround(unsigned number) const {
  constexpr int64_t tooLong = 16;
  auto weighed = [&](unsigned made) {
    int64_t cycles = lifetime(made);
    return cycles + tooLong * std::max<int64_t>(0, cycles - interval);
  };
  int64_t sum = nodes[number].inRegister ? weighed(number) : 0;
  for (const Wait &wait : nodes[number].before)
    if (wait.node != number && nodes[wait.node].inRegister)
      sum += weighed(wait.node);
  return sum;
}

bool Modulo::settle() {
  constexpr int64_t mostRounds = 8;
  for (int64_t round = 0; round < mostRounds; ++round) {
    bool changed = false;
    for (size_t each = 0; each < nodes.size(); ++each) {
      auto number = static_cast<unsigned>(round % 2 ? each : nodes.size() - 1 - each);
      const Node &node = nodes[number];
      int64_t was = time[number], wasOn = pipeOf[number];
      int64_t from = was - interval + 1, to = was + interval - 1;
      for (const Wait &wait : node.before)
        if (wait.node != number)
          from = std::max(from, time[wait.node] + wait.cycles - interval * wait.turns);
      for (const Wait &wait : node.after)
        if (wait.node != number)
          to = std::min(to, time[wait.node] - wait.cycles + interval * wait.turns);
      int64_t least = waitingAround(number), best = was, bestOn = wasOn;
      release(number);
      for (int64_t cycle = from; cycle <= to; ++cycle) {
        int64_t pipe = pipeFor(number, cycle);
        if (pipe < 0)
          continue;
        time[number] = cycle;
        if (int64_t sum = waitingAround(number); sum < least) {
          least = sum;
          best = cycle;
          bestOn = pipe;
        }
      }
      take(number, best, bestOn);
      changed |= best != was;
    }
    if (!changed)
      break;
  }
  return true;
}

PipeOrder Modulo::order() const {
  PipeOrder order;
  if (nodes.empty())
    return order;
  auto stageAt = [&](int64_t cycle) { return (cycle - slotOf(cycle)) / interval; };
  int64_t first = stageAt(*llvm::min_element(time));
  for (unsigned number = 0; number < nodes.size(); ++number) {
    order.nodes.push_back(number);
    order.stages.push_back(stageAt(time[number]) - first);
    order.stageCount = std::max(order.stageCount, order.stages.back() + 1);
  }
  // Of one cycle, what ends the older turn first: it reads what the younger makes again.
  llvm::sort(order.nodes, [&](unsigned left, unsigned right) {
    return std::tuple(slotOf(time[left]), -order.stages[left], left) <
           std::tuple(slotOf(time[right]), -order.stages[right], right);
  });
  return order;
}

} // namespace

int64_t leastInterval(const BlockGraph &graph, const PipeModel &pipes) {
  int64_t zero = graph.onPipe(0), one = graph.onPipe(1) + branches;
  int64_t either = graph.eitherPipe() + counting + graph.pointers();
  int64_t divides = 0;
  for (const Node &node : graph.nodes())
    divides += node.divides;
  int64_t least = std::max({zero, one, (zero + one + either + 1) / 2, divides});
  // What a turn hands to the next: the longest chain from a value's reader to its maker.
  ArrayRef<Node> nodes = graph.nodes();
  for (unsigned end = 0; end < nodes.size(); ++end)
    for (const Wait &reader : nodes[end].readers) {
      if (reader.turns != 1)
        continue;
      SmallVector<int64_t> far(nodes.size(), -1);
      far[reader.node] = 0;
      for (unsigned number = reader.node; number < nodes.size(); ++number)
        if (far[number] >= 0)
          for (const Wait &next : nodes[number].after)
            if (next.turns == 0)
              far[next.node] = std::max(far[next.node], far[number] + next.cycles);
      if (far[end] >= 0)
        least = std::max(least, far[end] + nodes[end].latency);
    }
  return least;
}

std::optional<PipeOrder> moduloOrder(const BlockGraph &graph, const PipeModel &pipes,
                                     int64_t interval, int64_t registers, int64_t mostStages) {
  Modulo modulo(graph, interval);
  if (!modulo.run() || !modulo.isShort())
    return std::nullopt;
  PipeOrder order = modulo.order();
  if (order.stageCount > mostStages || mostAlive(graph, order) > registers)
    return std::nullopt;
  return order;
}

} // namespace weft
