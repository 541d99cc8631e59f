// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What CPE code costs, in three steps, so that checks and rewriting in between are not charged:
//
//   1. chargeModule   on optimised IR as the programmer's code left it: names may be prefixed, but
//                     nothing has been added. It selects, allocates and schedules SW instructions
//                     and leaves marks, calls of __weft_charge, before each interaction with the
//                     machine and at the end of each block.
//   2. other stages   rewrite assembly, LDM, stack, accesses; the marks stay where they are.
//   3. lowerCharges   turns marks into additions to core->now and to a segment's count.
#pragma once

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

#include <cstdint>
#include <string>

namespace llvm {
class BasicBlock;
class Instruction;
class Value;
} // namespace llvm

namespace weft::swcc {

struct ChargeOptions {
  /// Where the listing of --emit=asm goes; empty: none.
  std::string listing;
};

/// Marks every defined function of `module`, all of which are CPE code. What has no known cost is
/// an error of the compilation, told with its place.
void chargeModule(llvm::Module &module, llvm::ModuleAnalysisManager &analyses,
                  const ChargeOptions &options);

/// Whether `instruction` is a mark. A mark reads and writes no memory that the program can see.
bool isCharge(const llvm::Instruction &instruction);

/// The cycles that one run through `block` is charged by its marks: what a turn of a spin loop
/// costs is the sum over its blocks.
std::uint64_t chargedCycles(const llvm::BasicBlock &block);

/// The segment that the mark `instruction` charges once; null if it is another instruction.
llvm::GlobalVariable *chargedOnce(const llvm::Instruction &instruction);
/// The SW instructions of a segment in bytes.
std::uint64_t codeBytesOf(const llvm::GlobalVariable &segment);
/// Charges such a segment `times` times instead, where `builder` stands.
void chargeTimes(llvm::IRBuilderBase &builder, llvm::GlobalVariable *segment, llvm::Value *times);

/// Has the mark `instruction`, which charges once, become a call: no new blocks, but slower.
void chargeByCall(llvm::Instruction &instruction);

/// Replaces the marks of `function`; `core` is its WeftCore *, available at its entry.
void lowerCharges(llvm::Function &function, llvm::Value *core);

} // namespace weft::swcc
