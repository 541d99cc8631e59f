// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses of counted loops, proven at once: before a loop nest runs, one test says whether all
// that it will touch through a pointer lies in LDM, aligned, with no transfer under way.
#pragma once

#include "AbiTypes.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"

namespace weft::swcc {

/// One access of the program to memory.
struct Access {
  llvm::Instruction *at;
  llvm::Value *pointer;
  std::uint64_t bytes;
  unsigned kind; // of Abi.h
};

/// For accesses that a loop's test covers, the test's value: true means that the access is plain.
using Covered = llvm::DenseMap<llvm::Instruction *, llvm::Value *>;

/// Inserts the tests before the loops of `function`.
Covered proveLoops(Abi &abi, llvm::Function &function, llvm::ArrayRef<Access> accesses,
                   llvm::LoopInfo &loops, llvm::ScalarEvolution &scalars);

/// A test where `builder` stands: true says that what lies from `begin` to `end` is plain, and that
/// `begin` is a multiple of `alignment`.
llvm::Value *testWindow(Abi &abi, llvm::Function &function, OwnBuilder &builder, llvm::Value *begin,
                        llvm::Value *end, std::uint64_t alignment);

/// Of a branch that goes where nothing is checked if it can: the other version is there for spills.
llvm::MDNode *likely(llvm::LLVMContext &context);

/// Whether others may run, or a transfer begin, in this instruction.
bool interacts(const llvm::Instruction &instruction);

} // namespace weft::swcc
