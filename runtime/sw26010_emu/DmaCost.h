// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one DMA request asks of the memory controller, from its shape alone.
#pragma once

#include "DmaParameters.h"
#include "DmaRecentLines.h"

#include <cstdint>

namespace weft::emu {

/// A request as the memory sees it: `bytes` in blocks of `block` bytes with `gap` bytes between
/// them, the first at `memoryAddress`. Contiguous: block 0, block >= bytes, or gap 0.
struct DmaShape {
  std::uint64_t memoryAddress = 0;
  std::uint32_t bytes = 0;
  std::uint32_t block = 0;
  std::uint32_t gap = 0;
  bool toMemory = false; // a put
};

struct DmaCost {
  double service = 0;      // cycles of the controller, among gets and puts of all cores
  double undisturbed = 0;  // the same for a put between puts only; of a get as above
  double delivery = 0;     // the least cycles from its first line to its last
  std::uint64_t lines = 0; // lines of main memory touched, once for each block that touches them
  std::uint64_t blocks = 0;
};

DmaCost costOf(const DmaShape &shape, const DmaParameters &parameters);

/// The same for a request of `core`, after those that `recent` knows: a block of a strided get
/// whose lines another core has just got takes these lines alone.
DmaCost costAmong(const DmaShape &shape, int core, const DmaParameters &parameters,
                  DmaRecentLines &recent);

} // namespace weft::emu
