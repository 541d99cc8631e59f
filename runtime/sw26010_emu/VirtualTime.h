// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What clocks of the emulated machine show.
#pragma once

#include <cstdint>

namespace weft::emu {

/// The calendar at cycle 0, the same in every run: 14 July 2017.
constexpr std::uint64_t kEpochSeconds = 1500000000;
constexpr std::uint64_t kNanosecondsPerSecond = 1000000000;

/// Cycles of the machine's clock in nanoseconds, without rounding errors that grow.
std::uint64_t nanosecondsOf(std::uint64_t cycles);

} // namespace weft::emu
