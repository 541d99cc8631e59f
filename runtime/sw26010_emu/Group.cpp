// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Group.h"

#include "Aftermath.h"
#include "Clock.h"
#include "Counters.h"
#include "Dma.h"
#include "Fault.h"
#include "HostThreads.h"
#include "Ldm.h"
#include "Linked.h"
#include "Machine.h"
#include "Mesh.h"
#include "Mpe.h"
#include "Order.h"
#include "Report.h"
#include "Trace.h"

#include <algorithm>
#include <bit>
#include <csignal>
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

void Group::halt() {
  Clock::get().arrive();
  initialised_ = false;
}

CpeMask Group::usable() const {
  const CpeMask all = cpes() == WEFT_SW_CPES ? ~CpeMask{0} : (CpeMask{1} << cpes()) - 1;
  return all & ~closed_;
}

// ---- spawn and join ----

void Group::spawn(CpeMask mask, std::string_view function, const std::function<void()> &body,
                  const WeftSite *site) {
  Clock &clock = Clock::get();
  clock.arrive();
  auto &host = weft_sw_host;
  const std::uint64_t begin = host.now + Costs::get().start;
  host.now += Costs::get().issue;
  count(WEFT_SW_MPE, Counter::SpawnCycles, Costs::get().issue, site);
  const auto flow = trace::newFlow();
  trace::span(trace::core(WEFT_SW_MPE), host.now - Costs::get().issue, host.now, "spawn", site, {},
              {flow, trace::Flow::Begins});
  const int phase = report::beginPhase(function, std::popcount(mask), begin, site);
  for (int core = 0; core < WEFT_SW_CPES; ++core) {
    if (!(mask >> core & 1))
      continue;
    spawnSites_[core] = site;
    spawnTimes_[core] = host.now;
    spawners_[core] = HostThreads::get().current();
    phases_[core] = phase;
    flows_[core] = flow;
    Ldm::get().resetStack(core);
    Order::get().follows(WEFT_SW_MPE, core);
    clock.core(core).limit = begin + Clock::kHorizon;
    clock.start(core, begin, [this, core, function, body] {
      report::beginActive(core, Clock::get().now());
      Ldm::get().tellUse(core);
      if (trace::on())
        trace::begin(trace::core(core), Clock::get().now(), function, spawnSites_[core], {},
                     {flows_[core], trace::Flow::Ends});
      body();
      Clock::get().arrive();
      ended(core);
    });
  }
  running_ |= mask;
  unjoined_ |= mask;
  Mpe::get().accompanied();
}

void Group::ended(int core) {
  const std::uint64_t now = Clock::get().core(core).now;
  Dma::get().ended(Clock::get().core(core));
  running_ &= ~(CpeMask{1} << core);
  ends_[core] = now;
  report::endActive(core, now);
  Ldm::get().tellUse(core);
  trace::end(trace::core(core), now);
  wakeHost();
}

/// Whatever a thread of the host waits for may have come.
void Group::wakeHost() {
  Clock &clock = Clock::get();
  if (!aftermath::runs() && clock.blocked(WEFT_SW_MPE) && HostThreads::get().anyReady())
    clock.wake(WEFT_SW_MPE, clock.now());
}

CpeMask Group::unjoinedOf(int thread) const {
  CpeMask all = 0;
  for (int core = 0; core < WEFT_SW_CPES; ++core)
    if (spawners_[core] == thread)
      all |= CpeMask{1} << core;
  return all & unjoined_;
}

void Group::join(CpeMask mask, const WeftSite *site) {
  Clock &clock = Clock::get();
  auto &host = weft_sw_host;
  clock.arrive();
  deliver();
  const std::uint64_t before = host.now;
  while (mask & running_) {
    HostThreads::get().waitUntil({"the CPEs that it spawned", site},
                                 [&] { return !(mask & running_) || !signals_.empty(); });
    deliver();
  }
  std::uint64_t last = before;
  for (int core = 0; core < WEFT_SW_CPES; ++core)
    if (mask >> core & 1)
      last = std::max(last, ends_[core]);
  host.now = std::max(host.now, last);
  count(WEFT_SW_MPE, Counter::JoinWait, host.now - before, site);
  host.now += Costs::get().join;
  count(WEFT_SW_MPE, Counter::SpawnCycles, Costs::get().join, site);
  trace::span(trace::core(WEFT_SW_MPE), before, host.now, "join", site);
  for (int core = 0, told = 0; core < WEFT_SW_CPES; ++core)
    if ((mask & unjoined_) >> core & 1 && phases_[core] != told)
      report::endPhase(told = phases_[core], host.now);
  Mesh::get().joined(mask & unjoined_, site);
  for (int core = 0; core < WEFT_SW_CPES; ++core)
    if ((mask & unjoined_) >> core & 1)
      Order::get().follows(core, WEFT_SW_MPE);
  unjoined_ &= ~mask;
}

void Group::cancel(int core) {
  Clock &clock = Clock::get();
  clock.arrive();
  clock.cancel(core);
  auto &state = clock.core(core);
  state.now = std::max(state.now, weft_sw_host.now);
  ended(core);
  unjoined_ &= ~(CpeMask{1} << core);
}

// ---- signals ----

void Group::signal(int number, void *value, bool waits) {
  Clock &clock = Clock::get();
  clock.arrive();
  const int core = clock.running();
  signals_.push_back({number, core, value, waits, clock.now()});
  clock.changed();
  wakeHost();
  if (waits)
    clock.block({"the end of the MPE's handler of its signal (athread_sigsend)",
                 weft_sw_current->site, WEFT_SW_MPE});
}

void Group::deliver() {
  Clock &clock = Clock::get();
  while (!signals_.empty()) {
    const Signal signal = signals_.front();
    signals_.pop_front();
    siginfo_t information{};
    information.si_signo = signal.number;
    information.si_pid = signal.core;
    information.si_value.sival_ptr = signal.value;
    // Of the machine's struct sigcontext no field has a meaning here; it is longer than any.
    alignas(16) unsigned char context[4096] = {};
    handlers_[signal.number](signal.number, &information, context);
    clock.arrive();
    if (signal.waits && clock.blocked(signal.core))
      clock.wake(signal.core, weft_sw_host.now);
  }
}

// ---- the end ----

void Group::exitProgram(int status) {
  Clock::get().arrive();
  if (aftermath::runs())
    aftermath::stopHere({.name = {}, .core = Clock::get().running(), .what = "exit"});
  // The process ends while this CPE and others are in the midst of a function: nothing to join.
  unjoined_ = 0;
  std::exit(status);
}

void Group::requireJoined(std::string_view ending) {
  if (!unjoined_)
    return;
  const int core = std::countr_zero(unjoined_);
  raise({.name = "join-missing",
         .cycle = weft_sw_host.now,
         .site = weft_sw_host.site,
         .what = std::string(ending) + " while CPEs that it spawned were never joined",
         .expected = "a join for each spawn",
         .found = std::to_string(std::popcount(unjoined_)) + " CPEs without",
         .help = "call athread_join before",
         .others = {{"spawned by", core, spawnTimes_[core], spawnSites_[core]}}});
}

} // namespace weft::emu
