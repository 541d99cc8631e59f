// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Compile.h"

#include "Narrow.h"
#include "Process.h"
#include "Rewrite.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <regex>
#include <set>
#include <unistd.h>

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
                              "section",
                              "shift-count-overflow",
                              "empty-body",
                              "unsequenced"})
    words.push_back(std::string("-Wno-") + warning);
}

/// Common to all ways: what is seen of the target, and where its headers are.
std::vector<std::string> preprocessorWords(const Command &command, Language language) {
  std::vector<std::string> words;
  addLanguage(words, language);
  words.insert(words.end(),
               {"-I" + includeFolder(), "-Qunused-arguments", "-D__sw_64__=1", "-D__sw26010__=1"});
  words.push_back(slave(command) ? "-D__sw_slave__=1" : "-D__sw_host__=1");
  if (slave(command)) {
    // The C library's declaration of select is of no use there, and in the way; its macros for
    // kinds of characters read its own tables.
    words.push_back("-D_SYS_SELECT_H=1");
    words.push_back("-D__NO_CTYPE=1");
  }
  // Words of the command come later and win. Strict C has no `asm`; sw5cc's always has.
  for (const std::string &word : command.compile)
    words.push_back(word == "-std=c89" || word == "-std=c90" || word == "-ansi" ? "-std=gnu89"
                    : word == "-std=c99"                                        ? "-std=gnu99"
                    : word == "-std=c11"                                        ? "-std=gnu11"
                                                                                : word);
  return words;
}

void addCodeGeneration(std::vector<std::string> &words, const Command &command) {
  const std::string plugin = nativeFolder() + "/WeftSwcc.so";
  words.insert(words.end(),
               {command.optimization, "-fno-pie", "-gline-tables-only", "-fno-vectorize",
                "-fno-slp-vectorize", "-fno-unroll-loops", "-fno-stack-protector",
                "-fasynchronous-unwind-tables", "-fno-strict-aliasing", "-fno-ident", "-fcommon",
                "-Xclang", "-load", "-Xclang", plugin, "-fpass-plugin=" + plugin, "-mllvm",
                slave(command) ? "-weft-side=slave" : "-weft-side=host"});
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    words.insert(words.end(), {"-mavx2", "-mfma"});
  if (!slave(command)) {
    // The vendor's compiler stores to memory that nobody reads again, which benchmarks time.
    for (const char *function : {"malloc", "calloc", "realloc", "free"})
      words.push_back(std::string("-fno-builtin-") + function);
    return;
  }
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

/// Words for the preprocessor alone, and those for the compiler alone.
bool preprocesses(const std::string &word) {
  return word == "-P" || word == "-C" || word.rfind("-M", 0) == 0;
}

/// -MD and -MMD name the rule's file and target after the output: the real one.
void nameDependencies(std::vector<std::string> &words, const Command &command,
                      const Input &source) {
  const auto given = [&](const char *word) {
    return std::any_of(words.begin(), words.end(),
                       [&](const std::string &one) { return one.rfind(word, 0) == 0; });
  };
  if (!given("-MD") && !given("-MMD"))
    return;
  const std::filesystem::path output =
      command.output.empty() ? std::filesystem::path(source.text).stem().string() + ".o"
                             : command.output;
  if (!given("-MF"))
    words.insert(words.end(),
                 {"-MF", std::filesystem::path(output).replace_extension(".d").string()});
  if (!given("-MT") && !given("-MQ"))
    words.insert(words.end(), {"-MT", output.string()});
}

std::string preprocess(std::vector<std::string> words, const Command &command, const Input &source,
                       const std::vector<std::string> &headers) {
  const std::string made = scratchFile(".i");
  for (const std::string &header : headers)
    words.insert(words.end(), {"-include", header});
  words.erase(std::remove_if(words.begin(), words.end(),
                             [](const std::string &word) { return word == "-P" || word == "-C"; }),
              words.end());
  words.insert(words.end(), {"-E", source.text, "-o", made});
  runClang(words, command);
  return readFile(made);
}

/// The words that compile what `words` preprocess.
std::vector<std::string> wordsForPreprocessed(const std::vector<std::string> &words) {
  std::vector<std::string> compile;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "-MF" || words[i] == "-MT" || words[i] == "-MQ")
      ++i;
    else if (words[i] == "-x")
      compile.insert(compile.end(), {"-x", words[++i] == "c++" ? "c++-cpp-output" : "cpp-output"});
    else if (!preprocesses(words[i]))
      compile.push_back(words[i]);
  }
  return compile;
}

