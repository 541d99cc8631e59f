// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Costs.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/Instructions.h"

#include <algorithm>

using namespace llvm;

namespace weft::swcc {

namespace {

/// Turns until a loop's state has to repeat, and walks over the function until nested ones do.
constexpr unsigned mostTurns = 64, mostWalks = 16;
/// An edge that is taken less often than this is mispredicted, one between this and its complement
/// half of the time.
constexpr double rarely = 0.4;

class Finder {
public:
  Finder(const Code &code, const BranchProbabilityInfo &probabilities)
      : code_(code), probabilities_(probabilities), usual_(code.blocks.size(), none) {}

  Costs find();

private:
  static constexpr unsigned none = ~0U;

  int penalty(unsigned from, unsigned to) const;
  void chooseUsualWays();
  CoreState arriving(unsigned from, unsigned to) const;
  void repeat(unsigned block);
  bool isLast(unsigned block) const { return code_.blocks[block].successors.empty(); }

  const Code &code_;
  const BranchProbabilityInfo &probabilities_;
  std::vector<unsigned> usual_; // predecessor that control mostly comes from
  Costs costs_;
};

/// What the way from one block to another costs beside issuing the branch.
int Finder::penalty(unsigned from, unsigned to) const {
  const CoreParameters &core = Instructions::get().core();
  const Block &source = code_.blocks[from];
  const Instruction *end = source.ir->getTerminator();
  int cycles = 0;
  const auto *branch = dyn_cast<BranchInst>(end);
  if (!branch || branch->isUnconditional()) {
    const bool falls = branch && to == from + 1;
    cycles += falls ? 0 : int(core.takenBranch);
  } else if (source.operations.empty() || source.operations.back().target == code_.blocks[to].ir) {
    cycles += int(core.takenBranch);
  } else if (to != from + 1) {
    cycles += 1 + int(core.takenBranch); // past the branch, a second one
  }
  if (source.successors.size() > 1) {
    const BranchProbability probability =
        probabilities_.getEdgeProbability(source.ir, code_.blocks[to].ir);
    const double share = double(probability.getNumerator()) / BranchProbability::getDenominator();
    if (share < rarely)
      cycles += int(core.mispredictedBranch);
    else if (share <= 1 - rarely)
      cycles += int(core.mispredictedBranch) / 2;
  }
  return cycles;
}

/// A loop is entered from its own end, another block from where it most often is.
void Finder::chooseUsualWays() {
  for (unsigned to = 0; to < code_.blocks.size(); ++to) {
    double most = -1;
    for (const unsigned from : code_.blocks[to].predecessors) {
      const BranchProbability share =
          probabilities_.getEdgeProbability(code_.blocks[from].ir, code_.blocks[to].ir);
      const double often = code_.blocks[from].frequency * double(share.getNumerator()) /
                           BranchProbability::getDenominator();
      if (often > most) {
        most = often;
        usual_[to] = from;
      }
    }
  }
}

CoreState Finder::arriving(unsigned from, unsigned to) const {
  if (from == none)
    return {};
  CoreState state = costs_.blocks[from].run.after;
  const int waited = penalty(from, to);
  if (!waited)
    return state;
  for (int &ready : state.ready)
    ready = std::max(0, ready - waited);
  for (int &read : state.read)
    read = std::max(0, read - waited);
  for (auto &pipe : state.issued)
    for (int &issued : pipe)
      issued = std::max(-1, issued - waited);
  state.dividerFree = std::max(0, state.dividerFree - waited);
  state.decoded = 0;
  return state;
}

/// A block that follows itself: turns until the state repeats; the cost is the period's mean.
void Finder::repeat(unsigned block) {
  BlockCost &cost = costs_.blocks[block];
  std::vector<CoreState> seen;
  std::vector<int> cycles;
  for (unsigned turn = 0; turn < mostTurns; ++turn) {
    const CoreState before = arriving(block, block);
    if (const auto found = llvm::find(seen, before); found != seen.end()) {
      const std::size_t start = found - seen.begin();
      int sum = 0;
      for (std::size_t index = start; index < cycles.size(); ++index)
        sum += cycles[index];
      const int period = int(cycles.size() - start);
      cost.cycles = (sum + period / 2) / period;
      return;
    }
    seen.push_back(before);
    cost.run = run(code_.blocks[block].operations, before, false);
    cycles.push_back(cost.run.cycles);
    cost.cycles = cost.run.cycles;
  }
}

Costs Finder::find() {
  chooseUsualWays();
  costs_.blocks.resize(code_.blocks.size());
  for (unsigned walk = 0; walk < mostWalks; ++walk) {
    bool changed = false;
    for (unsigned block = 0; block < code_.blocks.size(); ++block) {
      BlockCost &cost = costs_.blocks[block];
      const CoreState before = cost.run.after;
      if (usual_[block] == block) {
        repeat(block);
      } else {
        cost.run =
            run(code_.blocks[block].operations, arriving(usual_[block], block), isLast(block));
        cost.cycles = cost.run.cycles;
      }
      changed = changed || walk == 0 || !(cost.run.after == before);
    }
    if (!changed)
      break;
  }
  for (unsigned to = 0; to < code_.blocks.size(); ++to) {
    BlockCost &cost = costs_.blocks[to];
    cost.penalty = usual_[to] == none ? 0 : penalty(usual_[to], to);
    cost.cycles += cost.penalty;
    for (const unsigned from : code_.blocks[to].predecessors) {
      if (from == usual_[to])
        continue;
      Edge edge{from, to, penalty(from, to), 0};
      const Run entered = run(code_.blocks[to].operations, arriving(from, to), isLast(to));
      edge.difference = entered.cycles + edge.penalty - cost.cycles;
      costs_.edges.push_back(edge);
    }
  }
  return std::move(costs_);
}

} // namespace

Costs findCosts(const Code &code, const BranchProbabilityInfo &probabilities) {
  return Finder(code, probabilities).find();
}

double cyclesOfCall(const Code &code, const Costs &costs,
                    const BranchProbabilityInfo &probabilities) {
  double cycles = 0;
  for (const auto &[block, cost] : zip(code.blocks, costs.blocks))
    cycles += block.frequency * cost.cycles;
  for (const Edge &edge : costs.edges) {
    const BranchProbability share =
        probabilities.getEdgeProbability(code.blocks[edge.from].ir, code.blocks[edge.to].ir);
    cycles += code.blocks[edge.from].frequency * double(share.getNumerator()) /
              BranchProbability::getDenominator() * edge.difference;
  }
  return cycles;
}

} // namespace weft::swcc
