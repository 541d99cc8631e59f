// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the inline checks of compiled slave code leave to the runtime.
#include "AddressMap.h"
#include "Aftermath.h"
#include "Clock.h"
#include "Counters.h"
#include "Dma.h"
#include "Fault.h"
#include "Group.h"
#include "HostThreads.h"
#include "Ldm.h"
#include "Linked.h"
#include "Machine.h"
#include "Memory.h"
#include "Mpe.h"
#include "Order.h"
#include "Signals.h"
#include "Trace.h"

#include <algorithm>
#include <string>

using namespace weft::emu;

namespace {

std::string_view nameOf(std::uint32_t kind) {
  if (kind & WEFT_SW_ATOMIC)
    return "an atomic update";
  return kind & WEFT_SW_STORE ? "a store" : "a load";
}

/// The native stack of the core, where a variadic function finds its arguments: in registers on the
/// machine. Nothing else in compiled code addresses it.
bool isArgument(const WeftCore &core, std::uintptr_t address) {
  return core.index < WEFT_SW_CPES &&
         address - (kFibers + kFiberStride * core.index) < kFiberStride;
}

[[noreturn]] void refuseUpdate(const WeftCore &core, int operation) {
  raise({.name = "unknown-update",
         .core = static_cast<int>(core.index),
         .cycle = core.now,
         .site = core.site,
         .what = "updt of an operation that is not known",
         .expected = "lane 0 of the register is 4 (adds lane 1) or 6 (subtracts it)",
         .found = "lane 0 is " + (operation < 0 ? std::string("0") : std::to_string(operation)),
         .help = "updt_addw, updt_subw, updt_addl and updt_subl make the register"});
}

[[noreturn]] void refuseAlignment(const WeftCore &core, std::uintptr_t address, std::uint64_t bytes,
                                  std::uint32_t kind, const WeftSite *site) {
  const int owner = Ldm::owner(address);
  raise({.name = "UNALIGN",
         .core = static_cast<int>(core.index),
         .cycle = core.now,
         .site = site,
         .what = std::string(nameOf(kind)) + " of " + std::to_string(bytes) +
                 " bytes at an address that is not aligned to its size",
         .expected = "an address that is a multiple of " + std::to_string(bytes),
         .found = owner >= 0 ? Ldm::get().place(
                                   owner, static_cast<std::uint32_t>(address % WEFT_SW_LDM_BYTES))
                             : Memory::historyOf(address).text + "; the address is " +
                                   std::to_string(address % bytes) + " more than such a multiple",
         .help = bytes > 8 ? "align the array to 32 bytes, or use simd_loadu and simd_storeu"
                           : "a pointer was cast to a wider type"});
}

/// Time of accesses to main memory, in the order in which cores make them.
void chargeMain(WeftCore &core, std::uint64_t accesses, std::uint32_t kind, const WeftSite *site) {
  Clock &clock = Clock::get();
  // Without timing a core goes on until it waits; one that looks at memory and does more than wait
  // must not be alone for ever.
  constexpr unsigned kAccessesAtATime = 4096;
  static unsigned accessesInTurn = 0;
  if (clock.functional() && ++accessesInTurn % kAccessesAtATime == 0)
    clock.giveWay();
  clock.arrive();
  static const std::uint64_t latency = Machine::get().cycles("gld.latency");
  const bool load = (kind & WEFT_SW_LOAD) != 0;
  const std::uint64_t before = core.now;
  const auto index = static_cast<int>(core.index);
  if (!clock.functional())
    for (std::uint64_t turn = 0; turn < accesses; ++turn) {
      if (turn != 0)
        clock.arrive(); // the controller serves in the order of time
      // A load waits for its value. A store waits only while the queue is longer than it can hold:
      // what memory takes in the time that an access needs.
      const std::uint64_t done = Dma::get().controller().single(core.now, index);
      const std::uint64_t until = load ? done : done - std::min(done, 2 * latency);
      core.now = std::max(core.now, until);
    }
  if (kind & WEFT_SW_ATOMIC) {
    count(index, Counter::Atomics, accesses, site);
    if (!load)
      count(index, Counter::Updates, accesses, site);
    count(index, Counter::AtomicCycles, core.now - before, site);
  } else {
    count(index, load ? Counter::Gld : Counter::Gst, accesses, site);
    count(index, load ? Counter::GldCycles : Counter::GstCycles, core.now - before, site);
  }
  // A load makes way for those that write in the meantime; what it reads is what is there when it
  // is done.
  if (load)
    clock.arrive();
  if (kind & WEFT_SW_STORE)
    clock.changed();
  else
    clock.polls();
}

/// Own LDM: the pass found a transfer under way, an odd address, or the end of the window.
void accessLdm(WeftCore &core, std::uintptr_t address, std::uint64_t bytes, std::uint32_t kind,
               const WeftSite *site) {
  const auto offset = static_cast<std::uint32_t>(address % WEFT_SW_LDM_BYTES);
  if (offset + bytes > WEFT_SW_LDM_BYTES)
    raise({.name = "ldm-out-of-bounds",
           .core = static_cast<int>(core.index),
           .cycle = core.now,
           .site = site,
           .what = std::string(nameOf(kind)) + " of " + std::to_string(bytes) +
                   " bytes goes past the end of LDM",
           .expected = "at most " + std::to_string(WEFT_SW_LDM_BYTES - offset) + " bytes",
           .found = Ldm::get().place(static_cast<int>(core.index), offset)});
  Ldm::get().accessed(static_cast<int>(core.index), offset, bytes,
                      kind & WEFT_SW_STORE ? "a store to" : "a load from", site);
  if (kind & WEFT_SW_STORE)
    Ldm::written(static_cast<int>(core.index), offset, bytes);
  else
    Ldm::get().used(static_cast<int>(core.index), offset, bytes, "a load from", site);
  Dma::get().accessed(core, offset, bytes, kind, site);
}

} // namespace

