// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a compiler for the MPE would not leave in a loop: invariant work, also where only types tell
// that it is invariant, and index arithmetic that ends in addresses.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Function.h"

namespace weft::swcc {

class HostFolding {
public:
  HostFolding(const llvm::Function &function, const llvm::LoopInfo &loops);
  /// Whether `instruction` costs nothing where it stands.
  bool isFolded(const llvm::Instruction &instruction) const {
    return folded_.contains(&instruction);
  }

private:
  struct Writes {
    llvm::DenseSet<const llvm::Type *> types;
    bool any = false; // a call may write what it likes
  };
  const Writes &writesOf(const llvm::Loop &loop);
  bool isInvariant(const llvm::Instruction &instruction, const llvm::Loop &loop);

  llvm::DenseMap<const llvm::Loop *, Writes> writes_;
  llvm::DenseSet<const llvm::Instruction *> folded_;
};

} // namespace weft::swcc
