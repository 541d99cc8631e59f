// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What compiled code asks before a loop that checks nothing.
#include "Abi.h"
#include "Dma.h"
#include "Ldm.h"

#include <array>
#include <cstring>

int weft_sw_window(const WeftCore *core, uint64_t begin, uint64_t end, uint64_t misaligned) {
  const uint64_t offset = begin - core->ldm;
  if ((begin & misaligned) || offset >= WEFT_SW_LDM_BYTES || end <= begin ||
      end - core->ldm > WEFT_SW_LDM_BYTES)
    return 0;
  const uint8_t *first = core->shadow + offset / WEFT_SW_GRANULE;
  const uint8_t *last = core->shadow + (end - 1 - core->ldm) / WEFT_SW_GRANULE;
  constexpr uint64_t kEach = 0x0101010101010101;
  uint64_t marks = 0;
  // 32 granules, then eight at a time.
  for (; last - first >= 32; first += 32) {
    std::array<uint64_t, 4> granules;
    std::memcpy(granules.data(), first, sizeof granules);
    marks |= granules[0] | granules[1] | granules[2] | granules[3];
  }
  for (; last - first >= 8; first += 8) {
    uint64_t granules;
    std::memcpy(&granules, first, sizeof granules);
    marks |= granules;
  }
  for (; first <= last; ++first)
    marks |= *first;
  if (marks & ~(kEach * weft::emu::kAwaited))
    return 0;
  // A reply word beside what the loop works on is no matter.
  return !marks || !weft::emu::Dma::get().hasReply(*core, static_cast<uint32_t>(offset),
                                                   static_cast<uint32_t>(end - core->ldm));
}
