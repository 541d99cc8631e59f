// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What vector instructions keep between them on a core: the carry register of 256-bit sums, and the
// buffer that a table look-up fills word by word.
#include "Fault.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <string>

using namespace weft::emu;

namespace {

struct SimdState {
  int carry = 0;
  std::array<std::int32_t, 8> table{};
};

SimdState &current() {
  static std::array<SimdState, WEFT_SW_CORES> states;
  return states.at(weft_sw_current->index);
}

} // namespace

int weft_sw_carry() { return current().carry; }

void weft_sw_set_carry(int value) {
  if (value < INT8_MIN || value > INT8_MAX)
    raise({.name = "carry-overflow",
           .core = static_cast<int>(weft_sw_current->index),
           .cycle = weft_sw_current->now,
           .site = weft_sw_current->site,
           .what = "the carry register CA overflows",
           .expected = "a sum of carries and borrows from -128 to 127",
           .found = std::to_string(value),
           .help = "take the carry (simd_uaddo_take_carry and its like) before it has grown so far",
           .others = {}});
  current().carry = value;
}

void weft_sw_table_word(unsigned ldm_address, int lane) {
  WeftCore *core = weft_sw_current;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): LDM is at an address of the core
  const auto *place = reinterpret_cast<const char *>(core->ldm) + (ldm_address & 0xffffU);
  weft_sw_access(core, place, sizeof(std::int32_t), WEFT_SW_LOAD, core->site);
  std::memcpy(&current().table.at(static_cast<std::size_t>(lane) & 7U), place,
              sizeof(std::int32_t));
}

void weft_sw_table_result(void *words) {
  std::memcpy(words, current().table.data(), sizeof(current().table));
}
