// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which rows the picture has, what is open on each, and how large it may become.
#include "Trace.h"

#include "Fault.h"
#include "Machine.h"
#include "Perfetto.h"
#include "Program.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <vector>

namespace weft::emu::trace {

namespace {

using TrackId = Perfetto::TrackId;

// Groups, and where the rows of each begin. Lanes of a row have numbers of their own, from
// firstLane on.
constexpr TrackId root = 1, cpeGroup = 2, dmaGroup = 3, rowGroup = 4, columnGroup = 5,
                  firstCore = 0x100, firstLdmUse = 0x200, inFlight = 0x300, firstLane = 0x1000;

/// The viewer of Perfetto gives up near a gigabyte.
constexpr std::uint64_t defaultLimitMegabytes = 900;

/// Where the spans of a row go that overlap: lanes of the same name, which the viewer puts below
/// each other.
struct Lane {
  TrackId id;
  std::uint64_t busyUntil;
};

struct State {
  Perfetto file;
  std::uint64_t from, limit;
  std::uint64_t flows = 0, latest = 0;
  /// Cycles at which the open spans of a core began; those not recorded are marked.
  struct Open {
    std::uint64_t begin;
    bool recorded;
  };
  std::vector<Open> open[WEFT_SW_CORES] = {};
  std::map<int, std::vector<Lane>> lanes = {};
  TrackId nextLane = firstLane;
  bool full = false;
};

// Lives to the end of the process: fibers may be told of after main has returned.
State *state = nullptr;

std::uint64_t environmentNumber(const char *name, std::uint64_t otherwise) {
  const char *text = std::getenv(name);
  if (!text || !*text)
    return otherwise;
  char *end = nullptr;
  const auto value = std::strtoull(text, &end, 10);
  if (*end) {
    std::fprintf(stderr, "weft emu: error: %s=%s: expected a whole number\n", name, text);
    std::_Exit(2);
  }
  return value;
}

std::string cpeName(int index) {
  char text[32];
  std::snprintf(text, sizeof text, "CPE %02d (row %d, column %d)", index, index / 8, index % 8);
  return text;
}

std::string nameOf(Track track) {
  switch (track.kind) {
  case Track::RowBus:
    return "row " + std::to_string(track.index);
  case Track::ColumnBus:
    return "column " + std::to_string(track.index);
  default:
    return track.index == WEFT_SW_MPE ? "MPE" : cpeName(track.index);
  }
}

TrackId groupOf(Track track) {
  switch (track.kind) {
  case Track::Dma:
    return dmaGroup;
  case Track::RowBus:
    return rowGroup;
  case Track::ColumnBus:
    return columnGroup;
  default:
    return cpeGroup;
  }
}

void describeAll(Perfetto &file) {
  file.describeTrack(firstCore + WEFT_SW_MPE, root, "MPE", 0);
  file.describeTrack(cpeGroup, root, "CPEs", 1, true);
  file.describeTrack(dmaGroup, root, "DMA engine", 2, true);
  file.describeTrack(rowGroup, root, "row buses", 3, true);
  file.describeTrack(columnGroup, root, "column buses", 4, true);
  file.describeCurve(inFlight, dmaGroup, "transfers under way", -2, Perfetto::Unit::Count);
  for (int cpe = 0; cpe < WEFT_SW_CPES; ++cpe) {
    file.describeTrack(firstCore + cpe, cpeGroup, cpeName(cpe), cpe);
    file.describeCurve(firstLdmUse + cpe, firstCore + cpe, "LDM in use", 0, Perfetto::Unit::Bytes);
  }
}

/// A lane of the row that is free from `begin` on; it is taken until `end`.
TrackId laneFor(Track track, std::uint64_t begin, std::uint64_t end) {
  auto &lanes = state->lanes[track.kind << 8 | track.index];
  auto lane = std::ranges::find_if(lanes, [&](const Lane &l) { return l.busyUntil <= begin; });
  if (lane == lanes.end()) {
    state->file.describeTrack(state->nextLane, groupOf(track), nameOf(track), track.index);
    lanes.push_back({state->nextLane++, 0});
    lane = lanes.end() - 1;
  }
  lane->busyUntil = end;
  return lane->id;
}

/// Whether an event of this cycle is recorded; ends the recording when the file is full.
bool takes(std::uint64_t cycle) {
  state->latest = std::max(state->latest, cycle);
  if (state->full || cycle < state->from)
    return false;
  if (state->file.size() < state->limit)
    return true;
  state->full = true;
  std::fprintf(stderr,
               "weft emu: note: the trace ends at cycle %llu: %llu MB are the limit\n"
               "  help: record from a later cycle (--trace-from), or allow more (--trace-limit)\n",
               static_cast<unsigned long long>(cycle),
               static_cast<unsigned long long>(state->limit >> 20));
  return false;
}

} // namespace

namespace detail {

bool on = false;

std::uint64_t newFlow() { return ++state->flows; }

void begin(Track track, std::uint64_t cycle, std::string_view name, const WeftSite *site,
           Arguments arguments, Flow flow) {
  if (track.kind != Track::Core)
    bug("trace: only cores have spans that begin and end; others are told when they are over");
  const bool recorded = takes(cycle);
  state->open[track.index].push_back({cycle, recorded});
  if (recorded)
    state->file.begin(firstCore + track.index, cycle, name, site, arguments, flow);
}

void end(Track track, std::uint64_t cycle) {
  auto &open = state->open[track.index];
  if (track.kind != Track::Core || open.empty())
    bug("trace: a span ends that has not begun");
  const auto [begin, recorded] = open.back();
  open.pop_back();
  state->latest = std::max(state->latest, cycle);
  if (recorded) // also when the file is full: what has begun ends
    state->file.end(firstCore + track.index, cycle, cycle - begin);
}

void span(Track track, std::uint64_t begin, std::uint64_t end, std::string_view name,
          const WeftSite *site, Arguments arguments, Flow flow) {
  if (!takes(begin))
    return;
  state->latest = std::max(state->latest, end);
  const auto id = track.kind == Track::Core ? firstCore + track.index : laneFor(track, begin, end);
  state->file.begin(id, begin, name, site, arguments, flow);
  state->file.end(id, end, end - begin);
}

void instant(Track track, std::uint64_t cycle, std::string_view name, const WeftSite *site,
             Arguments arguments, Flow flow) {
  if (!takes(cycle))
    return;
  const auto id =
      track.kind == Track::Core ? firstCore + track.index : laneFor(track, cycle, cycle);
  state->file.instant(id, cycle, name, site, arguments, flow);
}

void curve(Curve which, int core, std::uint64_t cycle, std::uint64_t value) {
  if (!takes(cycle))
    return;
  const TrackId id = which == Curve::LdmUse ? firstLdmUse + core : inFlight;
  state->file.value(id, cycle, value);
}

} // namespace detail

void start() {
  const char *path = std::getenv("WEFT_EMU_TRACE");
  if (!path || !*path || state)
    return;
  // What is wrong with the request is told before a file is opened.
  const auto from = environmentNumber("WEFT_EMU_TRACE_FROM", 0);
  const auto limit = environmentNumber("WEFT_EMU_TRACE_LIMIT", defaultLimitMegabytes) << 20;
  const auto program = std::filesystem::path(program::path()).filename().string();
  state = new State{.file = Perfetto(path, Machine::get().number("clock.hz"), program),
                    .from = from,
                    .limit = limit};
  describeAll(state->file);
  detail::on = true;
}

void finish(std::uint64_t cycle) {
  if (!detail::on)
    return;
  const auto last = std::max(cycle, state->latest);
  for (int core = 0; core < WEFT_SW_CORES; ++core)
    while (!state->open[core].empty())
      detail::end(trace::core(core), last);
  detail::on = false;
  state->file.publish();
}

} // namespace weft::emu::trace
