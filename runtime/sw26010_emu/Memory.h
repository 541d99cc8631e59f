// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Main memory as CPEs may use it: what is there, and what must not be touched.
#pragma once

#include "Abi.h"
#include "Fault.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weft::emu {

/// Whether the program's main, or what it registered for its end, runs.
bool programRuns();
void setProgramRuns(bool runs);

class Memory {
public:
  static Memory &get();

  /// Raises a fault unless [address, address + bytes) is main memory that `core` may access so.
  /// A read that only runs over the end of a block is a hazard.
  /// `what` names the use: "a load", "the source of athread_get". Kind as in the ABI.
  void require(int core, std::uintptr_t address, std::uint64_t bytes, std::uint32_t kind,
               std::string_view what, const WeftSite *site);
  /// The same for what a get reads, which the machine does whatever the program allocated: bytes
  /// behind a live block are a hazard however far behind it. True if pages of it may be missing:
  /// copy with copyAnyway.
  bool requireForGet(int core, std::uintptr_t address, std::uint64_t bytes, const WeftSite *site);
  /// memcpy from memory of which pages may be missing: these are zeros.
  static void copyAnyway(void *to, std::uintptr_t from, std::uint64_t bytes);
  /// Says in `fault` why `fault.core` may not access that; its core, cycle and site are set.
  void explain(Fault &fault, std::uintptr_t address, std::uint64_t bytes, std::uint32_t kind,
               std::string_view what) const;
  /// Whether all of it is such memory, in one piece.
  bool holds(std::uintptr_t address, std::uint64_t bytes, std::uint32_t kind) {
    return allowed(address, bytes, kind);
  }

  struct History {
    bool freed = false;
    std::string text; // "byte 8 of a block of 80 bytes that was allocated m.c:3, in main, and ..."
  };
  /// What an address is, or was, in words.
  static History historyOf(std::uintptr_t address);
  /// A place in the program's machine code, in words: "at m.c:3, in main".
  static std::string describeCode(const void *address);

private:
  struct Range {
    std::uintptr_t begin = 0, end = 0;
    bool writable = true;
  };
  std::vector<Range> fixed_;  // the program's and libraries' segments, arguments, stacks
  std::vector<Range> mapped_; // by the program itself, as far as it was used
  Range last_;                // where the last access was, if nothing can take it away

  Memory();
  /// Whether the process has memory there that is none of the machine's: the program mapped it.
  bool findMapped(std::uintptr_t address);
  const Range *rangeOf(std::uintptr_t address) const;
  bool allowed(std::uintptr_t address, std::uint64_t bytes, std::uint32_t kind);
};

} // namespace weft::emu
