// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Compile.h"

#include "Process.h"

#include <cstdlib>

namespace weft::swcc {

namespace {

bool slave(const Command &command) { return command.side == Side::Slave; }

/// Old C compiles: implicit int, implicit functions, pointers of other types. sw5cc's front end
/// warns of none of these by default.
void addLanguage(std::vector<std::string> &words, Language language) {
  if (language == Language::Cxx) {
    words.insert(words.end(), {"-x", "c++"});
    return;
  }
  words.insert(words.end(), {"-x", "c", "-std=gnu11", "-fgnu89-inline"});
  for (const char *warning : {"implicit-int",
                              "implicit-function-declaration",
                              "int-conversion",
                              "return-type",
                              "incompatible-pointer-types",
                              "incompatible-function-pointer-types",
                              "deprecated-non-prototype",
                              "pointer-sign",
                              "int-to-pointer-cast",
                              "pointer-to-int-cast",
                              "void-pointer-to-int-cast",
                              "return-mismatch",
                              "incompatible-library-redeclaration",
                              "builtin-requires-header",
                              "implicitly-unsigned-literal",
                              "knr-promoted-parameter",
                              "missing-declarations",
                              "constant-conversion",
                              "duplicate-decl-specifier",
                              "unknown-pragmas",
                              "source-uses-openmp",
                              "pragma-pack",
                              "shift-count-overflow"})
    words.push_back(std::string("-Wno-") + warning);
}

/// Common to all ways: what is seen of the target, and where its headers are.
std::vector<std::string> preprocessorWords(const Command &command, Language language) {
  std::vector<std::string> words;
  addLanguage(words, language);
  words.insert(words.end(), {"-I" + includeFolder(), "-D__sw_64__=1", "-D__sw26010__=1"});
  words.push_back(slave(command) ? "-D__sw_slave__=1" : "-D__sw_host__=1");
  words.insert(words.end(), command.compile.begin(), command.compile.end());
  return words;
}

void addCodeGeneration(std::vector<std::string> &words, const Command &command) {
  const std::string plugin = nativeFolder() + "/WeftSwcc.so";
  words.insert(words.end(),
               {command.optimization, "-fno-pie", "-gline-tables-only", "-fno-vectorize",
                "-fno-slp-vectorize", "-fno-unroll-loops", "-fno-stack-protector",
                "-fno-asynchronous-unwind-tables", "-fno-strict-aliasing", "-fno-ident", "-fcommon",
                "-Xclang", "-load", "-Xclang", plugin, "-fpass-plugin=" + plugin, "-mllvm",
                slave(command) ? "-weft-side=slave" : "-weft-side=host"});
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    words.insert(words.end(), {"-mavx2", "-mfma"});
  if (!slave(command))
    return;
  words.insert(words.end(), {"-ffp-contract=on", "-Xclang", "-disable-O0-optnone"});
  // Library functions of the slave are the emulator's, with their own cost: none becomes another.
  for (const char *function :
       {"memcpy",  "memmove",  "memset", "memcmp", "bcmp",    "strlen", "strcpy",  "strcmp",
        "strncpy", "strncmp",  "strcat", "strchr", "printf",  "puts",   "putchar", "fprintf",
        "sprintf", "snprintf", "malloc", "calloc", "realloc", "free",   "exp",     "log",
        "pow",     "sin",      "cos",    "exit",   "abort"})
    words.push_back(std::string("-fno-builtin-") + function);
}

void runClang(const std::vector<std::string> &words, const Command &command) {
  std::vector<std::string> all = {clangPath()};
  all.insert(all.end(), words.begin(), words.end());
  const Outcome outcome = run(all, Capture::Nothing, command.verbose);
  if (outcome.status != 0)
    std::exit(1);
}

} // namespace

void compileSource(const Command &command, const Input &source, const std::string &output) {
  std::vector<std::string> words = preprocessorWords(command, source.language);
  if (command.stage == Stage::Preprocess) {
    words.insert(words.end(), {"-E", source.text, "-o", output});
    return runClang(words, command);
  }
  addCodeGeneration(words, command);
  if (command.emit == "llvm")
    words.insert(words.end(), {"-S", "-emit-llvm"});
  else
    words.push_back("-c");
  words.insert(words.end(), {source.text, "-o", output});
  runClang(words, command);
}

} // namespace weft::swcc
