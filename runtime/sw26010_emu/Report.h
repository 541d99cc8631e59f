// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The run in figures: JSON in the file that WEFT_EMU_REPORT names, whole or not at all. Its schema
// is in docs/emulator.md.
#pragma once

#include "Abi.h"
#include "Fault.h"

#include <cstdint>
#include <string_view>

namespace weft::emu::report {

/// A program starts: opens the trace if one is asked for, finds the program's segments, and sees to
/// it that `finish` is called when the program exits.
void start(int argc, const char *const *argv);

/// CPEs begin to run a function, until the MPE has seen them end. Returns what `endPhase` takes.
/// Phases of the same function are also told together.
int beginPhase(std::string_view function, int cpes, std::uint64_t cycle, const WeftSite *site);
void endPhase(int phase, std::uint64_t cycle);

/// A CPE runs a program's function: its `time` counters add up to what lies between the two.
void beginActive(int core, std::uint64_t cycle);
void endActive(int core, std::uint64_t cycle);

/// The most LDM that a core has used of a kind, such as "stack", "ldm_malloc"; __thread_local
/// variables are known from the program.
void ldmUse(int core, std::string_view what, std::uint64_t bytes);

/// A hazard was met (again), a fault ends the run; `warn` and `raise` call these.
void addHazard(const Fault &hazard);
void addFault(const Fault &fault);

/// Writes report and trace. By the program's exit, and by a fault; further calls do nothing.
/// `cycle` is the MPE's.
void finish(int status, std::uint64_t cycle);

} // namespace weft::emu::report
