// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "InstructionCache.h"

#include "Clock.h"
#include "Counters.h"
#include "Konata.h"
#include "Machine.h"
#include "Program.h"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <utility>
#include <vector>

namespace weft::emu {

namespace {

/// What [cpe.icache] of the machine table says.
struct Geometry {
  std::uint64_t lineBytes, ways, sets, missCycles, alignment;

  Geometry() {
    const Machine &machine = Machine::get();
    lineBytes = machine.cycles("cpe.icache.line");
    ways = machine.cycles("cpe.icache.ways");
    sets = std::max<std::uint64_t>(1, machine.cycles("cpe.icache.bytes") / (lineBytes * ways));
    missCycles = machine.cycles("cpe.icache.miss");
    alignment = machine.cycles("cpe.icache.function_alignment");
  }

  static const Geometry &get() {
    static const Geometry geometry;
    return geometry;
  }
};

/// The lines that one CPE has. In a set, the line that came first goes first: whether a line is hit
/// in between does not matter, so that hits need not be told.
class Cache {
public:
  /// Changes whenever a line has to go.
  std::uint64_t stamp() const { return stamp_; }

  bool holds(std::uint64_t line) const {
    if (lines_.empty())
      return false;
    const std::uint64_t *set = &lines_[setOf(line)];
    return std::find(set, set + Geometry::get().ways, line + 1) != set + Geometry::get().ways;
  }

  void fetch(std::uint64_t line) {
    const Geometry &geometry = Geometry::get();
    if (lines_.empty()) {
      lines_.resize(geometry.sets * geometry.ways);
      oldest_.resize(geometry.sets);
    }
    std::uint64_t &oldest = oldest_[line % geometry.sets];
    std::uint64_t &place = lines_[setOf(line) + oldest];
    if (place)
      ++stamp_;
    place = line + 1;
    oldest = (oldest + 1) % geometry.ways;
  }

private:
  std::vector<std::uint64_t> lines_;  // numbers from 1, by set; 0: nothing yet
  std::vector<std::uint64_t> oldest_; // of each set, the way that is replaced next
  std::uint64_t stamp_ = 1;           // segments begin with 0

  static std::uint64_t setOf(std::uint64_t line) {
    const Geometry &geometry = Geometry::get();
    return line % geometry.sets * geometry.ways;
  }
};

std::array<Cache, WEFT_SW_CPES> caches;

/// A core that pipeline views look at asks at every segment.
void publish(WeftCore &core) {
  core.fetched = core.step ? ~std::uint64_t{0} : caches[core.index].stamp();
}

/// The place of an instruction of `segment`, by its number. Lines of a segment are in the order in
/// which they first issue, which is nearly that of the addresses.
const WeftSite *siteOf(const WeftSegment &segment, std::uint64_t instruction) {
  // Never destroyed: the report is written while the program exits.
  static auto *sites = new std::map<std::pair<const WeftSegment *, std::uint32_t>, WeftSite>;
  std::uint32_t row = 0;
  for (std::uint64_t passed = 0; row + 1 < segment.line_count; ++row) {
    passed += segment.lines[row].pipe0 + segment.lines[row].pipe1;
    if (instruction < passed)
      break;
  }
  const std::uint32_t line = segment.line_count ? segment.lines[row].line : 0;
  return &sites->try_emplace({&segment, line}, WeftSite{segment.function, segment.file, line, 0})
              .first->second;
}

/// Brings the lines of `segment` into the cache, in the order of their addresses, and charges those
/// that were not there. False if some had to go for others.
bool bring(WeftCore &core, const WeftSegment &segment) {
  const Geometry &geometry = Geometry::get();
  Cache &cache = caches[core.index];
  const std::uint64_t begin = segment.code->address + segment.code_offset;
  const std::uint64_t first = begin / geometry.lineBytes,
                      last = (begin + segment.code_bytes - 1) / geometry.lineBytes;
  for (std::uint64_t line = first; line <= last; ++line) {
    if (cache.holds(line))
      continue;
    cache.fetch(line);
    core.now += geometry.missCycles;
    constexpr std::uint64_t instructionBytes = 4;
    const std::uint64_t start = std::max(begin, line * geometry.lineBytes);
    const WeftSite *site = siteOf(segment, (start - begin) / instructionBytes);
    const int index = static_cast<int>(core.index);
    count(index, Counter::IcacheMisses, 1, site);
    count(index, Counter::IcacheCycles, geometry.missCycles, site);
  }
  for (std::uint64_t line = first; line <= last; ++line)
    if (!cache.holds(line))
      return false;
  return true;
}

} // namespace

void icache::start() {
  const auto records = program::section("weft_functions");
  const std::uint64_t alignment = Geometry::get().alignment;
  std::uint64_t next = 0;
  // The section is data of the program.
  auto *record = reinterpret_cast<WeftFunction *>(const_cast<char *>(records.begin));
  for (const char *end = records.end; reinterpret_cast<const char *>(record) != end; ++record) {
    record->address = next;
    next = (next + record->bytes + alignment - 1) / alignment * alignment;
  }
}

void icache::begin(WeftCore &core) {
  if (core.index < caches.size())
    publish(core);
}

} // namespace weft::emu

extern "C" void weft_sw_fetch(WeftCore *core, WeftSegment *segment) {
  using namespace weft::emu;
  static const bool timed = !Clock::get().functional();
  // In functional mode code is everywhere at no cost.
  const bool there = !timed || !segment->code || !segment->code_bytes || bring(*core, *segment);
  if (core->step)
    konata::step(*core, *segment);
  publish(*core);
  if (there)
    segment->tally[core->index].stamp = caches[core->index].stamp();
}

extern "C" void weft_sw_charge_turns(WeftCore *core, WeftSegment *const *segments,
                                     const uint64_t *turns, uint64_t count) {
  for (uint64_t i = 0; i < count; ++i) {
    if (!turns[i])
      continue;
    WeftSegment *segment = segments[i];
    WeftTally &tally = segment->tally[core->index];
    if (tally.stamp != core->fetched)
      weft_sw_fetch(core, segment);
    core->now += turns[i] * segment->cycles;
    tally.count += turns[i];
  }
}
