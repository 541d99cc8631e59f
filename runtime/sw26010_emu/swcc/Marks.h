// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Segments as constants of the program, and the marks that charge them.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/IRBuilder.h"

#include <cstdint>
#include <string>

namespace weft::swcc {

/// WeftLineCost, before it becomes a constant.
struct LineCost {
  std::uint32_t line = 0, cycles = 0;
  std::uint32_t pipe0 = 0, pipe1 = 0, singleIssue = 0, dataStall = 0;
  std::uint32_t ldmAccesses = 0, spills = 0, branch = 0, flops = 0;
  std::uint32_t divisions = 0, ldmLoads = 0; // of flops, of ldmAccesses
  std::uint32_t conditionalBranches = 0, unconditionalBranches = 0, jumps = 0;
};

/// WeftInstruction, before it becomes a constant.
struct IssuedInstruction {
  std::string text;
  std::uint32_t line = 0;
  std::uint32_t issue = 0, latency = 1, pipe = 0;
};

/// WeftSegment, before it becomes a constant.
struct Segment {
  llvm::StringRef function, file;
  llvm::SmallVector<LineCost, 4> lines;
  std::uint32_t cycles = 0, codeBytes = 0;
  llvm::GlobalVariable *code = nullptr; // the function's record
  std::uint64_t codeOffset = 0;         // in bytes from its start
  std::uint32_t kind = 0;               // 0 CPE, 1 MPE: cycles in sixteenths
  llvm::SmallVector<IssuedInstruction, 0> schedule;
};

/// The WeftFunction of a function of so many bytes.
llvm::GlobalVariable *makeFunctionRecord(llvm::Module &module, std::uint64_t bytes);
/// The constant of `segment` in section weft_segments.
llvm::GlobalVariable *makeSegment(llvm::Module &module, const Segment &segment);
/// Charges `segment` once, or `times` times, where `builder` stands.
void mark(llvm::IRBuilderBase &builder, llvm::GlobalVariable *segment,
          llvm::Value *times = nullptr);

} // namespace weft::swcc
