// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The management core's time: what host code's segments cost, and its caches.
//
// Host code adds what its blocks cost to weft_sw_host_work, in sixteenths of a cycle, because a
// block of a four-wide core may cost less than one. Whoever asks the MPE for its time settles
// first.
#pragma once

#include "Abi.h"
#include "DmaRegion.h"

#include <cstdint>
#include <vector>

namespace weft::emu {

/// A set-associative cache of whole lines; write-back, write-allocate, the least recently used line
/// goes. It keeps no data.
class Cache {
public:
  Cache(std::uint64_t bytes, unsigned ways, std::uint64_t lineBytes);

  struct Result {
    bool hit;
    bool evictedDirty;
    std::uint64_t evictedLine;
  };
  Result access(std::uint64_t line, bool store);
  /// The line, if it is here, is no longer valid.
  void forget(std::uint64_t line);

private:
  /// The ways of a line's set, the one used last first: the line, shifted by one, and whether it
  /// was written.
  std::uint64_t *setOf(std::uint64_t line);

  static constexpr std::uint64_t kEmpty = ~std::uint64_t{0};
  std::vector<std::uint64_t> ways_;
  std::uint64_t sets_, setMask_; // mask 0: the number of sets is no power of two, or one
  unsigned associativity_;
};

class Mpe {
public:
  static Mpe &get();

  /// Moves the work of host code into its clock.
  void settle();
  /// One access of host code; misses cost time.
  void access(std::uint64_t address, std::uint64_t bytes, bool store);
  /// A CPE or a DMA has written there: what the caches have of it is out of date.
  void changed(std::uint64_t address, std::uint64_t bytes);
  void changed(const DmaRegion &region);
  /// Whether the host has done more, since this was asked last, than one more turn of the loop at
  /// `site` that only waits: then it may have changed what others wait for.
  bool hasWorkedSince(const void *site);
  /// Others run from now on: loops that look at memory give way to them.
  void accompanied();
  /// Others have been let go on; `alone` if there are none.
  void gaveWay(bool alone);
  /// Time spent in a function that is not compiled by weft-swcc.
  void charge(std::uint64_t cycles);

private:
  Mpe();
  void line(std::uint64_t line, bool store);
  std::uint64_t translate(std::uint64_t line);
  std::uint64_t fetch(std::uint64_t line, bool store);
  bool followsAStream(std::uint64_t line);

  Cache first_, second_, translations_;
  unsigned lineShift_, pageShift_;
  // In sixteenths of a cycle, beyond what overlaps with work.
  std::uint64_t secondCost_, streamCost_, scatteredCost_, storeCost_, writeBackCost_, walkCost_;
  // How far it may look at memory ahead of others: less than what a word needs from CPE to MPE.
  static constexpr std::uint64_t kAhead = 64;
  std::uint64_t ahead_ = 0;
  std::uint64_t worked_ = 0;             // cycles in all
  std::uint64_t askedAt_ = 0, turn_ = 0; // in sixteenths: then, and from the time before to then
  const void *site_ = nullptr;
  bool alone_ = true;
  // The last lines that were read from memory, one a stream.
  static constexpr unsigned kStreams = 16;
  std::uint64_t streams_[kStreams] = {};
  unsigned nextStream_ = 0;
};

} // namespace weft::emu
