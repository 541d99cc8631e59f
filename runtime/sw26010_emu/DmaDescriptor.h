// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a program asks of the DMA engine: the words of a descriptor, and what is wrong with them.
#pragma once

#include "Abi.h"

#include <cstdint>

namespace weft::emu {

enum class DmaOp : std::uint8_t { Put = 0, Get = 1, PutPhysical = 2, GetPhysical = 3, Barrier = 5 };
enum class DmaMode : std::uint8_t {
  Single = 0,
  Broadcast = 1,
  Row = 2,
  BroadcastRow = 3,
  Rank = 4
};

struct DmaRequest {
  std::uint64_t op = 0, mode = 0;
  std::int64_t size = 0;   // bytes in main memory
  std::int64_t block = 0;  // bsize
  std::int64_t gap = 0;    // stepsize, stride
  unsigned mask = 0;       // rows that take part in a broadcast
  std::uint32_t reply = 0; // LDM offset
  std::uintptr_t memory = 0;
  std::uint32_t ldm = 0; // LDM offset

  bool isPut() const {
    return op == static_cast<std::uint64_t>(DmaOp::Put) ||
           op == static_cast<std::uint64_t>(DmaOp::PutPhysical);
  }
  bool is(DmaMode wanted) const { return mode == static_cast<std::uint64_t>(wanted); }
  bool is(DmaOp wanted) const { return op == static_cast<std::uint64_t>(wanted); }
};

/// The 128 bits that dma_set_... fill: size 24, 8 free, bsize 20, 4 free, op 4, mode 4, reply 16,
/// 8 free, mask 8, stepsize 32.
DmaRequest decode(std::uint64_t low, std::uint64_t high);

/// Raises what the machine's check of a descriptor would (DMAE1), tells what it would warn of
/// (DMAE2), and refuses by name what is not documented. `core` gives it at its site.
void checkDescriptor(const DmaRequest &request, const WeftCore &core);

} // namespace weft::emu
