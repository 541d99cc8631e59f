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

namespace weft::swcc {

namespace {

/// Libraries of the machine whose functions the emulator has itself.
constexpr std::array<std::string_view, 9> ownLibraries = {"-lslave",  "-lm_slave", "-lathread",
                                                          "-lswperf", "-lmpi",     "-lmpich",
                                                          "-lmpicxx", "-lmpi_cxx", "-lfmpich"};

/// Functions by which host code learns the time, or lets it pass: the emulator's show virtual time.
constexpr std::array<std::string_view, 12> clocks = {"gettimeofday",
                                                     "clock_gettime",
                                                     "timespec_get",
                                                     "time",
                                                     "clock",
                                                     "times",
                                                     "getrusage",
                                                     "sleep",
                                                     "usleep",
                                                     "nanosleep",
                                                     "_ZNSt6chrono3_V212steady_clock3nowEv",
                                                     "_ZNSt6chrono3_V212system_clock3nowEv"};

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

void runLinker(const std::vector<std::string> &words, const Command &command) {
  const Outcome outcome = run(words, Capture::Error, command.verbose);
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
  std::vector<std::string> words = {clangPath(), "-no-pie", "-fuse-ld=lld", "-o", made};
  if (isCxx(command))
    words.insert(words.begin() + 1, "--driver-mode=g++");
  const std::string native = nativeFolder();
  // The start comes first: the system's LDM variables are at the beginning of LDM.
  words.insert(words.end(), {"-Wl,--wrap=main", native + "/weft_start.o"});
  // Before all other libraries: of two that define `operator new`, the first named one's is taken.
  words.insert(words.end(), {"-L" + native, "-lweft_sw26010", "-Wl,-rpath," + native});
  for (const std::string_view clock : clocks)
    words.push_back("-Wl,--wrap=" + std::string(clock));
  words.insert(words.end(), command.link.begin(), command.link.end());
  for (const std::string &file : files)
    if (!isOwn(file))
      words.push_back(file);
  words.push_back("-lm");
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
