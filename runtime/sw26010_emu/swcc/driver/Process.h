// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs that the driver runs, the files between them, and where its own files are.
#pragma once

#include <string>
#include <vector>

namespace weft::swcc {

struct Outcome {
  int status = 0; // exit status; 128 + signal when it was killed
  std::string out, error;
};

/// What of a program's streams the driver reads itself; the rest goes through.
enum class Capture { Nothing, Error, Both };
Outcome run(const std::vector<std::string> &words, Capture capture, bool verbose);

/// clang of LLVM 22: WEFT_CLANG, else clang-22 on the path, else where Debian and Ubuntu have it.
std::string clangPath();
/// A tool of the same LLVM, such as llvm-ar.
std::string llvmTool(const std::string &name);
/// The folder that holds WeftSwcc.so and libweft_sw26010.so: native/, beside include/sw26010.
std::string nativeFolder();
std::string includeFolder();

std::string readFile(const std::string &path);
void writeFile(const std::string &path, const std::string &text);

/// A folder for intermediate files, removed when the process ends.
const std::string &scratchFolder();
/// A fresh name in the scratch folder.
std::string scratchFile(const std::string &suffix);
/// Gives the finished file its place: an output is whole or not there at all.
void moveInto(const std::string &from, const std::string &to);

} // namespace weft::swcc
