// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the running program told of itself when it started, and what was asked for in the
// environment.
#pragma once

#include "Abi.h"

#include <cstddef>

namespace weft::emu {

/// The program given to weft_sw_start; in a test without one, one without sections.
const WeftProgram &linked();

/// Number of CPEs to use (WEFT_EMU_CPES, bsub's -cgsp): 1 to 64.
int cpes();
/// Arrays of slave functions lie in LDM (WEFT_EMU_LDM_STACK, bsub's -b), not in main memory.
bool stackInLdm();
/// Whether times do not matter (WEFT_EMU_FUNCTIONAL), and whether a hazard ends the run
/// (WEFT_EMU_STRICT): 1, or else not set, empty or 0.
bool isFunctional();
bool isStrict();
/// A whole number from the environment; ends the run with a message if it is none, or out of range.
long setting(const char *name, long otherwise, long least, long most);

} // namespace weft::emu
