// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command line of weft-swcc: sw5cc's words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weft::swcc {

/// Whose code the sources are. Unset: host, as sw5cc and mpicc have it.
enum class Side { Unset, Host, Slave, Hybrid };
enum class Stage { Preprocess, Assembly, Object, Relocatable, Program };
enum class Language { C, Cxx, Preprocessed };

/// A file or -l word, in the order of the command line: the linker minds it.
struct Input {
  enum Kind { Source, Object, Library } kind;
  std::string text;
  Language language = Language::C; // of a source
};

struct Command {
  std::string name; // what it was called by, for messages
  Side side = Side::Unset;
  Stage stage = Stage::Program;
  std::string emit; // --emit: "", "asm" or "llvm"
  std::string output;
  std::string listing; // --listing: where --emit=asm goes beside an object; empty: nowhere
  std::string optimization = "-O2"; // sw5cc's own default
  bool cxx = false;                 // called as sw5CC, mpiCC, mpicxx: link with libstdc++
  bool verbose = false;
  bool dependencies = false; // -M, -MM: a rule for make on standard output
  std::vector<Input> inputs;
  std::vector<std::string> compile; // passed on to clang
  std::vector<std::string> link;    // passed on to the linker, through clang
};

/// Reads the words; ends the process with a message when one is not known.
Command parseArguments(int count, char **words);

/// `weft-swcc: error: <message>`, then `help: <help>` if any; ends the process with status 1.
[[noreturn]] void fail(const std::string &message, const std::string &help = "");
/// The same for a place in a source file.
[[noreturn]] void failAt(const std::string &place, const std::string &message,
                         const std::string &help = "");

} // namespace weft::swcc
