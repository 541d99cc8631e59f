// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Symbolizer.h"

#include "Program.h"

#include <cstdio>

namespace weft::emu {

namespace {

/// Runs a command, whose words the caller has quoted, and returns what it prints.
std::string outputOf(const std::string &command) {
  std::string text;
  // NOLINTNEXTLINE(bugprone-command-processor): one of two symbolizers, from PATH
  if (FILE *pipe = popen(command.c_str(), "r")) {
    char buffer[4096];
    while (const std::size_t got = std::fread(buffer, 1, sizeof buffer, pipe))
      text.append(buffer, got);
    pclose(pipe);
  }
  return text;
}

std::string quoted(const std::string &text) {
  std::string result = "'";
  for (const char letter : text)
    result += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return result + "'";
}

} // namespace

std::string hexadecimal(std::uintptr_t address) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%zx", static_cast<std::size_t>(address));
  return text;
}

std::string symbolized(const std::vector<std::uintptr_t> &addresses) {
  std::string arguments =
      " --functions=linkage --relativenames --output-style=LLVM --obj=" + quoted(program::path());
  for (const std::uintptr_t address : addresses)
    arguments += " " + hexadecimal(address);
  arguments += " 2>/dev/null";
  // Code that the compiler made up has no line: that of the code before it, where the
  // symbolizer is new enough to know the word.
  return outputOf("llvm-symbolizer-22 --skip-line-zero" + arguments + " || llvm-symbolizer" +
                  arguments);
}

} // namespace weft::emu
