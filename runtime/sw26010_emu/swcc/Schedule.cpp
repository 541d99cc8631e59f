// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Schedule.h"

#include "Liveness.h"
#include "Scoreboard.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/MemoryLocation.h"

#include <algorithm>
#include <numeric>

using namespace llvm;

namespace weft::swcc {

namespace {

/// Regions with more accesses keep stores in order with everything: aliasing is asked in pairs.
constexpr std::size_t mostAliasQueries = 192;

bool isMemory(const Operation &operation) { return operation.reads || operation.writes; }

/// Memory does not move across these; it does across messages, which go by registers.
bool ordersMemory(const Operation &operation) {
  switch (operation.opcode->kind) {
  case Kind::Csr:
  case Kind::Sync:
  case Kind::Fence:
  case Kind::Transfer:
  case Kind::Atomic:
    return true;
  default:
    return false;
  }
}

/// Reads the cycle counter.
bool isClock(const Operation &operation) {
  constexpr std::int64_t cycleCounter = 4;
  return operation.opcode->kind == Kind::Csr && operation.opcode->mnemonic == "rcsr" &&
         operation.hasImmediate && operation.immediate == cycleCounter;
}

/// Computes what the program asked for, no address, count or constant.
bool computes(const Operation &operation) {
  switch (operation.opcode->kind) {
  case Kind::Fp:
  case Kind::DivideDouble:
  case Kind::DivideSingle:
  case Kind::RootDouble:
  case Kind::RootSingle:
  case Kind::VectorInteger:
  case Kind::Multiply:
    return true;
  default:
    return false;
  }
}

class Region {
public:
  Region(MutableArrayRef<Operation> operations, const Operation *end, const BitVector *liveOut,
         bool ordered, Passing passing, BatchAAResults &aliases)
      : operations_(operations), end_(end), liveOut_(liveOut), ordered_(ordered), passing_(passing),
        aliases_(aliases), core_(Instructions::get().core()), nodes_(operations.size()) {}

  void reorder() {
    link();
    measure();
    apply(ordered_ ? fillFreeSlots() : listSchedule());
  }

private:
  struct Edge {
    unsigned to;
    unsigned latency;
  };
  struct Node {
    SmallVector<Edge, 4> after;
    unsigned waiting = 0;  // operations before it that are not placed
    unsigned earliest = 0; // cycle
    unsigned height = 0;   // longest way to the end of the region
  };

  unsigned latency(const Operation &operation) const {
    const Timing &timing = *operation.opcode->timing;
    return ordered_ ? timing.latency : timing.compilerLatency;
  }
  void edge(unsigned from, unsigned to, unsigned latency) {
    nodes_[from].after.push_back({to, latency});
    ++nodes_[to].waiting;
  }
  void link();
  void linkRegisters();
  void linkMemory();
  void linkClocks();
  bool mayConflict(const Operation &first, const Operation &second);
  void measure();
  std::vector<unsigned> listSchedule();
  std::vector<unsigned> fillFreeSlots();
  void release(unsigned placed, unsigned cycle);
  int pressureChange(const Operation &operation) const;
  void trackPressure(const Operation &operation);
  void apply(const std::vector<unsigned> &order);

