// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DmaRecentLines.h"

#include <algorithm>
#include <bit>

namespace weft::emu {

DmaRecentLines::DmaRecentLines(std::size_t lines) {
  if (lines == 0)
    return;
  sets_.resize(std::bit_ceil(std::max<std::size_t>(lines / Ways, 2)));
  shift_ = 64 - std::countr_zero(sets_.size());
}

/// The least recently taken line of a set makes room. Which set is hashed, so that lines at any
/// distance from each other use all of them.
bool DmaRecentLines::takeLine(std::uint64_t number, int core) {
  constexpr std::uint64_t Golden = 0x9E3779B97F4A7C15;
  auto &set = sets_[number * Golden >> shift_];
  auto line = std::ranges::find_if(
      set, [&](const Line &known) { return known.number == number && known.taken != 0; });
  const bool others = line != set.end() && line->core != core;
  if (line == set.end())
    line = std::ranges::min_element(set, {}, &Line::taken);
  *line = {number, ++taken_, core};
  return others;
}

bool DmaRecentLines::take(std::uint64_t first, std::uint64_t last, int core) {
  if (sets_.empty())
    return false;
  bool others = true;
  for (std::uint64_t number = first; number <= last; ++number)
    others &= takeLine(number, core);
  return others;
}

} // namespace weft::emu
