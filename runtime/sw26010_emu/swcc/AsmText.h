// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text of an inline assembly statement as instructions with operands.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace weft::swcc {

struct AsmOperand {
  enum Kind {
    Argument,  // %2: an operand of the statement
    Register,  // $31, $at
    Immediate, // 0x4e
    Memory,    // 8(%1), (%1)
  } kind;
  unsigned argument = 0;    // of Argument, or of Memory with hasArgument
  bool hasArgument = false; // Memory: the base is an operand of the statement
  std::string name;         // of a register, without $
  std::int64_t value = 0;   // of Immediate, or Memory's offset
  unsigned offsetArgument = 0;
  bool hasOffsetArgument = false; // Memory: the offset is an operand of the statement
};

struct AsmInstruction {
  std::string label; // stands before it; without a mnemonic it stands alone
  std::string mnemonic;
  std::vector<AsmOperand> operands;
  std::string target; // of a branch
};

struct AsmStatement {
  std::vector<AsmInstruction> instructions;
  std::string error, help; // error: what could not be read; empty if all could
};

/// Reads LLVM's form of the template: $0 is an operand, $$ a dollar sign.
AsmStatement readAsm(llvm::StringRef text);

} // namespace weft::swcc
