// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Control and status registers of a CPE, as rcsr and wcsr number them.
#include "Clock.h"
#include "Counters.h"
#include "Fault.h"
#include "Mesh.h"
#include "PerformanceCounters.h"

#include <array>
#include <string>

using namespace weft::emu;

namespace {

enum Register : int {
  kId = 0,
  kRow = 1,
  kColumn = 2,
  kCycles = 4,
  kGetrEmpty = 0x34,
  kGetcEmpty = 0x35,
  kPutFull = 0x36,
  kTruthTables = 0x80, // of vlog3r
  kTruthTablesEnd = 0x90,
};

/// Registers that hold what was written; a place a number.
std::array<std::uint64_t, kTruthTablesEnd> &written() {
  static std::array<std::array<std::uint64_t, kTruthTablesEnd>, WEFT_SW_CORES> values{};
  return values.at(weft_sw_current->index);
}

/// A core that asks again and again whether it may go on is a core that waits: after some questions
/// it skips to when something can have changed, and a deadlock is seen.
std::uint64_t answer(bool mustWait) {
  constexpr unsigned kPatience = 64;
  static std::array<unsigned, WEFT_SW_CORES> inVain{};
  const WeftCore &core = *weft_sw_current;
  unsigned &waiting = inVain.at(core.index);
  if (!mustWait) {
    waiting = 0;
    return 0;
  }
  if (++waiting > kPatience) {
    const std::uint64_t before = core.now;
    Clock &clock = Clock::get();
    clock.polls();
    clock.spin(core.site, 1);
    count(static_cast<int>(core.index), Counter::SpinWait, core.now - before, core.site);
  }
  return 1;
}

[[noreturn]] void refuse(const char *instruction, int number) {
  raise({.name = "unknown-csr",
         .core = static_cast<int>(weft_sw_current->index),
         .cycle = weft_sw_current->now,
         .site = weft_sw_current->site,
         .what = std::string(instruction) + " of control register " + std::to_string(number) +
                 ", whose meaning is not known",
         .expected = "0 (CPE), 1 (row), 2 (column), 4 (cycles), 5-8 (performance counters), "
                     "0x34-0x36 (message "
                     "buffers), 0x80-0x8f (truth tables)",
         .help = "read what the program needs in another way"});
}

} // namespace

std::uint64_t weft_sw_read_csr(int number) {
  const WeftCore &core = *weft_sw_current;
  switch (number) {
  case kId:
    return core.index;
  case kRow:
    return core.index / 8;
  case kColumn:
    return core.index % 8;
  case kCycles:
    return core.now;
  case kGetrEmpty:
    return answer(Mesh::get().nothingToTake(Way::Row));
  case kGetcEmpty:
    return answer(Mesh::get().nothingToTake(Way::Column));
  case kPutFull:
    return answer(Mesh::get().cannotPut());
  default:
    break;
  }
  if (number >= kFirstCounterRegister && number <= kCounterControlRegister)
    return readCounterRegister(number);
  if (number >= kTruthTables && number < kTruthTablesEnd)
    return written()[static_cast<unsigned>(number)];
  refuse("rcsr", number);
}

void weft_sw_write_csr(int number, std::uint64_t value) {
  if (number >= kFirstCounterRegister && number <= kCounterControlRegister)
    return writeCounterRegister(number, value);
  if (number < kTruthTables || number >= kTruthTablesEnd)
    refuse("wcsr", number);
  written()[static_cast<unsigned>(number)] = value;
}
