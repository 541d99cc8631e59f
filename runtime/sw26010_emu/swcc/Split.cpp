// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Split.h"

#include "LiveRanges.h"
#include "NextUse.h"
#include "Spill.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace llvm;

namespace weft::swcc {

namespace {

/// Blocks in reverse postorder; those that nothing reaches come last.
std::vector<unsigned> walkOrder(const Code &code) {
  std::vector<unsigned> order;
  std::vector<bool> seen(code.blocks.size());
  std::vector<std::pair<unsigned, unsigned>> path; // block, successors visited
  const auto enter = [&](unsigned block) {
    seen[block] = true;
    path.emplace_back(block, 0);
  };
  enter(0);
  while (!path.empty()) {
    auto &[block, visited] = path.back();
    const auto &successors = code.blocks[block].successors;
    if (visited == successors.size()) {
      order.push_back(block);
      path.pop_back();
    } else if (const unsigned next = successors[visited++]; !seen[next]) {
      enter(next);
    }
  }
  std::reverse(order.begin(), order.end());
  for (unsigned block = 0; block < code.blocks.size(); ++block)
    if (!seen[block])
      order.push_back(block);
  return order;
}

class Splitter {
public:
  Splitter(Code &code, unsigned spare)
      : code_(code), table_(Instructions::get()), spare_(spare),
        usable_(table_.core().registers - table_.core().reservedRegisters), liveness_(code),
        order_(walkOrder(code)), uses_(code, liveness_, order_), kinds_(spillKinds(code)),
        plan_(code.blocks.size()), isHeld_(count()), keptByCalls_(count()), next_(count()) {}

  bool run();

private:
  unsigned count() const { return code_.next - firstVirtual; }
  void measurePressure();
  void chooseKeptByCalls();
  unsigned limit(unsigned block) const {
    return pressure_[block] > usable_ ? usable_ - spare_ : usable_;
  }
  double cost(unsigned value) const;
  double score(unsigned value, double distance) const { return (distance + 1) / cost(value); }

  void chooseEntry();
  void chooseLoopEntry();
  void walkOperations();
  void walkEnd();
  bool staysInRegister(unsigned phi) const;
  void couple();

  void add(SplitEdit::What what, unsigned value, std::size_t before) {
    plan_[block_].edits.push_back({before, what, value});
  }
  void hold(unsigned value) {
    if (!isHeld_.test(value)) {
      isHeld_.set(value);
      held_.push_back(value);
    }
  }
  void drop(unsigned value) {
    if (isHeld_.test(value)) {
      isHeld_.reset(value);
      held_.erase(find(held_, value));
    }
  }
  /// Values give way before operation `at` until `most` are left; `isBusy` cannot.
  template <typename IsBusy> void shrink(std::size_t most, std::size_t at, IsBusy isBusy);
  /// `values` are in registers when operation `at` runs.
  void bringIn(ArrayRef<unsigned> values, std::size_t at, ArrayRef<unsigned> alsoBusy = {});
  const Block &block() const { return code_.blocks[block_]; }

