// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host's signals as faults of the emulated program.
#pragma once

#include "Abi.h"

#include <cstddef>

namespace weft::emu {

/// From now on a signal that would end the process with a crash is a fault with core, cycle and
/// place; an interrupt from the keyboard says where the program was.
void catchSignals();
/// Where nothing is half done: if an interrupt has come, the run ends here and says so.
void answerInterrupt(const WeftSite *site);

/// What telling a fault may take of the handler's own stack, a subprocess for the line included.
constexpr std::size_t kSignalStack = std::size_t{256} * 1024;
/// The running thread's handlers have `stack` of that size; null: none any more.
void useSignalStack(char *stack);

} // namespace weft::emu
