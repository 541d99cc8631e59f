// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From where the program's code came to where it stands: for messages, so it may take its time.
#pragma once

#include "Abi.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace weft::emu::callers {

/// Places in the program's own machine code, the innermost first: what it runs, and the calls that
/// led there. The emulator's and the system's functions between and before them are left out.
using Trail = std::vector<std::uintptr_t>;

/// How many places are followed.
constexpr std::size_t kMost = 48;

/// Of the stack that this runs on. From a signal's handler: of what the signal interrupted.
Trail here();

/// Whether a place in machine code is the program's own.
bool isProgram(std::uintptr_t counter);

/// Source places of one place in machine code, the innermost inlined function first. Empty where
/// nothing is known of it.
using Places = std::vector<const WeftSite *>;
/// All at once: asking costs a process.
std::map<std::uintptr_t, Places> placesOf(const std::vector<std::uintptr_t> &counters);

/// The places of a trail, one after the other.
Places placesOf(const Trail &trail, const std::map<std::uintptr_t, Places> &known);

/// Those of `places` that called `site`; all but the first if `site` is null. None if `site` is
/// not among them.
Places callersOf(const WeftSite *site, const Places &places);

} // namespace weft::emu::callers