  Code &code_;
  const Instructions &table_;
  const unsigned spare_, usable_;
  const Liveness liveness_;
  const std::vector<unsigned> order_;
  const NextUses uses_;
  const std::vector<SpillKind> kinds_;
  std::vector<SplitBlock> plan_;
  std::vector<unsigned> pressure_;            // of each block
  std::vector<BitVector> readIn_, writtenIn_; // by the loop of this header
  std::vector<bool> callsIn_;                 // the loop of this header
  // The block being walked, and what is in registers there.
  unsigned block_ = 0;
  SmallVector<unsigned, 32> held_;
  BitVector isHeld_, keptByCalls_;
  std::vector<double> next_; // operation of the block that reads the value next
};

void Splitter::measurePressure() {
  pressure_.assign(code_.blocks.size(), 0);
  readIn_.resize(code_.blocks.size());
  writtenIn_.resize(code_.blocks.size());
  callsIn_.resize(code_.blocks.size());
  for (unsigned index = 0; index < code_.blocks.size(); ++index)
    if (code_.blocks[index].loopHeader == index) {
      readIn_[index].resize(count());
      writtenIn_[index].resize(count());
    }
  const auto forLoops = [&](unsigned index, auto visit) {
    for (unsigned header = code_.blocks[index].loopHeader; header != noBlock;
         header = code_.blocks[header].outerHeader)
      visit(header);
  };
  for (unsigned index = 0; index < code_.blocks.size(); ++index) {
    const Block &block = code_.blocks[index];
    BitVector live = liveness_.out[index];
    std::size_t lastCopies = firstLastCopy(block);
    // What copies to phis write is live from the next block on only.
    for (std::size_t at = lastCopies; at < block.operations.size(); ++at)
      if (isVirtual(block.operations[at].def))
        live.reset(block.operations[at].def - firstVirtual);
    unsigned now = live.count(), most = now;
    for (std::size_t at = block.operations.size(); at-- > 0;) {
      const Operation &operation = block.operations[at];
      if (isVirtual(operation.def)) {
        const unsigned value = operation.def - firstVirtual;
        forLoops(index, [&](unsigned header) { writtenIn_[header].set(value); });
        if (at < lastCopies) {
          most = std::max(most, now + !live.test(value));
          now -= live.test(value);
          live.reset(value);
        }
      }
      if (operation.call)
        forLoops(index, [&](unsigned header) { callsIn_[header] = true; });
      for (const Register use : operation.uses)
        if (isVirtual(use)) {
          forLoops(index, [&](unsigned header) { readIn_[header].set(use - firstVirtual); });
          now += !live.test(use - firstVirtual);
          live.set(use - firstVirtual);
        }
      most = std::max(most, now);
    }
    pressure_[index] = most;
  }
}

/// Calls keep few registers. Those go to values that cross calls most often, as far as their ranges
/// leave each other alone; others wait in memory meanwhile.
void Splitter::chooseKeptByCalls() {
  const std::vector<LiveRange> ranges = liveRanges(code_);
  std::vector<double> crossed(count());
  for (unsigned index = 0; index < code_.blocks.size(); ++index) {
    const Block &block = code_.blocks[index];
    if (none_of(block.operations, [](const Operation &operation) { return operation.call; }))
      continue;
    BitVector live = liveness_.out[index];
    for (const Operation &operation : reverse(block.operations)) {
      if (isVirtual(operation.def))
        live.reset(operation.def - firstVirtual);
      if (operation.call)
        for (const unsigned value : live.set_bits())
          crossed[value] += block.frequency;
      for (const Register use : operation.uses)
        if (isVirtual(use))
          live.set(use - firstVirtual);
    }
  }
  std::vector<unsigned> values;
  for (unsigned value = 0; value < ranges.size(); ++value)
    if (crossed[value] > 0)
      values.push_back(value);
  stable_sort(values, [&](unsigned a, unsigned b) { return crossed[a] > crossed[b]; });
  std::vector<SmallVector<unsigned, 8>> saved(table_.core().calleeSavedRegisters);
  for (const unsigned value : values)
    for (auto &others : saved)
      if (none_of(others, [&](unsigned other) { return ranges[other].overlaps(ranges[value]); })) {
        others.push_back(value);
        keptByCalls_.set(value);
        break;
      }
}

/// What it costs that a value gives way: a reload, and a store each turn if the loop writes it.
double Splitter::cost(unsigned value) const {
  if (kinds_[value].isRemade())
    return 0.5;
  const unsigned header = block().loopHeader;
  return header == noBlock || writtenIn_[header].test(value) ? 2 : 1;
}

template <typename IsBusy> void Splitter::shrink(std::size_t most, std::size_t at, IsBusy isBusy) {
  while (held_.size() > most) {
    const unsigned nobody = ~0U;
    unsigned worst = nobody;
    double worstScore = -1;
    for (const unsigned value : held_) {
      if (isBusy(value))
        continue;
      const double candidate = score(value, next_[value] - double(at));
      if (candidate > worstScore || (candidate == worstScore && value > worst)) {
        worst = value;
        worstScore = candidate;
      }
    }
    if (worst == nobody)
      return; // more than there are: the allocator finds another way
    add(SplitEdit::What::Store, worst, at);
    drop(worst);
  }
}

void Splitter::bringIn(ArrayRef<unsigned> values, std::size_t at, ArrayRef<unsigned> alsoBusy) {
  SmallVector<unsigned, 8> missing;
  for (const unsigned value : values)
    if (!isHeld_.test(value) && !is_contained(missing, value))
      missing.push_back(value);
  if (missing.empty())
    return;
  const std::size_t most = limit(block_);
  shrink(most > missing.size() ? most - missing.size() : 0, at, [&](unsigned value) {
    return is_contained(values, value) || is_contained(alsoBusy, value);
  });
  for (const unsigned value : missing) {
    add(SplitEdit::What::Reload, value, at);
    hold(value);
  }
}

/// What a loop reads, the soonest and dearest first. What only goes through it has the room that
/// the loop leaves.
void Splitter::chooseLoopEntry() {
  unsigned most = limit(block_), pressure = 0;
  for (unsigned other = 0; other < code_.blocks.size(); ++other)
    if (isInLoop(code_, block_, other)) {
      pressure = std::max(pressure, pressure_[other]);
      most = std::min(most, limit(other));
    }
  std::vector<std::pair<double, unsigned>> read, through;
  unsigned passing = 0;
  for (const unsigned value : liveness_.in[block_].set_bits()) {
    const double distance = uses_.atEntry(block_, value);
    if (readIn_[block_].test(value) || writtenIn_[block_].test(value)) {
      read.emplace_back(score(value, distance), value);
      continue;
    }
    ++passing;
    const bool arrives = any_of(block().predecessors, [&](unsigned from) {
      return plan_[from].walked && is_contained(plan_[from].exit, value);
    });
    if (arrives && (!callsIn_[block_] || keptByCalls_.test(value)))
      through.emplace_back(score(value, distance), value);
  }
  sort(read);
  sort(through);
  for (const auto &[score, value] : read)
    if (held_.size() < limit(block_))
      hold(value);
  const unsigned inside = pressure - std::min(pressure, passing);
  const unsigned room = most > inside ? most - inside : 0;
  for (unsigned index = 0; index < std::min<std::size_t>(room, through.size()); ++index)
    if (held_.size() < limit(block_))
      hold(through[index].second);
}

/// What is in registers when the block begins.
void Splitter::chooseEntry() {
  held_.clear();
  isHeld_.reset();
  if (block().loopHeader == block_)
    return chooseLoopEntry();
  std::vector<std::pair<double, unsigned>> candidates;
  const auto consider = [&](unsigned value) {
    candidates.emplace_back(score(value, uses_.atEntry(block_, value)), value);
  };
  SmallVector<unsigned, 4> ways;
  for (const unsigned from : block().predecessors)
    if (plan_[from].walked)
      ways.push_back(from);
  for (const unsigned value : liveness_.in[block_].set_bits()) {
    double missing = 0;
    bool canReload = true, arrives = ways.empty();
    for (const unsigned from : ways)
      if (is_contained(plan_[from].exit, value)) {
        arrives = true;
      } else {
        missing += code_.blocks[from].frequency;
        canReload = canReload && code_.blocks[from].successors.size() == 1;
      }
    // Reloaded on the rarer ways, or later by all.
    constexpr double rarer = 0.5;
    if (arrives && (missing == 0 || (canReload && missing < rarer * block().frequency)))
      consider(value);
  }
  sort(candidates);
  for (const auto &[score, value] : candidates)
    if (held_.size() < limit(block_))
      hold(value);
}

/// Whether a block behind this one wants the phi in a register; who has not chosen yet does.
bool Splitter::staysInRegister(unsigned phi) const {
  return any_of(block().successors, [&](unsigned to) {
    return liveness_.in[to].test(phi) &&
           ((!plan_[to].walked && to != block_) || is_contained(plan_[to].entry, phi));
  });
}

void Splitter::walkOperations() {
  const std::vector<Operation> &all = block().operations;
  const std::size_t end = firstLastCopy(block());
  // The next read of each register after each operation that names it, backwards.
  struct Next {
    double def = neverRead;
    SmallVector<double, 3> uses;
  };
  std::vector<Next> after(all.size());
  for (const Operation &operation : all) {
    if (isVirtual(operation.def))
      next_[operation.def - firstVirtual] = neverRead;
    for (const Register use : operation.uses)
      if (isVirtual(use))
        next_[use - firstVirtual] = neverRead;
  }
  for (const unsigned value : liveness_.out[block_].set_bits())
    next_[value] = double(all.size()) + uses_.atExit(block_, value);
  for (std::size_t at = all.size(); at-- > 0;) {
    const Operation &operation = all[at];
    if (isVirtual(operation.def)) {
      after[at].def = next_[operation.def - firstVirtual];
      next_[operation.def - firstVirtual] = neverRead;
    }
    for (const Register use : operation.uses)
      after[at].uses.push_back(!isVirtual(use)        ? neverRead
                               : use == operation.def ? after[at].def
                                                      : next_[use - firstVirtual]);
    for (const Register use : operation.uses)
      if (isVirtual(use))
        next_[use - firstVirtual] = double(at);
  }

  SmallVector<unsigned, 8> reads;
  for (std::size_t at = 0; at < end; ++at) {
    const Operation &operation = all[at];
    reads.clear();
    for (const Register use : operation.uses)
      if (isVirtual(use))
        reads.push_back(use - firstVirtual);
    bringIn(reads, at);
    for (const auto &[use, next] : zip(operation.uses, after[at].uses))
      if (isVirtual(use)) {
        next_[use - firstVirtual] = next;
        if (next == neverRead)
          drop(use - firstVirtual);
      }
    if (operation.call)
      for (const unsigned value : SmallVector<unsigned, 32>(held_))
        if (!keptByCalls_.test(value) && Register(value + firstVirtual) != operation.def) {
          add(SplitEdit::What::Store, value, at);
          drop(value);
        }
    if (!isVirtual(operation.def))
      continue;
    const unsigned made = operation.def - firstVirtual;
    if (!isHeld_.test(made))
      shrink(limit(block_) - 1, at, [](unsigned) { return false; });
    next_[made] = after[at].def;
    // Written and never read, it needs its register for no longer than this.
    if (after[at].def != neverRead)
      hold(made);
  }
}

/// The copies to phis, and what blocks that have been walked expect.
void Splitter::walkEnd() {
  const std::vector<Operation> &all = block().operations;
  const std::size_t end = firstLastCopy(block());
  SmallVector<unsigned, 32> wanted, copied, written;
  for (std::size_t at = end; at < all.size(); ++at) {
    const Operation &operation = all[at];
    const bool isCopy = operation.lastCopy && isVirtual(operation.def);
    SmallVector<unsigned, 4> reads;
    for (const Register use : operation.uses)
      // A phi that the branch reads has just been written.
      if (isVirtual(use) && !is_contained(written, use - firstVirtual))
        reads.push_back(use - firstVirtual);
    if (isCopy)
      written.push_back(operation.def - firstVirtual);
    if (isCopy && !staysInRegister(operation.def - firstVirtual)) {
      bringIn(reads, end, wanted);
      add(SplitEdit::What::StoreCopy, at, end);
      continue;
    }
    if (isCopy)
      copied.push_back(operation.def - firstVirtual);
    wanted.append(reads.begin(), reads.end());
    bringIn(wanted, end);
  }
  for (const unsigned to : block().successors)
    if (plan_[to].walked || to == block_)
      for (const unsigned value : plan_[to].entry)
        if (!is_contained(copied, value))
          wanted.push_back(value);
  bringIn(wanted, end);
  const BitVector &live = liveness_.out[block_];
  for (const unsigned value : held_)
    if (live.test(value) && !is_contained(copied, value))
      plan_[block_].exit.push_back(value);
  plan_[block_].exit.append(copied.begin(), copied.end());
}

/// On the ways between blocks: reloads of what only the next one has in registers, and what only
/// the one before has gives way.
void Splitter::couple() {
  for (unsigned to = 0; to < plan_.size(); ++to) {
    const Block &target = code_.blocks[to];
    for (const unsigned from : target.predecessors) {
      block_ = from;
      const std::size_t end = firstLastCopy(block());
      for (const unsigned value : plan_[from].exit) {
        if (!liveness_.in[to].test(value) || is_contained(plan_[to].entry, value))
          continue;
        std::size_t copy = end;
        while (copy < block().operations.size() &&
               (!block().operations[copy].lastCopy ||
                block().operations[copy].def != value + firstVirtual))
          ++copy;
        if (copy < block().operations.size())
          add(SplitEdit::What::StoreCopy, copy, end);
        else if (target.predecessors.size() == 1)
          plan_[to].edits.insert(plan_[to].edits.begin(), {0, SplitEdit::What::Store, value});
        else
          add(SplitEdit::What::Store, value, end);
      }
      for (const unsigned value : plan_[to].entry)
        if (!is_contained(plan_[from].exit, value)) {
          add(SplitEdit::What::Reload, value, end);
          plan_[from].exit.push_back(value);
        }
    }
  }
}

bool Splitter::run() {
  measurePressure();
  chooseKeptByCalls();
  for (const unsigned block : order_) {
    block_ = block;
    chooseEntry();
    plan_[block].entry = held_;
    walkOperations();
    walkEnd();
    plan_[block].walked = true;
  }
  couple();
  if (all_of(plan_, [](const SplitBlock &block) { return block.edits.empty(); }))
    return false;
  applySplit(code_, plan_);
  return true;
}

} // namespace

bool splitRanges(Code &code, unsigned spare) { return Splitter(code, spare).run(); }

} // namespace weft::swcc
