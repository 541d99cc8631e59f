// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the linker finds wrong, in the programmer's words.
#pragma once

#include <string>

namespace weft::swcc {

std::string rewordLinkErrors(const std::string &text);

} // namespace weft::swcc
