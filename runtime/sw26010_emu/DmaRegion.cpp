// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DmaRegion.h"

#include <algorithm>

namespace weft::emu {

namespace {

/// A byte of [begin, end) that the region has.
std::optional<std::uintptr_t> within(const DmaRegion &region, std::uintptr_t begin,
                                     std::uintptr_t end) {
  begin = std::max(begin, region.first);
  if (begin >= std::min(end, region.end()))
    return std::nullopt;
  std::uint64_t index = std::min((begin - region.first) / region.period, region.blocks() - 1);
  if (begin >= region.start(index) + region.bytesOf(index)) {
    if (++index == region.blocks())
      return std::nullopt;
    begin = region.start(index);
  }
  return begin < end ? std::optional(begin) : std::nullopt;
}

/// Both have one period: blocks lie to one another as the first two do, so that a block of `other`
/// meets two blocks of `one` at most, and all do alike.
std::optional<std::uintptr_t> samePeriod(const DmaRegion &one, const DmaRegion &other) {
  // The first block of `other` that could meet one, and the last.
  const std::uint64_t from =
      other.first >= one.first ? 0 : (one.first - other.first) / other.period;
  for (std::uint64_t index = from; index < std::min(from + 3, other.blocks()); ++index)
    if (auto byte = within(one, other.start(index), other.start(index) + other.bytesOf(index)))
      return byte;
  const std::uint64_t last = other.blocks() - 1; // it may be shorter, or the only one in reach
  return within(one, other.start(last), other.start(last) + other.bytesOf(last));
}

} // namespace

std::optional<std::uintptr_t> searchCommonByte(const DmaRegion &one, const DmaRegion &other) {
  if (one.blocks() > other.blocks())
    return searchCommonByte(other, one);
  if (one.period == other.period && one.blocks() > 1)
    return samePeriod(one, other);
  for (std::uint64_t index = 0; index < one.blocks(); ++index)
    if (auto byte = within(other, one.start(index), one.start(index) + one.bytesOf(index)))
      return byte;
  return std::nullopt;
}

} // namespace weft::emu
