// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a turn of a loop on the MPE takes because of what waits for what: values that are carried
// from turn to turn, in registers or through memory, and loads that wait for the addresses of
// stores before them.
#pragma once

#include "HostFolding.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"

namespace weft::swcc {

/// Of machine.toml, section [mpe].
struct HostOrder {
  double loadLatency, forwardLatency, storeAddressCycles;
};

struct HostChain {
  /// Cycles of a turn when the window is full of turns; 0 if nothing is carried.
  double turn = 0;
  /// The part of them that holds from the first turn on: later loads wait, of whatever they are.
  double order = 0;
};

/// Of an innermost loop, along the blocks that each of its turns runs through. `latency` says what
/// an instruction other than a load or store takes.
HostChain hostChainOf(const llvm::Loop &loop, const llvm::DominatorTree &dominators,
                      const HostFolding &folding, const HostOrder &order,
                      llvm::function_ref<double(const llvm::Instruction &)> latency);

} // namespace weft::swcc
