// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>

namespace weft::emu {

/// SHA-256 in hexadecimal, as sha256sum prints it.
std::string sha256(std::string_view bytes);

} // namespace weft::emu
