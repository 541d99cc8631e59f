// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pipelines of one CPE while it runs one function, instruction by instruction, as a Kanata log
// (the viewer is Konata). WEFT_EMU_KONATA names FUNCTION:CPE; without it nothing is done.
#pragma once

#include "Abi.h"

namespace weft::emu::konata {

/// Reads what is asked for; ends the run with a message if the program has no such function.
/// The program's segments must be known.
void start();
/// Whether this core's segments are to be told: what WeftCore.step is set to.
bool wants(int core);
/// `segment` begins to run at core.now; asked only where core.step is set, which it takes back when
/// nothing more is to be told.
void step(WeftCore &core, const WeftSegment &segment);
/// Completes the file.
void finish();

} // namespace weft::emu::konata
