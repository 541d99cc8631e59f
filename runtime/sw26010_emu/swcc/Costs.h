// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What each block of a scheduled function costs, given where control comes from.
#pragma once

#include "Scoreboard.h"

namespace llvm {
class BranchProbabilityInfo;
} // namespace llvm

namespace weft::swcc {

struct Edge {
  unsigned from = 0, to = 0;
  int penalty = 0; // branch cycles between the blocks
  /// What the block costs more (or less) than `cycles` of its BlockCost when entered here.
  int difference = 0;
};

struct BlockCost {
  Run run;         // as it goes when entered the usual way: in a loop, at steady state
  int penalty = 0; // branch cycles of that way in, before the run
  int cycles = 0;  // both; rounded, where turns of a loop differ
};

struct Costs {
  std::vector<BlockCost> blocks;
  std::vector<Edge> edges; // all but the usual ways in
};

/// Carries the core's state over edges until loops are at a steady state.
Costs findCosts(const Code &code, const llvm::BranchProbabilityInfo &probabilities);

/// What a call of the function costs, by how often the compiler thinks that its blocks run.
double cyclesOfCall(const Code &code, const Costs &costs,
                    const llvm::BranchProbabilityInfo &probabilities);

} // namespace weft::swcc
