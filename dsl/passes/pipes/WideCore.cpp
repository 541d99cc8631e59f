//===- WideCore.cpp - orders for a core that issues out of order --------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/pipes/WideCore.h"

#include "passes/pipes/AliveValues.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace weft {

/// Loads begin early by themselves: of their latency the order hides so much.
constexpr int64_t loadShown = 2;
/// Bits of a vector that shuffles within them exchange.
constexpr int64_t partBits = 128;

std::optional<WideCore> WideCore::of(const Target &target) {
  ArrayRef<int64_t> numbers = target.numbers("wide_pipes");
  if (numbers.size() != size_t{3} * (Store + 1))
    return std::nullopt;
  WideCore core;
  core.window = target.numberIfAny("wide_window").value_or(0);
  for (size_t row = 0; row < numbers.size(); row += 3) {
    core.rows.push_back({numbers[row], numbers[row + 1], numbers[row + 2]});
    auto pipes = static_cast<size_t>(llvm::Log2_64(static_cast<uint64_t>(numbers[row + 2]))) + 1;
    core.wanted.resize(std::max(core.wanted.size(), pipes), 0);
    for (size_t pipe = 0; pipe < pipes; ++pipe)
      core.wanted[pipe] += (numbers[row + 2] >> pipe) & 1;
  }
  return core;
}

/// A factor that changes signs alone.
static bool isSigns(Value factor) {
  DenseFPElementsAttr numbers;
  return matchPattern(factor, m_Constant(&numbers)) &&
         llvm::all_of(numbers, [](APFloat number) { return abs(number).isExactlyValue(1.0); });
}

std::optional<SmallVector<WideCore::Class, 1>> WideCore::classOf(Operation &op) const {
  using Classes = SmallVector<Class, 1>;
  using Found = std::optional<Classes>;
  auto feedsProducts = [&] { return llvm::all_of(op.getUsers(), llvm::IsaPred<math::FmaOp>); };
  return llvm::TypeSwitch<Operation *, Found>(&op)
      .Case<arith::AddFOp, arith::SubFOp>([](auto) { return Classes{Sum}; })
      .Case<arith::MulFOp>([&](arith::MulFOp product) {
        return isSigns(product.getRhs()) && feedsProducts() ? Classes() : Classes{Product};
      })
      .Case<math::FmaOp>([](auto) { return Classes{Product}; })
      .Case<arith::NegFOp>([&](auto) { return feedsProducts() ? Classes() : Classes{Choice}; })
      .Case<vector::ShuffleOp>([](vector::ShuffleOp shuffle) -> Found {
        auto type = shuffle.getResultVectorType();
        if (shuffle.getV1VectorType() != type || shuffle.getV2VectorType() != type)
          return std::nullopt;
        int64_t lanes = type.getNumElements();
        int64_t part = partBits / type.getElementTypeBitWidth();
        bool isWithin = true, isChoice = true;
        for (auto [lane, from] : llvm::enumerate(shuffle.getMask())) {
          auto number = static_cast<int64_t>(lane);
          isChoice &= from % lanes == number;
          isWithin &= from % lanes / part == number / part;
        }
        return Classes{isChoice ? Choice : isWithin ? Within : Across};
      })
      // A number that is loaded for it goes to all lanes by the load.
      .Case<vector::BroadcastOp>([](vector::BroadcastOp broadcast) {
        return isa_and_nonnull<affine::AffineLoadOp>(broadcast.getSource().getDefiningOp())
                   ? Classes()
                   : Classes{Across};
      })
      .Case<affine::AffineVectorLoadOp, affine::AffineLoadOp>([](auto) { return Classes{Load}; })
      .Case<affine::AffineVectorStoreOp>([](auto) { return Classes{Store}; })
      .Case<affine::AffineApplyOp, arith::ConstantOp>([](auto) { return Classes(); })
      .Default([](auto) { return std::nullopt; });
}

std::optional<BlockGraph> WideCore::graphOf(ArrayRef<Operation *> ops,
                                            affine::AffineForOp loop) const {
  for (Operation *op : ops)
    if (!BlockGraph::takes(*op) || !classOf(*op))
      return std::nullopt;
  auto instructions = [&](Operation &op) {
    return llvm::map_to_vector<2>(*classOf(op), [&](Class kind) {
      return PipeModel::Timing{rows[kind].latency, rows[kind].busy, 2};
    });
  };
  return BlockGraph(ops, instructions, {}, loop);
}

WideCore::Use WideCore::useOf(const BlockGraph::Node &node) const {
  SmallVector<Class, 1> classes = *classOf(*node.ops.front());
  return classes.empty() ? Use() : rows[classes.front()];
}

int WideCore::choosePipe(const Use &use, ArrayRef<int64_t> freeAt, int64_t cycle) const {
  int best = -1;
  for (size_t pipe = 0; pipe < wanted.size(); ++pipe)
    if (((use.pipes >> pipe) & 1) != 0 && freeAt[pipe] <= cycle &&
        (best < 0 || wanted[pipe] < wanted[best]))
      best = static_cast<int>(pipe);
  return best;
}

SmallVector<WideCore::Use> WideCore::usesOf(const BlockGraph &graph) const {
  SmallVector<Use> uses;
  for (const BlockGraph::Node &node : graph.nodes()) {
    uses.push_back(useOf(node));
    if (uses.back().pipes == rows[Load].pipes)
      uses.back().latency = loadShown;
  }
  return uses;
}

