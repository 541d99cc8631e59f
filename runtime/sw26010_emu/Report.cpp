// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Report.h"

#include "Clock.h"
#include "InstructionCache.h"
#include "Konata.h"
#include "Mpe.h"
#include "OutputFile.h"
#include "Program.h"
#include "ReportState.h"
#include "Trace.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <utility>

namespace weft::emu::report {

namespace {

/// Phases that are told one by one; of later ones only the sums of their function.
constexpr std::size_t mostPhases = 1000;
/// Pairs of places of which hazards are told one by one.
constexpr std::size_t mostHazards = 1000;

// Lives to the end of the process: the exit handler reads it after static objects have gone.
State &state() {
  static auto *all = new State;
  return *all;
}

/// The file to write, from the root: the program may change its folder. Null: none is.
const char *wanted() {
  static const std::string *path = []() -> const std::string * {
    const char *name = std::getenv("WEFT_EMU_REPORT");
    return name && *name ? new std::string(std::filesystem::absolute(name)) : nullptr;
  }();
  return path ? path->c_str() : nullptr;
}

std::optional<Place> placeOf(const WeftSite *site) {
  if (!site)
    return std::nullopt;
  return Place{site->function ? site->function : "", site->file ? site->file : "", site->line,
               site->column};
}

Incident incidentOf(const Fault &fault) {
  Incident incident{.name = std::string(fault.name),
                    .what = fault.what,
                    .expected = fault.expected,
                    .found = fault.found,
                    .help = fault.help,
                    .self = {"", fault.core, fault.cycle, placeOf(fault.site)},
                    .others = {}};
  for (const auto &party : fault.others)
    incident.others.push_back({party.what, party.core, party.cycle, placeOf(party.site)});
  return incident;
}

bool isSamePlace(const std::optional<Place> &a, const std::optional<Place> &b) {
  return a.has_value() == b.has_value() &&
         (!a || (a->line == b->line && a->column == b->column && a->file == b->file));
}

/// The same hazard at the same pair of places.
bool isSame(const Incident &a, const Incident &b) {
  const auto other = [](const Incident &one) {
    return one.others.empty() ? std::optional<Place>() : one.others.front().at;
  };
  return a.name == b.name && isSamePlace(a.self.at, b.self.at) && isSamePlace(other(a), other(b));
}

void close(Phase &phase, std::uint64_t cycle, bool ended) {
  phase.end = cycle;
  phase.ended = ended;
  const auto now = counted();
  for (unsigned n = 0; n < counterCount; ++n)
    phase.counts[n] = now[n] - phase.counts[n];
  auto &sum = state().repeated[phase.function];
  ++sum.times;
  sum.cycles += phase.end - phase.begin;
  for (unsigned n = 0; n < counterCount; ++n)
    sum.counts[n] += phase.counts[n];
}

/// Phases that are under way, by the number that `beginPhase` returned.
std::map<int, Phase> &open() {
  static auto *phases = new std::map<int, Phase>;
  return *phases;
}

void keep(Phase phase) {
  if (state().phases.size() < mostPhases)
    state().phases.push_back(std::move(phase));
  else
    ++state().omitted;
}

void atExit(int status, void *) {
  std::fflush(nullptr); // what the program has printed comes before a report to the same place
  Mpe::get().settle();
  finish(status, weft_sw_host.now);
  if (status == 0 && OutputFile::failed())
    std::_Exit(OutputFile::failedStatus);
}

} // namespace

void start(int argc, const char *const *argv) {
  if (wanted())
    OutputFile::requireWritable(wanted());
  trace::start();
  const auto segments = program::section("weft_segments");
  addSegments(reinterpret_cast<const WeftSegment *>(segments.begin),
              reinterpret_cast<const WeftSegment *>(segments.end));
  icache::start();
  konata::start();
  state().arguments.assign(argv, argv + argc);
  beginActive(WEFT_SW_MPE, 0);
  on_exit(atExit, nullptr);
}

int beginPhase(std::string_view function, int cpes, std::uint64_t cycle, const WeftSite *site) {
  static int last = 0;
  if (!wanted())
    return 0;
  open().emplace(++last,
                 Phase{std::string(function), cpes, cycle, cycle, false, placeOf(site), counted()});
  return last;
}

void endPhase(int phase, std::uint64_t cycle) {
  const auto found = open().find(phase);
  if (found == open().end())
    return;
  close(found->second, cycle, true);
  keep(std::move(found->second));
  open().erase(found);
}

void beginActive(int core, std::uint64_t cycle) {
  auto &use = state().cores[core];
  use.isActive = true;
  use.activeSince = cycle;
  Clock::get().core(core).step = konata::wants(core);
  icache::begin(Clock::get().core(core));
}

void endActive(int core, std::uint64_t cycle) {
  auto &use = state().cores[core];
  use.active += cycle - use.activeSince;
  use.isActive = false;
}

void ldmUse(int core, std::string_view what, std::uint64_t bytes) {
  if (!wanted())
    return;
  auto &most = state().cores[core].ldm[std::string(what)];
  most = std::max(most, bytes);
}

void addHazard(const Fault &hazard) {
  if (!wanted())
    return;
  auto incident = incidentOf(hazard);
  auto &told = state().hazards;
  const auto known = std::ranges::find_if(told, [&](auto &one) { return isSame(one, incident); });
  if (known != told.end())
    ++known->times;
  else if (told.size() < mostHazards)
    told.push_back(std::move(incident));
}

void addFault(const Fault &fault) { state().fault = incidentOf(fault); }

void finish(int status, std::uint64_t cycle) {
  static bool done = false;
  if (std::exchange(done, true))
    return;
  trace::finish(cycle);
  konata::finish();
  if (!wanted())
    return;
  for (auto &[number, phase] : open()) {
    close(phase, std::max(cycle, phase.begin), false);
    keep(std::move(phase));
  }
  for (int core = 0; core < WEFT_SW_CORES; ++core)
    if (state().cores[core].isActive)
      endActive(core, Clock::get().core(core).now);
  std::ranges::stable_sort(state().phases, {}, &Phase::begin);
  state().cycles = cycle;
  state().status = status;
  OutputFile file(wanted(), OutputFile::Failing::IsTold);
  file.write(render(state()));
  file.publish();
}

} // namespace weft::emu::report