/// Variables that the program calls as functions which clang knows: the words that have it forget
/// them. sw5cc knows none.
std::vector<std::string> forgetBuiltins(const std::string &errors) {
  static const std::regex clash("redefinition of '(\\w+)' as different kind of symbol");
  std::set<std::string> words;
  for (std::sregex_iterator at(errors.begin(), errors.end(), clash), end; at != end; ++at)
    words.insert("-fno-builtin-" + (*at)[1].str());
  return {words.begin(), words.end()};
}

/// Compiles `file`, which is `source` or was made of it. What clang says is not shown yet.
Outcome generateOnce(std::vector<std::string> words, const Command &command, const Input &source,
                     const std::string &file, const Made &made) {
  addCodeGeneration(words, command);
  words.insert(words.end(), {"-mllvm", "-weft-source=" + source.text});
  if (command.emit == "llvm")
    words.insert(words.end(), {"-S", "-emit-llvm"});
  else
    words.push_back("-c");
  if (isatty(STDERR_FILENO))
    words.push_back("-fcolor-diagnostics");
  // The listing of SW assembly may be all that is wanted.
  const bool onlyListing = command.emit == "asm" && slave(command);
  if (onlyListing || !made.listing.empty())
    words.insert(words.end(),
                 {"-mllvm", "-weft-listing=" + (onlyListing ? made.output : made.listing)});
  words.insert(words.end(), {file, "-o", onlyListing ? scratchFile(".o") : made.output});
  words.insert(words.begin(), clangPath());
  return run(words, Capture::Error, command.verbose);
}

Outcome generate(const std::vector<std::string> &words, const Command &command, const Input &source,
                 const std::string &file, const Made &made) {
  Outcome outcome = generateOnce(words, command, source, file, made);
  if (outcome.status == 0)
    return outcome;
  const std::vector<std::string> forget = forgetBuiltins(outcome.error);
  if (forget.empty())
    return outcome;
  std::vector<std::string> again = words;
  again.insert(again.end(), forget.begin(), forget.end());
  return generateOnce(std::move(again), command, source, file, made);
}

} // namespace

void compileSource(const Command &command, const Input &source, const Made &made) {
  std::vector<std::string> words = preprocessorWords(command, source.language);
  if (command.stage == Stage::Preprocess) {
    words.insert(words.end(), {"-E", source.text, "-o", made.output});
    return runClang(words, command);
  }
  nameDependencies(words, command, source);
  std::vector<std::string> headers;
  Rewritten text = rewrite(preprocess(words, command, source, headers), includeFolder(),
                           source.language == Language::Cxx);
  // The vendor's compiler knows the vector types without their header.
  if (text.vectors && source.language != Language::Preprocessed)
    headers.push_back(includeFolder() + "/simd.h");
  if (text.assembly && slave(command))
    headers.push_back(includeFolder() + "/weft_sw26010_asm.h");
  if (!headers.empty())
    text = rewrite(preprocess(words, command, source, headers), includeFolder(),
                   source.language == Language::Cxx);
  // A source that clang takes as it is has messages with its own text and macros.
  const bool asIs = !text.changed && headers.empty();
  std::vector<std::string> compile = asIs ? words : wordsForPreprocessed(words);
  std::string file = source.text;
  if (!asIs) {
    file = scratchFile(".i");
    writeFile(file, text.text);
  }
  const Outcome outcome = generate(compile, command, source, file, made);
  if (outcome.status == 0 || !slave(command) || !wantsNarrowing(outcome.error)) {
    std::fputs(outcome.error.c_str(), stderr);
    if (outcome.status != 0)
      std::exit(1);
    return;
  }
  compile = wordsForPreprocessed(words);
  file = scratchFile(".i");
  writeFile(file, narrow(std::move(text.text), compile, command.verbose));
  const Outcome narrowed = generate(compile, command, source, file, made);
  std::fputs(narrowed.error.c_str(), stderr);
  if (narrowed.status != 0)
    std::exit(1);
}

} // namespace weft::swcc
