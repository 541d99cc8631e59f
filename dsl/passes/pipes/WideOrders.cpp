//===- WideOrders.cpp - the order of a body for a core out of order ----------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/pipes/WideOrders.h"

#include "llvm/ADT/EquivalenceClasses.h"

using namespace mlir;

namespace weft {

/// An order is taken where it wins such a part of the cycles.
constexpr int64_t leastShare = 32;

/// By node, the part of the body that it belongs to, in the order in which the parts begin: what
/// values or memory connect, but for what is loaded.
static SmallVector<int64_t> partsOf(const BlockGraph &graph) {
  ArrayRef<BlockGraph::Node> nodes = graph.nodes();
  llvm::EquivalenceClasses<unsigned> connected;
  auto isTable = [&](unsigned number) {
    const BlockGraph::Node &node = nodes[number];
    return node.isAccess && node.inRegister && node.before.empty();
  };
  for (unsigned number = 0; number < nodes.size(); ++number) {
    connected.insert(number);
    for (const BlockGraph::Wait &wait : nodes[number].before)
      if (wait.turns == 0 && !isTable(wait.node))
        connected.unionSets(number, wait.node);
  }
  SmallVector<int64_t> parts(nodes.size(), 0);
  llvm::DenseMap<unsigned, int64_t> numbers;
  for (unsigned number = 0; number < nodes.size(); ++number)
    if (!isTable(number))
      parts[number] =
          numbers.try_emplace(*connected.findLeader(number), static_cast<int64_t>(numbers.size()))
              .first->second;
  // What is loaded belongs to the first part that reads it.
  for (unsigned number = 0; number < nodes.size(); ++number)
    if (isTable(number) && !nodes[number].readers.empty()) {
      auto readers = llvm::map_range(nodes[number].readers, [&](const BlockGraph::Wait &reader) {
        return parts[reader.node];
      });
      parts[number] = *std::min_element(readers.begin(), readers.end());
    }
  return parts;
}

WideOrder bestInWindow(const WideCore &core, const BlockGraph &graph, int64_t registers,
                       llvm::function_ref<int64_t(const PipeOrder &)> mostAlive,
                       llvm::function_ref<bool(const PipeOrder &)> isAllowed) {
  auto judge = [&](PipeOrder order) {
    WideOrder found{std::move(order)};
    found.alive = mostAlive(found.order);
    found.cycles =
        core.turnCycles(graph, found.order) + std::max<int64_t>(found.alive - registers, 0);
    return found;
  };
  WideOrder best = judge(asWritten(graph));
  best.cyclesAsWritten = best.cycles;
  // What differs by less is not known so well.
  int64_t most = best.cycles - std::max<int64_t>(best.cycles / leastShare, 1);
  SmallVector<int64_t> parts = partsOf(graph);
  int64_t way = core.longestWay(graph), last = *llvm::max_element(parts);
  for (int64_t spared : {0, 4, 8, 12})
    for (int64_t tenths : {0, 1, 2, 4}) {
      if (tenths != 0 && last == 0)
        break;
      SmallVector<int64_t> times, later;
      for (int64_t part : parts)
        later.push_back(part * way * tenths / 10);
      PipeOrder order = core.listOrder(graph, registers - spared, times, later);
      if (!isAllowed(order))
        continue;
      WideOrder found = judge(std::move(order));
      if (found.cycles > most)
        continue;
      most = found.cycles - 1;
      found.cyclesAsWritten = best.cyclesAsWritten;
      found.isAsWritten = false;
      best = std::move(found);
    }
  return best;
}

} // namespace weft
