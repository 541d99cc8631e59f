// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Mpe.h"

#include "Counters.h"
#include "Ldm.h"
#include "Linked.h"
#include "Machine.h"
#include "Memory.h"

#include <bit>
#include <cmath>
#include <cstdlib>
#include <string>

extern "C" std::uint64_t weft_sw_host_work;
std::uint64_t weft_sw_host_work = 0;
std::uint64_t weft_sw_host_due = 0;

namespace weft::emu {

namespace {

constexpr unsigned sixteenth = 4; // bits

std::uint64_t sixteenths(double cycles) {
  return static_cast<std::uint64_t>(std::llround(cycles * (1 << sixteenth)));
}

} // namespace

Cache::Cache(std::uint64_t bytes, unsigned ways, std::uint64_t lineBytes)
    : ways_(bytes / lineBytes, kEmpty), sets_(bytes / lineBytes / ways),
      setMask_(std::has_single_bit(sets_) ? sets_ - 1 : 0), associativity_(ways) {}

std::uint64_t *Cache::setOf(std::uint64_t line) {
  // A division takes as long as all the rest.
  const std::uint64_t set = setMask_ ? line & setMask_ : line % sets_;
  return &ways_[set * associativity_];
}

Cache::Result Cache::access(std::uint64_t line, bool store) {
  std::uint64_t *set = setOf(line);
  // What was used last comes first: each moves down by one until the place of this line.
  std::uint64_t moved = set[0];
  if (moved >> 1 == line) {
    set[0] |= store ? 1 : 0;
    return {.hit = true, .evictedDirty = false, .evictedLine = 0};
  }
  for (unsigned n = 1; n < associativity_; ++n) {
    const std::uint64_t here = set[n];
    set[n] = moved;
    if (here >> 1 == line) {
      set[0] = here | (store ? 1 : 0);
      return {.hit = true, .evictedDirty = false, .evictedLine = 0};
    }
    moved = here;
  }
  set[0] = line << 1 | (store ? 1 : 0);
  return {
      .hit = false, .evictedDirty = moved != kEmpty && (moved & 1) != 0, .evictedLine = moved >> 1};
}

void Cache::forget(std::uint64_t line) {
  std::uint64_t *set = setOf(line);
  unsigned n = 0;
  while (n < associativity_ && set[n] >> 1 != line)
    ++n;
  if (n == associativity_)
    return;
  // Empty ways are the last.
  for (; n + 1 < associativity_; ++n)
    set[n] = set[n + 1];
  set[n] = kEmpty;
}

Mpe &Mpe::get() {
  static Mpe mpe;
  return mpe;
}

namespace {

std::uint64_t amount(const char *name) { return Machine::get().cycles(std::string("mpe.") + name); }
unsigned small(const char *name) { return static_cast<unsigned>(amount(name)); }
std::uint64_t cost(const char *name) {
  return sixteenths(Machine::get().number(std::string("mpe.") + name));
}

} // namespace

Mpe::Mpe()
    : first_(amount("l1d_bytes"), small("l1d_ways"), amount("line_bytes")),
      second_(amount("l2_bytes"), small("l2_ways"), amount("line_bytes")),
      translations_(amount("tlb_entries") * amount("page_bytes"), small("tlb_ways"),
                    amount("page_bytes")),
      lineShift_(static_cast<unsigned>(std::countr_zero(amount("line_bytes")))),
      pageShift_(static_cast<unsigned>(std::countr_zero(amount("page_bytes")))),
      secondCost_(cost("l2_line_cycles")), streamCost_(cost("memory_stream_cycles")),
      scatteredCost_(cost("memory_line_cycles")), storeCost_(cost("store_miss_cycles")),
      writeBackCost_(cost("write_back_cycles")), walkCost_(cost("page_walk_cycles")) {}

void Mpe::settle() {
  const std::uint64_t cycles = weft_sw_host_work >> sixteenth;
  weft_sw_host_work &= (1U << sixteenth) - 1;
  ahead_ += cycles;
  worked_ += cycles;
  if (ahead_ >= kAhead && !alone_)
    weft_sw_host_due = 0;
  if (!isFunctional())
    weft_sw_host.now += cycles;
}

bool Mpe::hasWorkedSince(const void *site) {
  const std::uint64_t now = (worked_ << sixteenth) + weft_sw_host_work;
  const std::uint64_t turn = now - askedAt_;
  const bool more = site != site_ || turn != turn_;
  askedAt_ = now;
  turn_ = turn;
  site_ = site;
  return more;
}

void Mpe::accompanied() {
  alone_ = false;
  weft_sw_host_due = 0;
}

void Mpe::gaveWay(bool alone) {
  ahead_ = 0;
  alone_ = alone;
  weft_sw_host_due = alone ? UINT64_MAX : kAhead << sixteenth;
}

void Mpe::charge(std::uint64_t cycles) {
  weft_sw_host_work += cycles << sixteenth;
  count(WEFT_SW_MPE, Counter::HostRuntime, cycles, nullptr);
}

bool Mpe::followsAStream(std::uint64_t line) {
  for (std::uint64_t &last : streams_)
    if (line == last + 1 || line + 1 == last) {
      last = line;
      return true;
    }
  streams_[nextStream_++ % kStreams] = line;
  return false;
}

/// What the address costs: where the page is not known, its entry is read through the second cache.
std::uint64_t Mpe::translate(std::uint64_t line) {
  constexpr unsigned kEntryShift = 3;
  const std::uint64_t page = line >> (pageShift_ - lineShift_);
  if (translations_.access(page, false).hit)
    return 0;
  // Tables lie where no program's data are.
  const std::uint64_t entry = (std::uint64_t{1} << 56 | page << kEntryShift) >> lineShift_;
  return walkCost_ + (second_.access(entry, false).hit ? 0 : scatteredCost_);
}

/// A line from the second cache or from memory.
std::uint64_t Mpe::fetch(std::uint64_t line, bool store) {
  const auto far = second_.access(line, false);
  if (far.hit)
    return secondCost_;
  count(WEFT_SW_MPE, Counter::HostL2Misses, 1, nullptr);
  const std::uint64_t writeBack = far.evictedDirty ? writeBackCost_ : 0;
  const bool stream = followsAStream(line);
  if (store)
    return storeCost_ + writeBack;
  return (stream ? streamCost_ : scatteredCost_) + writeBack;
}

void Mpe::line(std::uint64_t line, bool store) {
  const auto near = first_.access(line, store);
  if (near.hit)
    return;
  count(WEFT_SW_MPE, Counter::HostL1Misses, 1, nullptr);
  std::uint64_t cost = translate(line);
  // A written line goes down first; where the second cache had lost it, it goes to memory.
  if (near.evictedDirty) {
    const auto victim = second_.access(near.evictedLine, true);
    if (!victim.hit && victim.evictedDirty)
      cost += writeBackCost_;
  }
  cost += fetch(line, store);
  weft_sw_host_work += cost;
  count(WEFT_SW_MPE, Counter::HostMemory, cost >> sixteenth, nullptr);
}

void Mpe::access(std::uint64_t address, std::uint64_t bytes, bool store) {
  if (bytes == 0 || isFunctional())
    return;
  const std::uint64_t last = (address + bytes - 1) >> lineShift_;
  for (std::uint64_t line = address >> lineShift_; line <= last; ++line)
    this->line(line, store);
}

void Mpe::changed(std::uint64_t address, std::uint64_t bytes) {
  if (bytes == 0 || isFunctional())
    return;
  const std::uint64_t last = (address + bytes - 1) >> lineShift_;
  for (std::uint64_t line = address >> lineShift_; line <= last; ++line) {
    first_.forget(line);
    second_.forget(line);
  }
}

void Mpe::changed(const DmaRegion &region) {
  // Gaps shorter than a line leave none out.
  if (region.period - region.block < std::uint64_t{1} << lineShift_)
    return changed(region.first, region.end() - region.first);
  for (std::uint64_t index = 0; index < region.blocks(); ++index)
    changed(region.start(index), region.bytesOf(index));
}

} // namespace weft::emu

extern "C" void weft_sw_host_access(const void *address, std::uint64_t bytes, std::uint32_t kind) {
  // A malloc of the program's own serves the libraries while the machine is being built.
  if (!weft::emu::programRuns())
    return;
  weft::emu::Ldm::requireNotWindow(reinterpret_cast<std::uintptr_t>(address), bytes, kind);
  weft::emu::Mpe::get().access(reinterpret_cast<std::uintptr_t>(address), bytes,
                               (kind & WEFT_SW_STORE) != 0);
}

extern "C" void weft_sw_host_settle() { weft::emu::Mpe::get().settle(); }

extern "C" std::uint64_t weft_sw_host_rtc() {
  weft::emu::Mpe::get().settle();
  return weft_sw_host.now;
}
