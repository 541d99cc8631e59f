// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Counters.h"

#include <map>
#include <tuple>

namespace weft::emu {

namespace {

struct SegmentTable {
  const WeftSegment *begin, *end;
};

std::vector<SegmentTable> &segmentTables() {
  // Outlives static objects: read while the program exits.
  static auto *tables = new std::vector<SegmentTable>;
  return *tables;
}

constexpr unsigned firstSlots = 64;

/// Where a site's row is, or the free slot for it.
unsigned slotOf(const detail::CoreCounters &core, const WeftSite *site) {
  const auto address = reinterpret_cast<std::uintptr_t>(site);
  auto slot = static_cast<unsigned>((address >> 3) * 0x9E3779B97F4A7C15ULL >> 32) & core.mask;
  while (core.slots[slot] && core.slots[slot]->site != site)
    slot = (slot + 1) & core.mask;
  return slot;
}

void resize(detail::CoreCounters &core, unsigned slots) {
  const detail::CoreCounters old = core;
  core.slots = new detail::CounterRow *[slots]();
  core.mask = slots - 1;
  for (unsigned n = 0; old.slots && n <= old.mask; ++n)
    if (old.slots[n])
      core.slots[slotOf(core, old.slots[n]->site)] = old.slots[n];
  delete[] old.slots;
}

/// Adds what `times` executions of a line's part of a segment cost. Those of the MPE come in parts
/// of a cycle: wholeCycles() makes cycles of the sum.
void add(Values &values, const WeftLineCost &cost, std::uint64_t times, std::uint32_t kind) {
  const auto plus = [&](Counter counter, std::uint64_t each) {
    values[static_cast<unsigned>(counter)] += each * times;
  };
  if (kind == 1) {
    plus(Counter::HostScheduled, cost.cycles);
    plus(Counter::HostFlops, cost.flops);
    return;
  }
  plus(Counter::Scheduled, cost.cycles);
  plus(Counter::Pipe0, cost.pipe0);
  plus(Counter::Pipe1, cost.pipe1);
  plus(Counter::CannotDualIssue, cost.single_issue);
  plus(Counter::DataStall, cost.data_stall);
  plus(Counter::Branch, cost.branch);
  plus(Counter::Flops, cost.flops);
  plus(Counter::Divisions, cost.divisions);
  plus(Counter::LdmAccesses, cost.ldm_accesses);
  plus(Counter::LdmLoads, cost.ldm_loads);
  plus(Counter::ConditionalBranches, cost.conditional_branches);
  plus(Counter::UnconditionalBranches, cost.unconditional_branches);
  plus(Counter::Jumps, cost.jumps);
  plus(Counter::Spills, cost.spills);
}

void wholeCycles(Values &values) {
  constexpr std::uint64_t parts = 16; // of a cycle, in segments of the MPE
  values[static_cast<unsigned>(Counter::HostScheduled)] /= parts;
}

void add(Values &to, const Values &from) {
  for (unsigned n = 0; n < counterCount; ++n)
    to[n] += from[n];
}

bool isZero(const Values &values) { return values == Values{}; }

template <typename Visit> void forEachRow(int core, Visit visit) {
  const auto &own = detail::coreCounters[static_cast<unsigned>(core)];
  for (unsigned n = 0; own.slots && n <= own.mask; ++n)
    if (own.slots[n])
      visit(*own.slots[n]);
}

template <typename Visit> void forEachRun(int core, Visit visit) {
  forEachSegment([&](const WeftSegment &segment) {
    if (const auto times = segment.tally[core].count)
      visit(segment, times);
  });
}

} // namespace

namespace detail {

namespace {
/// Of no place: what each core's last row is before its first count.
constexpr WeftSite noSite{};
CounterRow nowhere{&noSite, {}};

constexpr std::array<CoreCounters, WEFT_SW_CORES> emptyCounters() {
  std::array<CoreCounters, WEFT_SW_CORES> all{};
  for (auto &one : all)
    one.row = one.before = &nowhere;
  return all;
}
} // namespace

constinit std::array<CoreCounters, WEFT_SW_CORES> coreCounters = emptyCounters();

CounterRow *counterRow(CoreCounters &core, const WeftSite *site) {
  if (!core.slots)
    resize(core, firstSlots);
  auto slot = slotOf(core, site);
  if (core.slots[slot])
    return core.slots[slot];
  if (2 * ++core.used > core.mask) {
    resize(core, 2 * (core.mask + 1));
    slot = slotOf(core, site);
  }
  return core.slots[slot] = new CounterRow{site, {}};
}

} // namespace detail

void addSegments(const WeftSegment *begin, const WeftSegment *end) {
  segmentTables().push_back({begin, end});
}

void forEachSegment(const std::function<void(const WeftSegment &)> &visit) {
  for (const auto &table : segmentTables())
    for (const auto *segment = table.begin; segment != table.end; ++segment)
      visit(*segment);
}

Values countedBySites(int core) {
  Values sum{};
  forEachRow(core, [&](const detail::CounterRow &row) { add(sum, row.values); });
  return sum;
}

Values counted(int core) {
  Values sum = countedBySites(core);
  forEachRun(core, [&](const WeftSegment &segment, std::uint64_t times) {
    for (std::uint32_t n = 0; n < segment.line_count; ++n)
      add(sum, segment.lines[n], times, segment.kind);
  });
  wholeCycles(sum);
  return sum;
}

Values counted() {
  Values sum{};
  for (int core = 0; core < WEFT_SW_CORES; ++core)
    add(sum, counted(core));
  return sum;
}

std::vector<LineCounts> countedByLine(int core) {
  using Place = std::tuple<std::string_view, std::uint32_t, std::string_view>;
  std::map<Place, Values> lines;
  const auto place = [](const char *file, std::uint32_t line, const char *function) {
    return Place(file ? file : "", line, function ? function : "");
  };
  forEachRow(core, [&](const detail::CounterRow &row) {
    const auto *site = row.site;
    add(lines[site ? place(site->file, site->line, site->function) : Place()], row.values);
  });
  forEachRun(core, [&](const WeftSegment &segment, std::uint64_t times) {
    for (std::uint32_t n = 0; n < segment.line_count; ++n)
      add(lines[place(segment.file, segment.lines[n].line, segment.function)], segment.lines[n],
          times, segment.kind);
  });
  std::vector<LineCounts> told;
  for (auto &[where, values] : lines) {
    wholeCycles(values);
    if (!isZero(values))
      told.push_back({std::get<2>(where), std::get<0>(where), std::get<1>(where), values});
  }
  return told;
}

} // namespace weft::emu
