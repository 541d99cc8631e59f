// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Group.h"

#include "Clock.h"
#include "Fault.h"
#include "Ldm.h"
#include "Machine.h"

#include <algorithm>

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
  for (int core = 0; core < WEFT_SW_CPES; ++core) {
    if (!(mask >> core & 1))
      continue;
    spawnSites_[core] = site;
    spawnTimes_[core] = host.now;
    Ldm::get().resetStack(core);
    clock.core(core).limit = UINT64_MAX;
    clock.start(core, begin, [this, core, function, argument] {
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
  if (mask & running_) {
    awaited_ = mask;
    clock.block({"the CPEs that it spawned", site});
  }
  weft_sw_host.now = std::max(weft_sw_host.now, lastEnd_) + Costs::get().join;
  unjoined_ &= ~mask;
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
