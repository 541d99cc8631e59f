// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What host code costs on the MPE, a wide out-of-order core: no schedule, but for each block the
// tightest of its bounds.
#pragma once

#include "HostChains.h"
#include "HostFolding.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"

#include <cstdint>

namespace weft::swcc {

/// Of machine.toml, section [mpe].
struct HostParameters {
  double issueWidth, memoryPorts, floatPipes;
  double integerLatency, loadLatency, floatLatency, multiplyLatency;
  double divideCycles, squareRootCycles, integerDivideCycles;
  double windowInstructions;
  double branchMissCycles, branchMissShare, callCycles;
  std::uint64_t branchHistoryTurns;
  HostOrder order;

  static HostParameters fromMachine();
};

/// Sixteenths of a cycle, and flops, of one run through a block, by source line.
struct HostBlockCost {
  struct Line {
    double operations = 0; // share of the block's cost
    std::uint32_t flops = 0;
  };
  std::uint64_t sixteenths = 0;
  /// Of the last block of a loop whose chain is longer than its blocks: what it costs once the
  /// core's window is full of turns, and after how many turns that is. Before, the chain overlaps
  /// with other work.
  std::uint64_t chainSixteenths = 0, chainAfter = 0;
  llvm::SmallMapVector<std::uint32_t, Line, 4> lines;
};

class HostCost {
public:
  HostCost(const llvm::Function &function, const llvm::LoopInfo &loops,
           const llvm::DominatorTree &dominators, const HostParameters &parameters);
  const HostBlockCost &of(const llvm::BasicBlock &block) const {
    return blocks_.find(&block)->second;
  }

private:
  void block(const llvm::BasicBlock &block);
  void chain(const llvm::Loop &loop, const llvm::DominatorTree &dominators);

  const llvm::LoopInfo &loops_;
  const HostParameters &parameters_;
  HostFolding folding_;
  llvm::DenseMap<const llvm::BasicBlock *, HostBlockCost> blocks_;
  llvm::DenseMap<const llvm::BasicBlock *, double> slots_;
};

/// Cycles of a C library function that host code calls; 0 for one that is not in the table.
double hostLibraryCycles(llvm::StringRef name);

/// Charges every function of a host module, and makes its loads and stores pass the MPE's caches.
void chargeHost(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);

} // namespace weft::swcc
