// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instructions as text, in SW syntax: op src1,src2,dst.
#pragma once

#include "Costs.h"

#include <string>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace weft::swcc {

std::string assemblyText(const Operation &operation, const Code &code);

/// The listing of --emit=asm: a line an instruction, with its pipe, cycle and source line, and a
/// summary for each loop.
void writeListing(llvm::raw_ostream &out, const Code &code, const Costs &costs);

/// The source line of `operation`; where it has none, the function's.
unsigned lineOf(const Operation &operation, const Code &code);

} // namespace weft::swcc
