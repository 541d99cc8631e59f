// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Objects to a program, or to one object (-r).
#pragma once

#include "Arguments.h"

namespace weft::swcc {

/// Links `files` (objects, archives and -l words in order) to the command's output.
void linkProgram(const Command &command, const std::vector<std::string> &files);
void linkRelocatable(const Command &command, const std::vector<std::string> &files);

} // namespace weft::swcc
