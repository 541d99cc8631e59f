// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What compiled code asks before a loop that checks nothing.
#include "Abi.h"

#include <cstring>

int weft_sw_window(const WeftCore *core, uint64_t begin, uint64_t end, uint64_t misaligned) {
  const uint64_t offset = begin - core->ldm;
  if ((begin & misaligned) || offset >= WEFT_SW_LDM_BYTES || end <= begin ||
      end - core->ldm > WEFT_SW_LDM_BYTES)
    return 0;
  const uint8_t *first = core->shadow + offset / WEFT_SW_GRANULE;
  const uint8_t *last = core->shadow + (end - 1 - core->ldm) / WEFT_SW_GRANULE;
  // Eight granules at a time.
  for (; last - first >= 8; first += 8) {
    uint64_t granules;
    std::memcpy(&granules, first, sizeof granules);
    if (granules)
      return 0;
  }
  for (; first <= last; ++first)
    if (*first)
      return 0;
  return 1;
}
