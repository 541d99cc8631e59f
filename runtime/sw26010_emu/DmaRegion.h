// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The main memory that a transfer touches: blocks of one size at one distance.
#pragma once

#include <cstdint>
#include <optional>

namespace weft::emu {

class DmaRegion {
public:
  DmaRegion() = default;
  /// `bytes` in all, more than 0; the last block may be shorter.
  DmaRegion(std::uintptr_t first, std::uint64_t block, std::uint64_t period, std::uint64_t bytes)
      : first(first), block(block), period(period), bytes(bytes),
        count_((bytes + block - 1) / block), end_(start(count_ - 1) + bytesOf(count_ - 1)) {}
  /// One block.
  DmaRegion(std::uintptr_t first, std::uint64_t bytes)
      : first(first), block(bytes), period(bytes), bytes(bytes), count_(1), end_(first + bytes) {}

  std::uintptr_t first = 0;
  std::uint64_t block = 0;  // bytes of a block
  std::uint64_t period = 0; // from the start of a block to that of the next
  std::uint64_t bytes = 0;  // in all

  std::uint64_t blocks() const { return count_; }
  std::uint64_t bytesOf(std::uint64_t index) const {
    return index + 1 < blocks() ? block : bytes - index * block;
  }
  std::uintptr_t start(std::uint64_t index) const { return first + index * period; }
  std::uintptr_t end() const { return end_; }

private:
  std::uint64_t count_ = 0;
  std::uintptr_t end_ = 0;
};

std::optional<std::uintptr_t> searchCommonByte(const DmaRegion &one, const DmaRegion &other);

/// No byte of one lies between the first and the last of the other.
inline bool farApart(const DmaRegion &one, const DmaRegion &other) {
  return one.first >= other.end() || other.first >= one.end();
}

/// A byte that both have, if any.
inline std::optional<std::uintptr_t> commonByte(const DmaRegion &one, const DmaRegion &other) {
  if (farApart(one, other))
    return std::nullopt;
  return searchCommonByte(one, other);
}

} // namespace weft::emu
