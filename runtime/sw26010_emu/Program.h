// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program's own file, read for what the linker knows: sections and symbols.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weft::emu::program {

/// A stretch of the loaded program.
struct Range {
  const char *begin = nullptr, *end = nullptr;
};

struct Symbol {
  std::string name;
  std::uintptr_t address;
  std::uint64_t size;
  bool isFunction;
};

/// Path of the running program.
const std::string &path();
/// A section by name; empty if the program has none.
Range section(std::string_view name);
/// All defined functions and variables by address, read when first asked for.
const std::vector<Symbol> &symbols();
/// Name of the function that covers an address, as the programmer wrote it (no `slave_`); empty
/// if none does. Valid for the whole run.
std::string_view functionAt(const void *address);

} // namespace weft::emu::program
