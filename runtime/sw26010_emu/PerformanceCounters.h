// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The three programmable counters of a CPE: control registers 5, 6 and 7, and 8, which enables
// them. What they count are the emulator's own counters.
#pragma once

#include <cstdint>

namespace weft::emu {

constexpr int kFirstCounterRegister = 5;
constexpr int kCounterControlRegister = 8;

/// `index` is 5 to 8; of the running CPE. A fault where what is asked for is not known.
std::uint64_t readCounterRegister(int index);
void writeCounterRegister(int index, std::uint64_t value);

} // namespace weft::emu
