// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where everybody stands, when nobody can go on or somebody asks.
#include "Aftermath.h"
#include "Callers.h"
#include "Clock.h"
#include "Fault.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace weft::emu {

namespace {

/// What cores do that do the same at the same place, and how they came there.
struct Stand {
  std::vector<int> cores;
  std::uint64_t cycle = 0;
  const WeftSite *at = nullptr;
  callers::Places calls;
};

} // namespace

std::vector<Fault::Party> Clock::standing(const callers::Trail *running) {
  std::map<int, callers::Trail> trails;
  std::vector<std::uintptr_t> counters;
  for (int index = 0; index < WEFT_SW_CORES; ++index) {
    if (idle(index))
      continue;
    const auto &trail = trails[index] = running && index == running_ ? *running : callersOf(index);
    counters.insert(counters.end(), trail.begin(), trail.end());
  }
  const auto known = callers::placesOf(counters);
  // By what it waits for, and the places in words: one place has several machine codes.
  std::map<std::tuple<int, std::string, std::string>, Stand> stands;
  for (const auto &[index, trail] : trails) {
    const bool waits = blocked(index) || polling_[index];
    const Wait wait = waits ? waitOf(index) : Wait{};
    const auto places = callers::placesOf(trail, known);
    const WeftSite *at = wait.site || places.empty() ? wait.site : places.front();
    const auto calls = callers::callersOf(at, places);
    std::string way = describe(at);
    for (const WeftSite *call : calls)
      way += "\n" + describe(call);
    auto &stand = stands[{wait.other, std::string(wait.reason), way}];
    stand.cores.push_back(index);
    stand.cycle = std::max(stand.cycle, core(index).now);
    stand.at = at;
    stand.calls = calls;
  }
  std::vector<Fault::Party> parties;
  for (const auto &[key, stand] : stands) {
    const auto &[other, reason, way] = key;
    const bool several = stand.cores.size() > 1;
    std::string what = describeCores(stand.cores);
    if (reason.empty())
      what += (several ? " run, at cycle " : " runs, at cycle ") + std::to_string(stand.cycle);
    else
      what += (several ? " wait for " : " waits for ") + reason + ", since cycle " +
              std::to_string(stand.cycle);
    if (other >= 0)
      what += ", from " + describeCore(other);
    parties.push_back({std::move(what), -1, 0, stand.at});
    addCallers(parties, stand.calls, parties.size());
  }
  return parties;
}

bool Clock::onlyCpesCanHelp() const {
  bool waits = false;
  for (int index = 0; index < WEFT_SW_CPES; ++index) {
    if (idle(index))
      continue;
    // One that is ready may look at what the MPE writes.
    if (!blocked(index) || waitOf(index).other == WEFT_SW_MPE)
      return false;
    waits = true;
  }
  return waits && !eventsPending();
}

void Clock::hostTurns(const WeftSite *site, bool canSpawn) {
  // It could also end in time by itself; much more than that nobody waits for.
  constexpr std::uint64_t kTurns = 100000, kCycles = 100000000;
  constexpr std::uint64_t kLook = 256;
  if (++hostTurns_ % kLook)
    return;
  if (canSpawn || !onlyCpesCanHelp()) {
    hostTurns_ = 0;
    hostTurnsSince_ = now();
    return;
  }
  if (hostTurns_ < kTurns || (!functional_ && now() - hostTurnsSince_ < kCycles))
    return;
  weft_sw_host.site = site;
  deadlock("the CPEs wait for one another, and the MPE turns in a loop that cannot help them");
}

void Clock::deadlock(std::string_view what) {
  if (aftermath::runs())
    aftermath::conclude();
  Fault fault;
  fault.name = "deadlock";
  fault.what = what.empty() ? "nobody can go on: each core waits for what none will do" : what;
  bool first = true;
  for (int index = 0; index < WEFT_SW_CORES; ++index) {
    if (idle(index))
      continue;
    fault.cycle = std::max(fault.cycle, core(index).now);
    if (first) { // a CPE if one waits, for the MPE's wait to join says nothing
      fault.core = index;
      fault.site = waitOf(index).site;
      first = false;
    }
  }
  // A core that polls is ready, and waits all the same.
  if (what.empty())
    std::fill(std::begin(polling_), std::end(polling_), true);
  fault.others = standing();
  for (int index = 0; index < WEFT_SW_CORES; ++index)
    if (!idle(index))
      for (const Tell tell : tellers_)
        tell(index, fault.others);
  raise(fault);
}

} // namespace weft::emu
