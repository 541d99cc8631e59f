// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of words that the driver knows.
#pragma once

#include <string>
#include <string_view>

namespace weft::swcc {

/// What a word does.
enum class Effect {
  Host,
  Slave,
  Hybrid,
  CompileOnly,
  ToAssembly,
  PreprocessOnly,
  Relocate,
  Output,
  Emit,
  Listing,
  Optimize,
  Compile,      // goes on to clang as it is
  Dependencies, // likewise, and nothing is compiled
  Link,         // goes on to the linker
  Both,         // goes on to both
  Library,      // -l
  Language,     // -x
  Verbose,
  Help,
  Version,
  ToClang, // a question about the compiler that clang answers
  Ignored, // sets what only the vendor's compiler or machine has: no effect here
  Refused, // known, and cannot be served: `note` says what to do
};

/// How a word takes its argument.
enum class Form {
  Alone,    // -c
  Separate, // -o x
  Joined,   // -O2: the rest of the word
  Either,   // -Ix or -I x
};

struct Option {
  std::string_view word;
  Form form;
  Effect effect;
  std::string_view note = {};
};

/// The option that `word` is, or null.
const Option *findOption(std::string_view word);
/// The known word closest to `word`, or "".
std::string closestOption(std::string_view word);

} // namespace weft::swcc
