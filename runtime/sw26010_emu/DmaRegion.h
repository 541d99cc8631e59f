// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The main memory that a transfer touches: blocks of one size at one distance.
#pragma once

#include <cstdint>
#include <optional>

namespace weft::emu {

struct DmaRegion {
  std::uintptr_t first = 0;
  std::uint64_t block = 0;  // bytes of a block; all if there is one
  std::uint64_t period = 1; // from the start of a block to that of the next
  std::uint64_t bytes = 0;  // in all; the last block may be shorter

  std::uint64_t blocks() const { return (bytes + block - 1) / block; }
  std::uint64_t bytesOf(std::uint64_t index) const {
    return index + 1 < blocks() ? block : bytes - index * block;
  }
  std::uintptr_t start(std::uint64_t index) const { return first + index * period; }
  std::uintptr_t end() const { return start(blocks() - 1) + bytesOf(blocks() - 1); }
};

/// A byte that both have, if any.
std::optional<std::uintptr_t> commonByte(const DmaRegion &one, const DmaRegion &other);

} // namespace weft::emu
