// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order of instructions within a block, as the vendor's compiler makes it: list scheduling with
// its own idea of the machine (latencies and width from [cpe.*.compiler_latency], [cpe.compiler]).
// A weft_ordered function keeps its order; only address and loop arithmetic, which the program does
// not write, moves into free issue slots of the machine.
#pragma once

#include "Code.h"

namespace llvm {
class BatchAAResults;
} // namespace llvm

namespace weft::swcc {

/// Where values are that a block neither reads nor makes, but that are read behind it.
enum class Passing : std::uint8_t {
  InRegisters,
  InMemory, // as the allocator has them where a loop wants all registers
};

/// Before registers are allocated, with an eye on how many are live; and again after spills.
void schedule(Code &code, llvm::BatchAAResults &aliases, Passing passing = Passing::InRegisters);

} // namespace weft::swcc
