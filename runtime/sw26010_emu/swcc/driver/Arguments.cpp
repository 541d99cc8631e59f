// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Arguments.h"

#include "Options.h"
#include "Process.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>

namespace weft::swcc {

namespace {

std::string ownName = "weft-swcc";

constexpr const char *help =
    R"(usage: weft-swcc -host|-slave|-hybrid [-c] [-o FILE] [options] files

  -host         the C or C++ files run on the management core (the default)
  -slave        the C files run on the 64 compute cores; functions get the prefix slave_
  -hybrid       links host and slave objects to a program
  -c            objects only;  -E preprocessed text;  -S SW assembly of slave files
  -o FILE       the output
  -O0 .. -O3    -O2 if none is given
  -I -D -U -std= -W* -w -g -include -M*    as with other C compilers
  -l -L -Wl,    to the linker; -lm_slave and its like are part of the emulator
  -r            several objects to one
  --emit=asm    the SW assembly that is charged, with pipe and cycle
  --emit=llvm   what the compiler's middle sees
  --listing=FILE  with -slave -c: what --emit=asm prints, beside the object
Words that set the vendor's code generator (-msimd, -OPT:, -CG:, -allshare, ...) have no effect.
)";

/// Files by their suffix, and what to do about those that cannot be served.
enum class Suffix { C, Cxx, Preprocessed, Object, Assembly, Fortran, Unknown };
Suffix suffixOf(const std::string &path) {
  static const std::map<std::string, Suffix> known = {{".c", Suffix::C},
                                                      {".cc", Suffix::Cxx},
                                                      {".cpp", Suffix::Cxx},
                                                      {".cxx", Suffix::Cxx},
                                                      {".C", Suffix::Cxx},
                                                      {".c++", Suffix::Cxx},
                                                      {".i", Suffix::Preprocessed},
                                                      {".o", Suffix::Object},
                                                      {".a", Suffix::Object},
                                                      {".so", Suffix::Object},
                                                      {".obj", Suffix::Object},
                                                      {".s", Suffix::Assembly},
                                                      {".S", Suffix::Assembly},
                                                      {".asm", Suffix::Assembly},
                                                      {".f", Suffix::Fortran},
                                                      {".F", Suffix::Fortran},
                                                      {".for", Suffix::Fortran},
                                                      {".f90", Suffix::Fortran},
                                                      {".F90", Suffix::Fortran},
                                                      {".f95", Suffix::Fortran},
                                                      {".F95", Suffix::Fortran},
                                                      {".f03", Suffix::Fortran},
                                                      {".F03", Suffix::Fortran}};
  const std::string extension = std::filesystem::path(path).extension().string();
  if (const auto found = known.find(extension); found != known.end())
    return found->second;
  return path.find(".so.") != std::string::npos ? Suffix::Object : Suffix::Unknown;
}

class Parser {
public:
  Parser(int count, char **words) : words_(words + 1, words + count) {
    command_.name = std::filesystem::path(words[0]).filename().string();
    ownName = command_.name.empty() ? "weft-swcc" : command_.name;
    command_.name = ownName;
  }

  Command parse() {
    adoptName();
    while (next_ < words_.size()) {
      const std::string word = words_[next_++];
      if (word.size() > 1 && word[0] == '-')
        option(word);
      else if (word.size() > 1 && word[0] == '@' && std::filesystem::exists(word.substr(1)))
        expand(word.substr(1));
      else
        file(word);
    }
    check();
    return std::move(command_);
  }

private:
  std::vector<std::string> words_;
  std::size_t next_ = 0;
  Command command_;
  std::string language_; // of -x

  /// The names in public makefiles: sw5cc, sw5CC, sw5gcc, mpicc, mpiswgcc and so on.
  void adoptName() {
    const std::string &name = command_.name;
    command_.cxx = name.find("CC") != std::string::npos || name.find("++") != std::string::npos ||
                   name.find("cxx") != std::string::npos;
    if (name.find("f90") != std::string::npos || name.find("f77") != std::string::npos ||
        name.find("fort") != std::string::npos)
      fail("Fortran is not served", "rewrite the Fortran files in C, or call the C parts from a C "
                                    "main program");
  }

  [[noreturn]] static void tellVersion() {
    std::puts("weft-swcc: SW26010 C for the emulator of Weft, on clang of LLVM 22");
    std::exit(0);
  }

