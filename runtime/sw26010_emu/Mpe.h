// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The management core's time: what host code's segments cost, and its caches.
//
// Host code adds what its blocks cost to weft_sw_host_work, in sixteenths of a cycle, because a
// block of a four-wide core may cost less than one. Whoever asks the MPE for its time settles
// first.
#pragma once

#include "Abi.h"

#include <cstdint>
#include <vector>

namespace weft::emu {

/// A set-associative cache of whole lines, least recently used goes first; write-back,
/// write-allocate. It keeps no data.
class Cache {
public:
  Cache(std::uint64_t bytes, unsigned ways, std::uint64_t lineBytes);

  struct Result {
    bool hit;
    bool evictedDirty;
    std::uint64_t evictedLine;
  };
  Result access(std::uint64_t line, bool store);
  /// Forgets a line; whether it had been written.
  bool drop(std::uint64_t line);

private:
  struct Way {
    std::uint64_t line = ~std::uint64_t{0};
    std::uint32_t used = 0;
    bool dirty = false;
  };
  std::vector<Way> ways_;
  std::uint64_t sets_;
  unsigned associativity_;
  std::uint32_t tick_ = 0;
};

class Mpe {
public:
  static Mpe &get();

  /// Moves the work of host code into its clock.
  void settle();
  /// One access of host code; misses cost time.
  void access(std::uint64_t address, std::uint64_t bytes, bool store);
  /// Time spent in a function that is not compiled by weft-swcc.
  void charge(std::uint64_t cycles);
  /// `main memory changed behind the caches`: a transfer or store of a CPE. Lines are forgotten, so
  /// that the next access of the host fetches them anew.
  void invalidate(std::uint64_t address, std::uint64_t bytes);

private:
  Mpe();
  void line(std::uint64_t line, bool store);
  Cache first_, second_;
  unsigned lineShift_;
  std::uint64_t secondCost_, fillCost_, writeBackCost_; // sixteenths of a cycle
};

} // namespace weft::emu