  MutableArrayRef<Operation> operations_;
  const Operation *end_;     // the branch or call after the region, if one
  const BitVector *liveOut_; // null after allocation
  const bool ordered_;
  const Passing passing_;
  BatchAAResults &aliases_;
  const CoreParameters &core_;
  std::vector<Node> nodes_;
  std::vector<unsigned> ready_;
  DenseMap<Register, unsigned> usesLeft_;
  DenseMap<Register, bool> live_;
  int liveCount_ = 0;
};

void Region::link() {
  linkRegisters();
  linkMemory();
  linkClocks();
  unsigned lastInteraction = ~0U, lastOrdered = ~0U, lastOfAssembly = ~0U;
  for (unsigned index = 0; index < operations_.size(); ++index) {
    const Operation &operation = operations_[index];
    if (operation.interaction) {
      if (lastInteraction != ~0U)
        edge(lastInteraction, index, 1);
      lastInteraction = index;
    }
    if (operation.inOrder) {
      if (lastOfAssembly != ~0U)
        edge(lastOfAssembly, index, 0);
      lastOfAssembly = index;
    }
    if (ordered_ && !operation.glue) {
      if (lastOrdered != ~0U)
        edge(lastOrdered, index, 0);
      lastOrdered = index;
    }
  }
}

void Region::linkRegisters() {
  struct Last {
    unsigned def = ~0U;
    SmallVector<unsigned, 4> uses;
  };
  DenseMap<Register, Last> last;
  for (unsigned index = 0; index < operations_.size(); ++index) {
    const Operation &operation = operations_[index];
    for (const Register use : operation.uses) {
      if (use == zeroRegister)
        continue;
      Last &known = last[use];
      if (known.def != ~0U)
        edge(known.def, index, latency(operations_[known.def]));
      known.uses.push_back(index);
    }
    if (operation.def == noRegister || operation.def == zeroRegister)
      continue;
    Last &known = last[operation.def];
    for (const unsigned use : known.uses)
      if (use != index)
        edge(use, index, 0);
    if (known.def != ~0U && known.def != index)
      edge(known.def, index, 1);
    known.def = index;
    known.uses.clear();
  }
}

bool Region::mayConflict(const Operation &first, const Operation &second) {
  if (!first.writes && !second.writes)
    return false;
  if (first.spill || second.spill)
    return first.spill && second.spill && first.immediate == second.immediate;
  if (!first.pointer || !second.pointer)
    return true;
  return !aliases_.isNoAlias(MemoryLocation(first.pointer, LocationSize::precise(first.bytes)),
                             MemoryLocation(second.pointer, LocationSize::precise(second.bytes)));
}

void Region::linkMemory() {
  const std::size_t accesses = count_if(operations_, isMemory);
  SmallVector<unsigned, 16> earlier;
  unsigned barrier = ~0U, lastWrite = ~0U;
  for (unsigned index = 0; index < operations_.size(); ++index) {
    const Operation &operation = operations_[index];
    if (ordersMemory(operation)) {
      for (const unsigned other : earlier)
        edge(other, index, 0);
      if (lastWrite != ~0U)
        edge(lastWrite, index, 0);
      lastWrite = ~0U;
      earlier.clear();
      barrier = index;
      continue;
    }
    // Literals never change.
    if (!isMemory(operation) || operation.opcode->kind == Kind::LoadConstant)
      continue;
    if (barrier != ~0U)
      edge(barrier, index, 1);
    if (accesses > mostAliasQueries) {
      // All writes are in order: the last one stands for who came before it.
      if (lastWrite != ~0U)
        edge(lastWrite, index, 1);
      if (!operation.writes) {
        earlier.push_back(index);
        continue;
      }
      for (const unsigned read : earlier)
        edge(read, index, 0);
      earlier.clear();
      lastWrite = index;
      continue;
    }
    for (const unsigned other : earlier) {
      const Operation &before = operations_[other];
      if (mayConflict(before, operation))
        edge(other, index, before.writes ? 1 : 0);
    }
    earlier.push_back(index);
  }
}

/// What stands between two readings of the clock is what they measure.
void Region::linkClocks() {
  unsigned clock = ~0U;
  SmallVector<unsigned, 16> since;
  for (unsigned index = 0; index < operations_.size(); ++index) {
    const Operation &operation = operations_[index];
    if (isClock(operation)) {
      for (const unsigned before : since)
        edge(before, index, 0);
      since.clear();
      clock = index;
    } else if (computes(operation)) {
      if (clock != ~0U)
        edge(clock, index, 0);
      since.push_back(index);
    }
  }
}

void Region::measure() {
  // What the branch waits for is as urgent as it takes.
  for (unsigned index = 0; index < nodes_.size() && end_; ++index)
    if (is_contained(end_->uses, operations_[index].def))
      nodes_[index].height = latency(operations_[index]);
  for (unsigned index = nodes_.size(); index-- > 0;)
    for (const Edge &next : nodes_[index].after)
      nodes_[index].height = std::max(nodes_[index].height, nodes_[next.to].height + next.latency);
  for (const Operation &operation : operations_)
    for (const Register use : operation.uses)
      if (isVirtual(use)) {
        ++usesLeft_[use];
        live_[use] = false;
      }
  // What comes into the region is live from its start.
  DenseMap<Register, bool> defined;
  for (const Operation &operation : operations_) {
    for (const Register use : operation.uses)
      if (isVirtual(use) && !defined.count(use) && !live_[use]) {
        live_[use] = true;
        ++liveCount_;
      }
    if (isVirtual(operation.def))
      defined[operation.def] = true;
  }
  if (liveOut_ && passing_ == Passing::InRegisters)
    for (const unsigned bit : liveOut_->set_bits()) {
      const Register through = firstVirtual + bit;
      if (!defined.count(through) && !live_.lookup(through)) {
        live_[through] = true;
        ++liveCount_;
      }
    }
  for (unsigned index = 0; index < nodes_.size(); ++index)
    if (!nodes_[index].waiting)
      ready_.push_back(index);
}

/// How many more registers are live after `operation`.
int Region::pressureChange(const Operation &operation) const {
  int change = isVirtual(operation.def) && !live_.lookup(operation.def) ? 1 : 0;
  for (const Register use : operation.uses)
    if (isVirtual(use) && usesLeft_.lookup(use) == 1 && live_.lookup(use) &&
        !(liveOut_ && liveOut_->test(use - firstVirtual)))
      --change;
  return change;
}

void Region::trackPressure(const Operation &operation) {
  liveCount_ += pressureChange(operation);
  for (const Register use : operation.uses)
    if (isVirtual(use) && --usesLeft_[use] == 0 &&
        !(liveOut_ && liveOut_->test(use - firstVirtual)))
      live_[use] = false;
  if (isVirtual(operation.def))
    live_[operation.def] = true;
}

void Region::release(unsigned placed, unsigned cycle) {
  for (const Edge &next : nodes_[placed].after) {
    Node &node = nodes_[next.to];
    node.earliest = std::max(node.earliest, cycle + next.latency);
    if (--node.waiting == 0)
      ready_.push_back(next.to);
  }
}

std::vector<unsigned> Region::listSchedule() {
  const int full = int(core_.registers - core_.reservedRegisters) - 1;
  std::vector<unsigned> order;
  order.reserve(nodes_.size());
  unsigned cycle = 0, inCycle = 0, memory = 0, floating = 0;
  while (order.size() < nodes_.size()) {
    const bool tight = liveOut_ && liveCount_ >= full;
    // With all registers taken, what needs another one has to wait for what frees one, whatever
    // the latencies say; if all need one, the program's order is as good as any.
    struct Rank {
      bool needsRegister, waits;
      unsigned height, index;
    };
    const auto precedes = [&](const Rank &a, const Rank &b) {
      if (a.needsRegister != b.needsRegister)
        return b.needsRegister;
      if (a.needsRegister)
        return a.index < b.index;
      if (a.waits != b.waits)
        return b.waits;
      return a.height > b.height || (a.height == b.height && a.index < b.index);
    };
    const unsigned nobody = ready_.size();
    unsigned best = nobody;
    Rank bestRank{};
    for (unsigned at = 0; at < ready_.size(); ++at) {
      const unsigned index = ready_[at];
      const Operation &operation = operations_[index];
      const bool isFloating = operation.opcode->timing->pipes == pipeZero;
      const Rank rank = {tight && pressureChange(operation) > 0,
                         nodes_[index].earliest > cycle ||
                             (isMemory(operation) && memory >= core_.compilerMemory) ||
                             (isFloating && floating >= core_.compilerFp),
                         nodes_[index].height, index};
      if (rank.waits && !tight)
        continue;
      if (best == nobody || precedes(rank, bestRank)) {
        best = at;
        bestRank = rank;
      }
    }
    if (best == nobody || inCycle >= core_.compilerWidth) {
      ++cycle;
      inCycle = memory = floating = 0;
      continue;
    }
    const unsigned chosen = ready_[best];
    const Operation &operation = operations_[chosen];
    ready_.erase(ready_.begin() + best);
    if (nodes_[chosen].earliest > cycle) {
      cycle = nodes_[chosen].earliest;
      inCycle = memory = floating = 0;
    }
    order.push_back(chosen);
    ++inCycle;
    memory += isMemory(operation);
    floating += operation.opcode->timing->pipes == pipeZero;
    trackPressure(operation);
    release(chosen, cycle);
  }
  return order;
}

/// The order stands; glue goes where a pipe would stay idle.
std::vector<unsigned> Region::fillFreeSlots() {
  std::vector<unsigned> order;
  order.reserve(nodes_.size());
  unsigned cycle = 0;
  std::uint8_t taken = 0; // pipes of this cycle
  while (order.size() < nodes_.size()) {
    unsigned best = ~0U, bestAt = 0;
    std::uint8_t bestPipe = 0;
    for (unsigned at = 0; at < ready_.size(); ++at) {
      const unsigned index = ready_[at];
      const std::uint8_t free = operations_[index].opcode->timing->pipes & ~taken;
      if (!free || nodes_[index].earliest > cycle)
        continue;
      // The program's own instruction first; of the others the one that most depends on.
      const bool own = !operations_[index].glue;
      const bool bestOwn = best != ~0U && !operations_[best].glue;
      if (best == ~0U || (own && !bestOwn) ||
          (own == bestOwn && nodes_[index].height > nodes_[best].height)) {
        best = index;
        bestAt = at;
        bestPipe = free & pipeOne ? pipeOne : pipeZero;
      }
    }
    if (best == ~0U) {
      ++cycle;
      taken = 0;
      continue;
    }
    ready_.erase(ready_.begin() + bestAt);
    taken |= bestPipe;
    order.push_back(best);
    release(best, cycle);
  }
  return order;
}

void Region::apply(const std::vector<unsigned> &order) {
  std::vector<Operation> sorted;
  sorted.reserve(order.size());
  for (const unsigned index : order)
    sorted.push_back(std::move(operations_[index]));
  std::move(sorted.begin(), sorted.end(), operations_.begin());
}

} // namespace

void schedule(Code &code, BatchAAResults &aliases, Passing passing) {
  const bool allocated = all_of(code.blocks, [](const Block &block) {
    return all_of(block.operations,
                  [](const Operation &operation) { return !isVirtual(operation.def); });
  });
  const Liveness liveness(code);
  for (std::size_t index = 0; index < code.blocks.size(); ++index) {
    std::vector<Operation> &all = code.blocks[index].operations;
    // Regions end where control leaves: liveness inside the block is followed backwards.
    std::vector<std::pair<std::size_t, std::size_t>> regions;
    for (std::size_t begin = 0, at = 0; at <= all.size(); ++at)
      if (at == all.size() || transfersControl(all[at])) {
        if (at > begin + 1)
          regions.emplace_back(begin, at);
        begin = at + 1;
      }
    BitVector live = liveness.out[index];
    std::size_t position = all.size();
    for (const auto &[begin, end] : reverse(regions)) {
      const auto retreat = [&](std::size_t to) {
        while (position > to) {
          const Operation &operation = all[--position];
          if (isVirtual(operation.def))
            live.reset(operation.def - firstVirtual);
          for (const Register use : operation.uses)
            if (isVirtual(use))
              live.set(use - firstVirtual);
        }
      };
      retreat(end);
      const BitVector liveOut = live;
      retreat(begin);
      Region(MutableArrayRef<Operation>(all).slice(begin, end - begin),
             end < all.size() ? &all[end] : nullptr, allocated ? nullptr : &liveOut, code.ordered,
             passing, aliases)
          .reorder();
    }
  }
}

} // namespace weft::swcc