  /// @file stands for the words in the file; quotes and backslashes as in a shell.
  void expand(const std::string &path) {
    const std::string text = readFile(path);
    std::vector<std::string> found;
    std::string word;
    char quote = 0;
    bool inside = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const char c = text[i];
      if (c == '\\' && quote != '\'' && i + 1 < text.size()) {
        word += text[++i];
        inside = true;
      } else if (quote ? c == quote : c == '"' || c == '\'') {
        quote = quote ? 0 : c;
        inside = true;
      } else if (!quote && std::isspace(static_cast<unsigned char>(c))) {
        if (inside)
          found.push_back(std::move(word));
        word.clear();
        inside = false;
      } else {
        word += c;
        inside = true;
      }
    }
    if (inside)
      found.push_back(std::move(word));
    words_.insert(words_.begin() + static_cast<std::ptrdiff_t>(next_), found.begin(), found.end());
  }

  std::string argument(const Option &option, const std::string &word) {
    if (option.form == Form::Joined || (option.form == Form::Either && word != option.word))
      return word.substr(option.word.size());
    if (next_ == words_.size())
      fail(std::string(option.word) + " needs an argument");
    return words_[next_++];
  }

  void side(Side side, const std::string &word) {
    static std::string first;
    if (command_.side != Side::Unset && command_.side != side)
      fail(first + " and " + word + " in one command",
           "compile host and slave files with -c each by itself, then link with -hybrid");
    first = word;
    command_.side = side;
  }

  void stage(Stage stage) {
    if (command_.stage == Stage::Program || stage == Stage::Preprocess)
      command_.stage = stage;
  }

  void option(const std::string &word) {
    const Option *known = findOption(word);
    if (!known) {
      const std::string close = closestOption(word);
      fail("unknown word " + word,
           close.empty() ? "weft-swcc --help lists what is known" : "did you mean " + close + "?");
    }
    switch (known->effect) {
    case Effect::Host:
      return side(Side::Host, word);
    case Effect::Slave:
      return side(Side::Slave, word);
    case Effect::Hybrid:
      return side(Side::Hybrid, word);
    case Effect::CompileOnly:
      return stage(Stage::Object);
    case Effect::ToAssembly:
      command_.stage = Stage::Assembly;
      return;
    case Effect::PreprocessOnly:
      return stage(Stage::Preprocess);
    case Effect::Relocate:
      return stage(Stage::Relocatable);
    case Effect::Output:
      if (!command_.output.empty())
        fail("-o is given twice: " + command_.output);
      command_.output = argument(*known, word);
      return;
    case Effect::Emit:
      command_.emit = argument(*known, word);
      if (command_.emit != "asm" && command_.emit != "llvm")
        fail("--emit=" + command_.emit + " is not known", "--emit=asm or --emit=llvm");
      return;
    case Effect::Listing:
      command_.listing = argument(*known, word);
      if (command_.listing.empty())
        fail("--listing= names no file", "--listing=FILE");
      return;
    case Effect::Optimize:
      command_.optimization = word == "-O" || word == "-Og"       ? "-O1"
                              : word == "-Ofast" || word == "-O4" ? "-O3"
                                                                  : word;
      if (word == "-Ofast")
        command_.compile.push_back("-ffast-math");
      return;
    case Effect::Language:
      language_ = argument(*known, word);
      return;
    case Effect::Dependencies:
      command_.dependencies = true;
      command_.compile.push_back(word);
      return stage(Stage::Preprocess);
    case Effect::Compile:
      return pass(command_.compile, *known, word);
    case Effect::Link:
      return pass(command_.link, *known, word);
    case Effect::Both:
      command_.compile.push_back(word);
      command_.link.push_back(word);
      return;
    case Effect::Library:
      command_.inputs.push_back({Input::Library, "-l" + argument(*known, word)});
      return;
    case Effect::Verbose:
      command_.verbose = true;
      return;
    case Effect::Help:
      std::fputs(help, stdout);
      std::exit(0);
    case Effect::Version:
      tellVersion();
    case Effect::ToClang:
      std::exit(run({clangPath(), word}, Capture::Nothing, false).status);
    case Effect::Ignored:
      return;
    case Effect::Refused:
      fail(word + " is not served", std::string(known->note));
    }
  }

