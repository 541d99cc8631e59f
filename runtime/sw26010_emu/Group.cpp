// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Group.h"

#include "Clock.h"
#include "Counters.h"
#include "Fault.h"
#include "Ldm.h"
#include "Machine.h"
#include "Program.h"
#include "Report.h"
#include "Trace.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace weft::emu {

namespace {

struct Costs {
  std::uint64_t start = Machine::get().cycles("spawn.start");
  std::uint64_t issue = Machine::get().cycles("spawn.issue");
  std::uint64_t join = Machine::get().cycles("spawn.join");
  static const Costs &get() {
    static const Costs costs;
    return costs;
  }
};

} // namespace

Group &Group::get() {
  static auto *group = new Group;
  return *group;
}

void Group::initialise() {
  if (!initialised_)
    Ldm::get().initialise();
  initialised_ = true;
}

void Group::halt() { initialised_ = false; }

void Group::spawn(CpeMask mask, SlaveFunction function, void *argument, const WeftSite *site) {
  Clock &clock = Clock::get();
  clock.arrive();
  auto &host = weft_sw_host;
  const std::uint64_t begin = host.now + Costs::get().start;
  host.now += Costs::get().issue;
  count(WEFT_SW_MPE, Counter::SpawnCycles, Costs::get().issue, site);
  const auto flow = trace::newFlow();
  trace::span(trace::core(WEFT_SW_MPE), host.now - Costs::get().issue, host.now, "spawn", site, {},
              {flow, trace::Flow::Begins});
  const auto *code = reinterpret_cast<const void *>(function);
  const int phase = report::beginPhase(program::functionAt(code), std::popcount(mask), begin, site);
  for (int core = 0; core < WEFT_SW_CPES; ++core) {
    if (!(mask >> core & 1))
      continue;
    spawnSites_[core] = site;
    spawnTimes_[core] = host.now;
    phases_[core] = phase;
    flows_[core] = flow;
    Ldm::get().resetStack(core);
    clock.core(core).limit = UINT64_MAX;
    clock.start(core, begin, [this, core, function, argument] {
      report::beginActive(core, Clock::get().now());
      if (trace::on())
        trace::begin(trace::core(core), Clock::get().now(),
                     program::functionAt(reinterpret_cast<const void *>(function)),
                     spawnSites_[core], {}, {flows_[core], trace::Flow::Ends});
      function(argument);
      Clock::get().arrive();
      ended(core);
    });
  }
  running_ |= mask;
  unjoined_ |= mask;
}

void Group::ended(int core) {
  running_ &= ~(CpeMask{1} << core);
  lastEnd_ = std::max(lastEnd_, weft_sw_current->now);
  report::endActive(core, weft_sw_current->now);
  trace::end(trace::core(core), weft_sw_current->now);
  if (awaited_ && !(awaited_ & running_)) {
    awaited_ = 0;
    Clock::get().wake(WEFT_SW_MPE, lastEnd_);
  }
}

void Group::end() {
  Clock::get().arrive();
  ended(Clock::get().running());
  Clock::get().finish();
}

void Group::join(CpeMask mask, const WeftSite *site) {
  Clock &clock = Clock::get();
  clock.arrive();
  const std::uint64_t before = weft_sw_host.now;
  if (mask & running_) {
    awaited_ = mask;
    clock.block({"the CPEs that it spawned", site});
  }
  auto &host = weft_sw_host;
  if (lastEnd_ > before)
    count(WEFT_SW_MPE, Counter::JoinWait, lastEnd_ - before, site);
  host.now = std::max(before, lastEnd_) + Costs::get().join;
  count(WEFT_SW_MPE, Counter::SpawnCycles, Costs::get().join, site);
  trace::span(trace::core(WEFT_SW_MPE), before, host.now, "join", site);
  for (int core = 0, last = 0; core < WEFT_SW_CPES; ++core)
    if ((mask & unjoined_) >> core & 1 && phases_[core] != last)
      report::endPhase(last = phases_[core], host.now);
  unjoined_ &= ~mask;
}

void Group::exitProgram(int status) {
  Clock &clock = Clock::get();
  clock.arrive();
  // The process ends while this CPE and others are in the midst of a function: nothing to join.
  unjoined_ = 0;
  std::exit(status);
}

void Group::checkAtExit() {
  if (!unjoined_)
    return;
  int core = 0;
  while (!(unjoined_ >> core & 1))
    ++core;
  raise({.name = "join-missing",
         .cycle = weft_sw_host.now,
         .site = weft_sw_host.site,
         .what = "the program ends while CPEs that it spawned were never joined",
         .help = "call athread_join before the program ends",
         .others = {{"spawned", core, spawnTimes_[core], spawnSites_[core]}}});
}

} // namespace weft::emu