extern "C" {

void weft_sw_access(WeftCore *core, const void *address, std::uint64_t bytes, std::uint32_t kind,
                    const WeftSite *site) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  if (!(kind & WEFT_SW_UNALIGNED) && bytes && at % bytes)
    refuseAlignment(*core, at, bytes, kind, site);
  if (at - core->ldm < WEFT_SW_LDM_BYTES)
    return accessLdm(*core, at, bytes, kind, site);
  if (isArgument(*core, at))
    return;
  Memory::get().require(static_cast<int>(core->index), at, bytes, kind, nameOf(kind), site);
  chargeMain(*core, 1, kind, site);
  if (kind & WEFT_SW_STORE)
    Mpe::get().changed(at, bytes);
  Dma::get().memoryAccessed(*core, at, bytes, kind, site);
}

void weft_sw_range(WeftCore *core, const void *address, std::uint64_t bytes, std::uint32_t kind,
                   const WeftSite *site) {
  if (!bytes)
    return;
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  if (at - core->ldm < WEFT_SW_LDM_BYTES)
    return accessLdm(*core, at, bytes, kind, site);
  if (isArgument(*core, at))
    return;
  Memory::get().require(static_cast<int>(core->index), at, bytes, kind, nameOf(kind), site);
  constexpr std::uint64_t kWord = 8; // what a copy moves at a time
  chargeMain(*core, (bytes + kWord - 1) / kWord, kind, site);
  if (kind & WEFT_SW_STORE)
    Mpe::get().changed(at, bytes);
  Dma::get().memoryAccessed(*core, at, bytes, kind, site);
}

