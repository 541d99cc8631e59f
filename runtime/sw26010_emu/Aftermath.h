// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One CPE's fault ends the run; whether the others were about to meet the same is worth knowing. A
// copy of the process lets them go on for a while: nothing that it does is seen outside.
#pragma once

#include "Fault.h"

#include <cstdint>

namespace weft::emu::aftermath {

/// For so many cycles after the fault.
constexpr std::uint64_t kCycles = 20000;

/// Other CPEs that meet the fault of `fault.core` at the same place soon after: a bit each.
std::uint64_t sameElsewhere(const Fault &fault);

/// This process is such a copy: it prints nothing, writes nothing, and ends when it has seen
/// enough.
bool runs();
/// In the copy: the running CPE has met a fault, or would end the program; it goes no further.
[[noreturn]] void stopHere(const Fault &fault);
/// In the copy: nothing more will happen.
[[noreturn]] void conclude();

} // namespace weft::emu::aftermath
