// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function as CPE instructions: made by Select, changed by Schedule and Allocate, priced by
// Charge, printed by Asm.
#pragma once

#include "Instructions.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <vector>

namespace llvm {
class BasicBlock;
class Function;
class Instruction;
class Value;
} // namespace llvm

namespace weft::swcc {

/// $0 to $31, then virtual registers until Allocate has replaced them.
using Register = unsigned;
constexpr Register noRegister = ~0U;
constexpr Register zeroRegister = 31, stackRegister = 30;
constexpr Register firstCalleeSaved = 9, returnAddressRegister = 26;
constexpr Register firstVirtual = 32;
inline bool isVirtual(Register name) { return name != noRegister && name >= firstVirtual; }

struct Operation {
  const Opcode *opcode = nullptr;
  Register def = noRegister;
  llvm::SmallVector<Register, 3> uses; // a store's value comes first, a base address last
  /// What it was selected for: its line, and where a mark goes. Null: the compiler's own.
  const llvm::Instruction *source = nullptr;
  const llvm::Value *symbol = nullptr;      // a function or variable it names
  const llvm::BasicBlock *target = nullptr; // where a branch goes
  /// The pointer of the access, for alias queries; null for spills and what may touch anything.
  const llvm::Value *pointer = nullptr;
  std::int64_t immediate = 0;
  std::uint32_t bytes = 0; // of memory accessed
  bool hasImmediate = false;
  bool reads = false, writes = false; // memory
  /// Others can see when it runs: the segment before it is charged first, and such operations keep
  /// their order.
  bool interaction = false;
  /// Of a volatile asm statement: these keep the program's order among one another.
  bool inOrder = false;
  bool call = false;     // leaves the function; nothing moves across, and the pipes are empty after
  bool copy = false;     // def = uses[0]: goes when both can be one register
  bool lastCopy = false; // to a phi, at the end of a block
  bool glue = false;     // serves addresses and loop counts: free to move in weft_ordered functions
  bool spill = false;    // a spill or reload
};

constexpr unsigned noBlock = ~0U;

struct Block {
  llvm::BasicBlock *ir = nullptr;
  std::vector<Operation> operations;
  double frequency = 1;
  unsigned depth = 0;             // of loops
  unsigned loopHeader = noBlock;  // of the innermost loop around it
  unsigned outerHeader = noBlock; // if it is a header: of the loop around its own
  llvm::SmallVector<unsigned, 2> successors, predecessors;
};

struct Code {
  llvm::Function *function = nullptr;
  std::vector<Block> blocks; // in the order of the text; the first is the entry
  llvm::SmallVector<Register, 8> arguments;
  Register next = firstVirtual;
  unsigned spilled = 0;         // values, each with a stack slot
  unsigned calleeSaved = 0;     // registers saved at the entry
  bool ordered = false;         // annotate("weft_ordered")
  bool calls = false;           // so that $26 and the frame are kept
  bool usesGlobals = false;     // so that $29 is set up
  std::uint64_t frameBytes = 0; // locals

  Register fresh() { return next++; }
  std::uint64_t bytes() const {
    std::uint64_t count = 0;
    for (const Block &block : blocks)
      count += block.operations.size();
    return count * Instructions::get().core().instructionBytes;
  }
};

} // namespace weft::swcc
