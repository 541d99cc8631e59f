// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CPE's instructions: which pipe issues them, how long their results take on the machine and
// how long the vendor's compiler believes, and how the hardware counts their operations. The
// numbers are those of targets/sw26010/machine.toml, [cpe].
#pragma once

#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace weft::swcc {

/// What the timing of an instruction depends on; a table [cpe.<name>] each.
enum class Kind : std::uint8_t {
  Fp,           // add, multiply, fused, compare, convert; scalar and vector
  DivideDouble, // not pipelined
  DivideSingle,
  RootDouble,
  RootSingle,
  Lane,          // moves of and within vectors, signs, selections
  VectorInteger, // on intv8 and int256
  Integer,       // scalar add, logic, shift, compare, select, address
  Multiply,      // scalar integer
  Load,          // to be used by an integer instruction
  LoadVector,    // floating point, scalar or vector
  LoadConstant,  // from the literal pool or an address table, in main memory
  Store,
  Put, // register communication
  Get,
  Csr,
  Sync,
  Fence,
  Transfer, // starts a DMA
  Atomic,
  Control,
  count
};

/// Which pipes can issue an instruction.
enum Pipes : std::uint8_t { pipeZero = 1, pipeOne = 2, eitherPipe = 3 };

struct Timing {
  unsigned latency = 1;         // cycles from issue until a dependent instruction can issue
  unsigned compilerLatency = 1; // as the vendor's compiler schedules
  unsigned busy = 1;            // cycles until its unit accepts the next
  std::uint8_t pipes = eitherPipe;
};

struct Opcode {
  llvm::StringRef mnemonic;
  Kind kind;
  unsigned flops; // by the hardware's rule
  const Timing *timing;
};

/// What is not an instruction's own: the core, the branches, the compiler.
struct CoreParameters {
  unsigned decodeWidth, issueQueue;
  unsigned takenBranch, mispredictedBranch;
  unsigned instructionBytes;
  unsigned registers, reservedRegisters, calleeSavedRegisters, argumentRegisters;
  unsigned literalLimit;      // largest immediate of an operation
  unsigned displacementLimit; // a load or store reaches from -limit to limit - 1
  unsigned compilerWidth, compilerMemory, compilerFp;
  unsigned divideSequence;  // instructions of the library's integer division beside its divide
  unsigned copyInlineBytes; // memcpy and memset up to here become loads and stores
  unsigned copyChunkBytes;  // what a turn of the library's copy loop moves
  unsigned instructionCacheBytes;
  unsigned constantInstructions; // a constant of more is loaded
};

/// Where an instruction's numbers come from; read once from the machine table.
class Instructions {
public:
  static const Instructions &get();

  /// The instruction of that name, or null.
  const Opcode *find(llvm::StringRef mnemonic) const;
  /// The instruction of a name that the selector itself writes.
  const Opcode &operator[](llvm::StringRef mnemonic) const;
  const CoreParameters &core() const { return core_; }

private:
  Instructions();
  Timing timings_[static_cast<unsigned>(Kind::count)];
  CoreParameters core_;
};

} // namespace weft::swcc
