// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a core's own loop waits for, where the loop says so: that a word has a value.
#pragma once

#include "Abi.h"

#include <cstdint>

extern "C" {

/// Generated code, before weft_sw_spin: the loop at `site` ends when the `bytes` at `address` are
/// `value`.
void weft_sw_awaits(const WeftCore *core, const void *address, uint64_t value, uint32_t bytes,
                    const WeftSite *site);

} // extern "C"

namespace weft::emu {

struct Awaited {
  std::uintptr_t address = 0;
  std::uint64_t value = 0;
  std::uint32_t bytes = 0;
  const WeftSite *site = nullptr;
};

/// The last of a core; it still waits so only if it is at that place.
const Awaited &awaitedBy(int core);

} // namespace weft::emu
