// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// weft-swcc: compiles and links SW26010 programs for the emulator, with the words of sw5cc.
#include "Arguments.h"
#include "Compile.h"
#include "Link.h"
#include "Process.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>

using namespace weft::swcc;

namespace {

/// a/b.c -> b.o, in the working folder, as C compilers have it.
std::string outputOf(const Command &command, const Input &source) {
  if (!command.output.empty())
    return command.output;
  const std::string stem = std::filesystem::path(source.text).stem().string();
  if (command.stage == Stage::Object)
    return stem + ".o";
  return stem + (command.emit == "llvm" ? ".ll" : ".s");
}

} // namespace

int main(int count, char **words) {
#if defined(WEFT_ASAN_LIBRARY)
  // clang loads the instrumented pass; its own memory is none of the sanitizer's business.
  setenv("LD_PRELOAD", WEFT_ASAN_LIBRARY, 1);
  setenv("ASAN_OPTIONS", "detect_leaks=0:alloc_dealloc_mismatch=0", 1);
#endif
  // Installed as sw5ar it makes archives, as sw5ranlib their index, as sw5ld -r it joins objects.
  const std::string name = std::filesystem::path(words[0]).filename().string();
  if (name == "sw5ar" || name == "swar") {
    std::vector<std::string> archive = {llvmTool("llvm-ar")};
    archive.insert(archive.end(), words + 1, words + count);
    return run(archive, Capture::Nothing, false).status;
  }
  if (name == "sw5ranlib") {
    std::vector<std::string> index = {llvmTool("llvm-ar"), "s"};
    index.insert(index.end(), words + 1, words + count);
    return run(index, Capture::Nothing, false).status;
  }
  const Command command = parseArguments(count, words);
  const bool linking = command.stage == Stage::Program || command.stage == Stage::Relocatable;
  std::vector<std::string> files;
  for (const Input &input : command.inputs) {
    if (input.kind != Input::Source) {
      files.push_back(input.text);
      continue;
    }
    const Made made = {scratchFile(".o"), command.listing.empty() ? "" : scratchFile(".s")};
    compileSource(command, input, made);
    if (!made.listing.empty())
      moveInto(made.listing, command.listing);
    if (linking)
      files.push_back(made.output);
    else if (command.stage == Stage::Preprocess && command.output.empty())
      std::fputs(readFile(made.output).c_str(), stdout);
    else
      moveInto(made.output,
               command.stage == Stage::Preprocess ? command.output : outputOf(command, input));
  }
  if (command.stage == Stage::Program)
    linkProgram(command, files);
  if (command.stage == Stage::Relocatable)
    linkRelocatable(command, files);
}
