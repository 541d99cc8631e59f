// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the inline checks of compiled slave code leave to the runtime.
#include "Clock.h"
#include "Fault.h"
#include "Ldm.h"
#include "Machine.h"

using namespace weft::emu;

namespace {

std::uint64_t gldLatency() {
  static const std::uint64_t cycles = Machine::get().cycles("gld.latency");
  return cycles;
}

} // namespace

extern "C" {

void weft_sw_access(WeftCore *core, const void *address, std::uint64_t bytes, std::uint32_t kind,
                    const WeftSite *site) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  Clock &clock = Clock::get();
  if (Ldm::owner(at) >= 0)
    return;
  clock.arrive();
  core->now += gldLatency();
  if (kind & WEFT_SW_STORE)
    clock.changed();
  else
    clock.polls();
}

void weft_sw_range(WeftCore *core, const void *address, std::uint64_t bytes, std::uint32_t kind,
                   const WeftSite *site) {
  weft_sw_access(core, address, bytes, kind, site);
}

void weft_sw_preempt(WeftCore *core, const WeftSite *) {
  Clock::get().arrive();
  core->limit = UINT64_MAX;
}

void weft_sw_spin(WeftCore *, const WeftSite *site, std::uint64_t cycles) {
  Clock::get().spin(site, cycles);
}

void weft_sw_stack_overflow(WeftCore *core, std::uint64_t bytes, const WeftSite *site) {
  const auto left = core->stack > core->stack_end ? core->stack - core->stack_end : 0;
  raise({.name = "stack-overflow",
         .core = static_cast<int>(core->index),
         .cycle = core->now,
         .site = site,
         .what = "the arrays and variables of this function do not fit on the CPE's stack",
         .expected = std::to_string(left) + " bytes at most",
         .found = std::to_string(bytes) + " bytes"});
}

} // extern "C"
