// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What LLVM's symbolizer says of the program's machine code.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace weft::emu {

/// An address as "0x" and its digits.
std::string hexadecimal(std::uintptr_t address);

/// The symbolizer's lines of these addresses of the program, in their order: of each place pairs
/// of lines, the function and "file:line:column", those inlined first, and then an empty one.
/// Empty if there is no symbolizer. Runs another program: for messages only.
std::string symbolized(const std::vector<std::uintptr_t> &addresses);

} // namespace weft::emu