std::uint64_t weft_sw_atomic(void *address, int bytes, int operation, std::uint64_t operand) {
  WeftCore &core = *weft_sw_current;
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  constexpr int kFetchAdd = 0, kAdd = 4, kSubtract = 6;
  if ((bytes != 4 && bytes != 8) ||
      (bytes == 8 && operation != kFetchAdd && operation != kAdd && operation != kSubtract))
    bug("an atomic update that the machine has not");
  if (operation != kFetchAdd && operation != kAdd && operation != kSubtract)
    refuseUpdate(core, operation);
  const auto size = static_cast<std::uint64_t>(bytes);
  const std::uint32_t kind =
      WEFT_SW_STORE | WEFT_SW_ATOMIC | (operation == kFetchAdd ? std::uint32_t{WEFT_SW_LOAD} : 0U);
  if (at % size)
    refuseAlignment(core, at, size, kind, core.site);
  Memory::get().require(static_cast<int>(core.index), at, size, kind, nameOf(kind), core.site);
  if (core.index == WEFT_SW_MPE)
    Clock::get().arrive();
  else {
    chargeMain(core, 1, kind, core.site);
    Mpe::get().changed(at, size);
  }
  Clock::get().changed();
  // Who sees a sum that another has added to comes after it.
  Order::get().observed(static_cast<int>(core.index), at);
  Order::get().published(static_cast<int>(core.index), at);
  const std::uint64_t change = operation == kSubtract ? 0 - operand : operand;
  if (bytes == 4) {
    const auto old = *static_cast<std::uint32_t *>(address);
    *static_cast<std::uint32_t *>(address) = old + static_cast<std::uint32_t>(change);
    return static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(old)});
  }
  const auto old = *static_cast<std::uint64_t *>(address);
  *static_cast<std::uint64_t *>(address) = old + change;
  return old;
}

void weft_sw_preempt(WeftCore *core, const WeftSite *site) {
  answerInterrupt(site);
  Clock::get().arrive();
  core->limit = aftermath::runs() ? 0 : Dma::get().limitOf(*core);
}

void weft_sw_spin(WeftCore *core, const WeftSite *site, std::uint64_t cycles) {
  answerInterrupt(site);
  const auto index = static_cast<int>(core->index);
  const Counter counter = Dma::get().outstanding(index) ? Counter::DmaWait : Counter::SpinWait;
  const std::uint64_t before = core->now;
  Clock::get().spin(site, cycles);
  count(index, counter, core->now - before, site);
  if (core->now != before)
    Dma::get().traceWait(*core, before, counter == Counter::DmaWait ? "DMA wait" : "spin", site);
}

void weft_sw_host_preempt(const WeftSite *site) {
  answerInterrupt(site);
  Mpe::get().settle();
  weft_sw_host.site = site;
  Group::get().deliver();
  if (Mpe::get().hasWorkedSince(site))
    Clock::get().changed();
  // A turn of such a loop is a load and a branch.
  constexpr std::uint64_t kTurn = 4;
  if (!HostThreads::get().yield())
    return Clock::get().spin(site, kTurn);
  // Others of the program's threads may change what this one looks at: it is not stuck.
  if (!Clock::get().functional())
    weft_sw_host.now += kTurn;
  Clock::get().giveWay();
}

void weft_sw_host_give_way(const WeftSite *site) {
  answerInterrupt(site);
  Mpe::get().settle();
  weft_sw_host.site = site;
  Group::get().deliver();
  HostThreads::get().yield();
  Clock::get().giveWay();
  if (!HostThreads::get().several())
    Clock::get().hostTurns(site, Group::get().canSpawn());
  Mpe::get().gaveWay(!Group::get().running() && !HostThreads::get().several());
}

void weft_sw_stack_returned(std::uint64_t before, std::uint64_t after, const WeftSite *site) {
  if (before == after)
    return;
  const WeftCore &core = *weft_sw_current;
  raise({.name = "stack-pointer",
         .core = static_cast<int>(core.index),
         .cycle = core.now,
         .site = site,
         .what = "inline assembly ends with another stack pointer than it began with",
         .expected = "$sp (" + std::to_string(before) + ") put back",
         .found = std::to_string(after)});
}

void weft_sw_stack_overflow(WeftCore *core, std::uint64_t bytes, const WeftSite *site) {
  const auto left = core->stack > core->stack_end ? core->stack - core->stack_end : 0;
  const bool inLdm = stackInLdm();
  const auto index = static_cast<int>(core->index);
  raise({.name = "stack-overflow",
         .core = index,
         .cycle = core->now,
         .site = site,
         .what = "the arrays and variables of this function do not fit on the CPE's stack",
         .expected = std::to_string(left) + " bytes at most",
         .found = std::to_string(bytes) + " bytes",
         .help = inLdm ? "make them smaller, or run without -b: then they lie in main memory"
                       : "make them smaller, or take main memory of malloc",
         .others = inLdm ? Ldm::get().use(index) : std::vector<Fault::Party>{}});
}

} // extern "C"
