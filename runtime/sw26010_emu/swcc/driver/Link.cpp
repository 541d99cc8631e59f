// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Link.h"

#include "LinkErrors.h"
#include "Process.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <regex>
#include <sstream>
#include <vector>

namespace weft::swcc {

namespace {

/// Libraries of the machine whose functions the emulator has itself.
constexpr std::array<std::string_view, 9> ownLibraries = {"-lslave",  "-lm_slave", "-lathread",
                                                          "-lswperf", "-lmpi",     "-lmpich",
                                                          "-lmpicxx", "-lmpi_cxx", "-lfmpich"};

/// What of the program the system's libraries may see. As in the machine's static programs, its
/// names are its own, were they `times`, `index` or `read`; only memory that it manages itself is
/// everybody's.
constexpr std::string_view visibleNames =
    "{ global: malloc; calloc; realloc; reallocarray; free; memalign; posix_memalign; "
    "aligned_alloc; valloc; pvalloc; malloc_usable_size; _Znw*; _Zna*; _Zdl*; _Zda*; local: *; "
    "};\n";

bool isOwn(const std::string &word) {
  return std::find(ownLibraries.begin(), ownLibraries.end(), word) != ownLibraries.end();
}

/// Objects that the vendor's compiler made cannot run here.
void refuseForeignObjects(const std::vector<std::string> &files) {
  constexpr unsigned machineField = 18, ownMachine = 62;
  for (const std::string &file : files) {
    if (std::filesystem::path(file).extension() != ".o")
      continue;
    std::ifstream stream(file, std::ios::binary);
    std::array<unsigned char, 20> head{};
    stream.read(reinterpret_cast<char *>(head.data()), head.size());
    if (!stream || head[0] != 0x7f || head[1] != 'E')
      continue; // the linker says what is wrong with it
    const unsigned machine = head[machineField] | head[machineField + 1] << 8;
    if (machine != ownMachine)
      failAt(file, "an object for another machine (ELF machine " + std::to_string(machine) + ")",
             "compile its source with weft-swcc");
  }
}

/// What is defined more than once, and where each is.
using Repeated = std::map<std::string, std::vector<std::string>>;

/// "a.c:3" of "a.c:3 (folder/a.c:3)".
std::string shortPlace(const std::string &text) { return text.substr(0, text.find(" (")); }

/// A message names two files, and the first one's definition is in all messages.
void addOnce(std::vector<std::string> &places, const std::string &place) {
  if (std::find(places.begin(), places.end(), place) == places.end())
    places.push_back(place);
}

/// What is defined more than once, if nothing else is wrong and all of it are slave functions and
/// variables. Of a function the linker knows the line; of a variable, only the file.
std::optional<Repeated> repeatedOnly(const std::string &messages) {
  constexpr std::string_view error = "error: ", repeated = "error: duplicate symbol: ";
  constexpr std::string_view defined = ">>> defined at "; // or "in", with an object
  Repeated names;
  bool slave = false;
  std::vector<std::string> *places = nullptr;
  std::istringstream lines(messages);
  for (std::string line; std::getline(lines, line);) {
    if (places && line.rfind(">>> defined ", 0) == 0) {
      const std::string place = shortPlace(line.substr(defined.size()));
      const bool function = std::regex_search(place, std::regex(":[0-9]+$"));
      if (function && !slave)
        return std::nullopt;
      addOnce(*places, place);
    }
    if (line.find(error) == std::string::npos || line.find("linker command failed") < line.size())
      continue;
    const std::size_t at = line.find(repeated);
    if (at == std::string::npos)
      return std::nullopt;
    slave = line.compare(at + repeated.size(), 6, "slave_") == 0;
    places = &names[line.substr(at + repeated.size())];
  }
  return names.empty() ? std::nullopt : std::optional(names);
}

std::string joined(const std::vector<std::string> &words) {
  std::string text;
  for (const std::string &word : words)
    text += (text.empty() ? "" : ", ") + word;
  return text;
}

/// A line for all that the same files define: the variables of one header.
void warnOfRepeated(const Repeated &repeated) {
  std::map<std::string, std::vector<std::string>> namesByPlaces;
  for (const auto &[name, places] : repeated)
    namesByPlaces[joined(places)].push_back(name);
  for (const auto &[places, names] : namesByPlaces)
    std::fprintf(stderr,
                 "weft-swcc: warning: %s %s defined in several files (%s); the first is taken\n",
                 joined(names).c_str(), names.size() == 1 ? "is" : "are", places.c_str());
}

/// Public programs give functions of several slave files one name without `static`, or define
/// variables in a header that several files include, and link with the vendor's tools: the first
/// definition is taken there too.
void runLinker(std::vector<std::string> words, const Command &command) {
  Outcome outcome = run(words, Capture::Error, command.verbose);
  if (outcome.status != 0)
    if (const auto repeated = repeatedOnly(outcome.error)) {
      warnOfRepeated(*repeated);
      words.push_back("-Wl,-z,muldefs");
      outcome = run(words, Capture::Error, command.verbose);
    }
  std::fputs(rewordLinkErrors(outcome.error).c_str(), stderr);
  if (outcome.status != 0)
    std::exit(1);
}

bool isCxx(const Command &command) {
  return command.cxx ||
         std::any_of(command.inputs.begin(), command.inputs.end(), [](const Input &i) {
           return i.kind == Input::Source && i.language == Language::Cxx;
         });
}

} // namespace

void linkProgram(const Command &command, const std::vector<std::string> &files) {
  refuseForeignObjects(files);
  const std::string made = scratchFile(".program");
  std::vector<std::string> words = {clangPath(),           "-no-pie", "-fuse-ld=lld",
                                    "-Wl,--error-limit=0", "-o",      made};
  if (isCxx(command))
    words.insert(words.begin() + 1, "--driver-mode=g++");
  const std::string native = nativeFolder();
  // The start comes first: the system's LDM variables are at the beginning of LDM.
  words.insert(words.end(), {"-Wl,--wrap=main", native + "/weft_start.o"});
  // Before all other libraries: of two that define `operator new`, the first named one's is taken.
  words.insert(words.end(), {"-L" + native, "-lweft_sw26010", "-Wl,-rpath," + native});
#if defined(WEFT_ASAN_LIBRARY)
  // Behind the emulator's malloc, and before the C library, whose functions it takes over.
  words.push_back(WEFT_ASAN_LIBRARY);
#endif
  const std::string visible = scratchFile(".names");
  writeFile(visible, std::string(visibleNames));
  words.insert(words.end(), {"-Wl,--version-script=" + visible, "-Wl,--undefined-version"});
  words.insert(words.end(), command.link.begin(), command.link.end());
  for (const std::string &file : files)
    if (!isOwn(file))
      words.push_back(file);
  words.push_back("-lm");
  // Objects of C++ files do not show on the command line that they are.
  if (!isCxx(command))
    words.insert(words.end(), {"-Wl,--as-needed", "-lstdc++"});
  runLinker(words, command);
  moveInto(made, command.output.empty() ? "a.out" : command.output);
}

void linkRelocatable(const Command &command, const std::vector<std::string> &files) {
  refuseForeignObjects(files);
  const std::string made = scratchFile(".o");
  std::vector<std::string> words = {clangPath(), "-r", "-fuse-ld=lld", "-nostdlib", "-o", made};
  for (const std::string &file : files)
    if (!isOwn(file))
      words.push_back(file);
  runLinker(words, command);
  moveInto(made, command.output.empty() ? "a.out" : command.output);
}

} // namespace weft::swcc
