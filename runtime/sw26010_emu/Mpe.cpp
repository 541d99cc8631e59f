// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Mpe.h"

#include "Counters.h"
#include "Machine.h"

#include <bit>
#include <cmath>
#include <cstdlib>

extern "C" std::uint64_t weft_sw_host_work;
std::uint64_t weft_sw_host_work = 0;

namespace weft::emu {

namespace {

constexpr unsigned sixteenth = 4; // bits

std::uint64_t sixteenths(double cycles) {
  return static_cast<std::uint64_t>(std::llround(cycles * (1 << sixteenth)));
}

bool functional() {
  static const bool on = std::getenv("WEFT_EMU_FUNCTIONAL") != nullptr;
  return on;
}

} // namespace

Cache::Cache(std::uint64_t bytes, unsigned ways, std::uint64_t lineBytes)
    : ways_(bytes / lineBytes), sets_(bytes / lineBytes / ways), associativity_(ways) {}

Cache::Result Cache::access(std::uint64_t line, bool store) {
  Way *set = &ways_[line % sets_ * associativity_];
  Way *oldest = set;
  ++tick_;
  for (unsigned n = 0; n < associativity_; ++n) {
    if (set[n].line == line) {
      set[n].used = tick_;
      set[n].dirty |= store;
      return {.hit = true, .evictedDirty = false, .evictedLine = 0};
    }
    // Ages are differences, so the tick may wrap around.
    if (tick_ - set[n].used > tick_ - oldest->used)
      oldest = &set[n];
  }
  const Result result{.hit = false, .evictedDirty = oldest->dirty, .evictedLine = oldest->line};
  *oldest = {.line = line, .used = tick_, .dirty = store};
  return result;
}

bool Cache::drop(std::uint64_t line) {
  Way *set = &ways_[line % sets_ * associativity_];
  for (unsigned n = 0; n < associativity_; ++n)
    if (set[n].line == line) {
      const bool dirty = set[n].dirty;
      set[n] = {};
      return dirty;
    }
  return false;
}

Mpe &Mpe::get() {
  static Mpe mpe;
  return mpe;
}

Mpe::Mpe()
    : first_(Machine::get().cycles("mpe.l1d_bytes"),
             static_cast<unsigned>(Machine::get().cycles("mpe.l1d_ways")),
             Machine::get().cycles("mpe.line_bytes")),
      second_(Machine::get().cycles("mpe.l2_bytes"),
              static_cast<unsigned>(Machine::get().cycles("mpe.l2_ways")),
              Machine::get().cycles("mpe.line_bytes")),
      lineShift_(static_cast<unsigned>(std::countr_zero(Machine::get().cycles("mpe.line_bytes")))),
      secondCost_(sixteenths(Machine::get().number("mpe.l2_line_cycles"))),
      fillCost_(sixteenths(Machine::get().number("mpe.memory_line_cycles"))),
      writeBackCost_(sixteenths(Machine::get().number("mpe.write_back_cycles"))) {}

void Mpe::settle() {
  const std::uint64_t cycles = weft_sw_host_work >> sixteenth;
  weft_sw_host_work &= (1U << sixteenth) - 1;
  if (!functional())
    weft_sw_host.now += cycles;
}

void Mpe::charge(std::uint64_t cycles) {
  weft_sw_host_work += cycles << sixteenth;
  count(WEFT_SW_MPE, Counter::HostRuntime, cycles, nullptr);
}

void Mpe::line(std::uint64_t line, bool store) {
  const auto near = first_.access(line, store);
  if (near.hit)
    return;
  count(WEFT_SW_MPE, Counter::HostL1Misses, 1, nullptr);
  std::uint64_t cost = secondCost_;
  // A written line goes down first; where the second cache had lost it, it goes to memory.
  if (near.evictedDirty) {
    const auto victim = second_.access(near.evictedLine, true);
    if (!victim.hit && victim.evictedDirty)
      cost += writeBackCost_;
  }
  const auto far = second_.access(line, false);
  if (!far.hit) {
    count(WEFT_SW_MPE, Counter::HostL2Misses, 1, nullptr);
    cost += fillCost_;
    if (far.evictedDirty)
      cost += writeBackCost_;
  }
  weft_sw_host_work += cost;
  count(WEFT_SW_MPE, Counter::HostMemory, cost >> sixteenth, nullptr);
}

void Mpe::access(std::uint64_t address, std::uint64_t bytes, bool store) {
  if (bytes == 0 || functional())
    return;
  const std::uint64_t last = (address + bytes - 1) >> lineShift_;
  for (std::uint64_t line = address >> lineShift_; line <= last; ++line)
    this->line(line, store);
}

void Mpe::invalidate(std::uint64_t address, std::uint64_t bytes) {
  if (bytes == 0 || functional())
    return;
  const std::uint64_t last = (address + bytes - 1) >> lineShift_;
  for (std::uint64_t line = address >> lineShift_; line <= last; ++line) {
    first_.drop(line);
    second_.drop(line);
  }
}

} // namespace weft::emu

extern "C" void weft_sw_host_access(const void *address, std::uint64_t bytes, std::uint32_t kind) {
  weft::emu::Mpe::get().access(reinterpret_cast<std::uintptr_t>(address), bytes,
                               (kind & WEFT_SW_STORE) != 0);
}

extern "C" void weft_sw_host_settle() { weft::emu::Mpe::get().settle(); }
