// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pipelines of one CPE while it runs one function, instruction by instruction, as a Kanata log
// (the viewer is Konata). WEFT_EMU_KONATA names FUNCTION:CPE; without it nothing is done.
#pragma once

#include <cstdint>

namespace weft::emu::konata {

/// Reads what is asked for; ends the run with a message if the program has no such function.
/// The program's segments must be known.
void start();
/// Whether this core's segments are to be told: what WeftCore.step is set to.
bool wants(int core);
/// Completes the file.
void finish();

} // namespace weft::emu::konata
