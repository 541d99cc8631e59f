// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host's signals as faults of the emulated program.
#pragma once

namespace weft::emu {

/// From now on a signal that would end the process with a crash is a fault with core, cycle and
/// place; an interrupt from the keyboard says where the program was.
void catchSignals();

} // namespace weft::emu