  void pass(std::vector<std::string> &to, const Option &option, const std::string &word) {
    to.push_back(word);
    if (option.form == Form::Separate || (option.form == Form::Either && word == option.word))
      to.push_back(argument(option, word));
  }

  void file(const std::string &path) {
    if (path == "-")
      fail("a source from standard input is not served", "name the file");
    if (!language_.empty() && language_ != "none") {
      const bool cxx = language_ == "c++";
      if (!cxx && language_ != "c")
        fail("-x " + language_ + " is not served", "-x c or -x c++");
      command_.inputs.push_back({Input::Source, path, cxx ? Language::Cxx : Language::C});
      return;
    }
    switch (suffixOf(path)) {
    case Suffix::C:
      command_.inputs.push_back({Input::Source, path, command_.cxx ? Language::Cxx : Language::C});
      return;
    case Suffix::Cxx:
      command_.inputs.push_back({Input::Source, path, Language::Cxx});
      return;
    case Suffix::Preprocessed:
      command_.inputs.push_back({Input::Source, path, Language::Preprocessed});
      return;
    case Suffix::Object:
      command_.inputs.push_back({Input::Object, path});
      return;
    case Suffix::Assembly:
      failAt(path, "hand-written SW assembly is not served",
             "compile the C version of these functions instead (weft-swcc -slave), with inline "
             "assembly where an instruction is meant");
    case Suffix::Fortran:
      failAt(path, "Fortran is not served", "rewrite the file in C");
    case Suffix::Unknown:
      failAt(path, "what kind of file this is cannot be told from its name",
             "sources end in .c, .cc, .cpp or .C, objects in .o, archives in .a");
    }
  }

  void check() {
    const auto sources = std::count_if(command_.inputs.begin(), command_.inputs.end(),
                                       [](const Input &i) { return i.kind == Input::Source; });
    if (std::none_of(command_.inputs.begin(), command_.inputs.end(),
                     [](const Input &i) { return i.kind != Input::Library; })) {
      if (command_.verbose) // as configure asks: sw5cc -v
        tellVersion();
      fail("no files to compile or link", "weft-swcc --help");
    }
    if (!command_.emit.empty() && command_.stage == Stage::Program)
      command_.stage = Stage::Assembly;
    if (command_.stage == Stage::Assembly && command_.emit.empty())
      command_.emit = "asm";
    for (const Input &input : command_.inputs)
      if (input.kind != Input::Library && !std::filesystem::exists(input.text))
        fail(input.text + ": no such file");
    if (command_.side == Side::Slave) {
      for (const Input &input : command_.inputs)
        if (input.kind == Input::Source && input.language == Language::Cxx)
          failAt(input.text, "a slave file in C++",
                 "slave files are C; keep C++ to the -host files");
      if (command_.stage == Stage::Program)
        fail("-slave makes objects, not a program",
             "add -c, and link the object together with the host's: -hybrid");
    }
    if (command_.stage == Stage::Assembly && command_.emit == "asm" && command_.side != Side::Slave)
      fail("SW assembly is made of slave files only",
           "-slave -S; host code becomes native code of this machine");
    if (!command_.listing.empty() &&
        (command_.side != Side::Slave || command_.stage != Stage::Object || sources != 1))
      fail("--listing= goes with the object of one slave file", "-slave -c, and one source");
    const bool perFile = command_.stage != Stage::Program && command_.stage != Stage::Relocatable;
    if (perFile && sources == 0)
      fail("no source files", "-c, -S and -E take sources; -hybrid links objects");
    if (perFile && sources > 1 && !command_.output.empty() && command_.stage != Stage::Preprocess)
      fail("-o " + command_.output + " with several sources and no link",
           "leave -o out: each object is named after its source");
  }
};

} // namespace

Command parseArguments(int count, char **words) { return Parser(count, words).parse(); }

void fail(const std::string &message, const std::string &help) {
  std::fprintf(stderr, "%s: error: %s\n", ownName.c_str(), message.c_str());
  if (!help.empty())
    std::fprintf(stderr, "%s: help: %s\n", ownName.c_str(), help.c_str());
  std::exit(1);
}

void failAt(const std::string &place, const std::string &message, const std::string &help) {
  std::fprintf(stderr, "%s: error: %s\n", place.c_str(), message.c_str());
  if (!help.empty())
    std::fprintf(stderr, "%s: help: %s\n", place.c_str(), help.c_str());
  std::exit(1);
}

} // namespace weft::swcc
