// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The instruction caches of the CPEs. A segment of code is looked up when it is about to run,
// unless its stamp says that it was in the cache and nothing has left the cache since: then
// generated code does not even ask.
#pragma once

#include "Abi.h"

namespace weft::emu::icache {

/// Gives the program's functions their addresses.
void start();
/// A core begins to run slave code: what it fetched before is still there.
void begin(WeftCore &core);

} // namespace weft::emu::icache