SmallVector<int64_t> WideCore::heights(const BlockGraph &graph, ArrayRef<Use> uses) const {
  ArrayRef<BlockGraph::Node> nodes = graph.nodes();
  SmallVector<int64_t> height(nodes.size(), 0);
  // What an op waits for stands before it.
  for (size_t number = nodes.size(); number-- > 0;) {
    for (const BlockGraph::Wait &next : nodes[number].after)
      if (next.turns == 0)
        height[number] = std::max(height[number], height[next.node]);
    height[number] += uses[number].latency;
  }
  return height;
}

int64_t WideCore::longestWay(const BlockGraph &graph) const {
  SmallVector<int64_t> height = heights(graph, usesOf(graph));
  return height.empty() ? 0 : *llvm::max_element(height);
}

PipeOrder WideCore::listOrder(const BlockGraph &graph, int64_t registers,
                              SmallVectorImpl<int64_t> &times, ArrayRef<int64_t> later) const {
  ArrayRef<BlockGraph::Node> nodes = graph.nodes();
  size_t count = nodes.size();
  SmallVector<Use> uses = usesOf(graph);
  SmallVector<int64_t> height = heights(graph, uses), left(count, 0), earliest(count, 0);
  for (auto [number, node] : llvm::enumerate(nodes)) {
    for (const BlockGraph::Wait &wait : node.before)
      left[number] += wait.turns == 0;
    if (!later.empty())
      height[number] -= later[number];
  }
  SmallVector<unsigned> ready;
  for (unsigned number = 0; number < count; ++number)
    if (left[number] == 0)
      ready.push_back(number);
  PipeOrder order;
  order.stages.assign(count, 0);
  times.assign(count, 0);
  SmallVector<int64_t> freeAt(wanted.size(), 0);
  AliveValues alive(graph);
  for (int64_t cycle = 0; order.nodes.size() < count;) {
    bool isFull = alive.now() >= registers;
    SmallVector<int64_t> grows(ready.size(), 0);
    bool canShrink = false;
    if (isFull)
      for (auto [at, number] : llvm::enumerate(ready)) {
        grows[at] = alive.change(number) > 0;
        canShrink |= grows[at] == 0;
      }
    unsigned *best = nullptr;
    int pipe = -1;
    for (auto [at, number] : llvm::enumerate(ready)) {
      if (earliest[number] > cycle || (canShrink && grows[at] != 0))
        continue;
      if (best && std::pair(-height[*best], *best) < std::pair(-height[number], number))
        continue;
      int found = choosePipe(uses[number], freeAt, cycle);
      if (uses[number].pipes != 0 && found < 0)
        continue;
      best = &ready[at];
      pipe = found;
    }
    if (!best) {
      ++cycle;
      continue;
    }
    unsigned chosen = *best;
    ready.erase(best);
    if (pipe >= 0)
      freeAt[pipe] = cycle + uses[chosen].busy;
    times[chosen] = cycle;
    order.nodes.push_back(chosen);
    alive.place(chosen);
    for (const BlockGraph::Wait &next : nodes[chosen].after) {
      if (next.turns != 0)
        continue;
      earliest[next.node] = std::max(earliest[next.node], cycle + uses[chosen].latency);
      if (--left[next.node] == 0)
        ready.push_back(next.node);
    }
  }
  return order;
}

int64_t WideCore::turnCycles(const BlockGraph &graph, const PipeOrder &order) const {
  constexpr int64_t turns = 4; // the last one is as all that follow
  ArrayRef<BlockGraph::Node> nodes = graph.nodes();
  auto count = static_cast<int64_t>(order.nodes.size());
  SmallVector<Use> uses;
  for (const BlockGraph::Node &node : nodes)
    uses.push_back(useOf(node));
  SmallVector<int64_t> doneAt(count * turns, -1), freeAt(wanted.size(), 0);
  // By turn and node: when its result is there; what an earlier turn than the first makes is.
  auto done = [&](int64_t turn, unsigned number) {
    return turn < 0 ? 0 : doneAt[turn * count + number];
  };
  auto canStart = [&](int64_t turn, unsigned number, int64_t cycle) {
    return llvm::all_of(nodes[number].before, [&](const BlockGraph::Wait &wait) {
      int64_t apart = order.stages[number] + wait.turns - order.stages[wait.node];
      int64_t at = done(turn - apart, wait.node);
      return at >= 0 && at <= cycle;
    });
  };
  SmallVector<int64_t> waiting; // positions, of all turns one behind the other
  SmallVector<int64_t> ends(turns, 0);
  int64_t next = 0, total = count * turns;
  for (int64_t cycle = 0; next < total || !waiting.empty(); ++cycle) {
    for (size_t come = 0;
         come < wanted.size() && next < total && static_cast<int64_t>(waiting.size()) < window;
         ++come)
      waiting.push_back(next++);
    llvm::erase_if(waiting, [&](int64_t position) {
      int64_t turn = position / count;
      unsigned number = order.nodes[position % count];
      if (!canStart(turn, number, cycle))
        return false;
      const Use &use = uses[number];
      int pipe = choosePipe(use, freeAt, cycle);
      if (use.pipes != 0 && pipe < 0)
        return false;
      if (pipe >= 0)
        freeAt[pipe] = cycle + use.busy;
      doneAt[turn * count + number] = cycle + use.latency;
      ends[turn] = std::max(ends[turn], cycle + use.latency);
      return true;
    });
  }
  return ends[turns - 1] - ends[turns - 2];
}

} // namespace weft
