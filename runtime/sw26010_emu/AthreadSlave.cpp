// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// slave.h but for transfers and synchronisation: functions as compiled slave code names them.
#include "Clock.h"
#include "Counters.h"
#include "Fault.h"
#include "Group.h"
#include "Ldm.h"
#include "Linked.h"
#include "Machine.h"

#include <cerrno>

using namespace weft::emu;

namespace {

/// A call of the system's library costs the CPE so much.
void charge(std::uint64_t cycles) {
  WeftCore *core = weft_sw_current;
  core->now += cycles;
  count(static_cast<int>(core->index), Counter::LibraryCycles, cycles, core->site);
}

void chargeCall() {
  static const std::uint64_t cycles = Machine::get().cycles("slave.call");
  charge(cycles);
}

void chargeAllocation() {
  static const std::uint64_t cycles = Machine::get().cycles("slave.ldm_malloc");
  charge(cycles);
}

int running() { return Clock::get().running(); }

} // namespace

extern "C" {

int slave_athread_get_id(int core) {
  chargeCall();
  if (core < -1 || core >= cpes())
    return -EINVAL;
  return core == -1 ? running() : core;
}

int slave_athread_get_core(int id) { return slave_athread_get_id(id); }

int slave_get_myid() {
  chargeCall();
  return running();
}

void *slave_ldm_malloc(std::size_t size) {
  chargeAllocation();
  return reinterpret_cast<void *>(Ldm::get().allocate(running(), size, weft_sw_current->site));
}

void slave_ldm_free(void *address, std::size_t size) {
  chargeAllocation();
  Ldm::get().free(running(), reinterpret_cast<std::uintptr_t>(address), size,
                  weft_sw_current->site);
}

std::size_t slave_get_allocatable_size() {
  chargeCall();
  return Ldm::get().largestFree(running());
}

void slave_penv_slave_float_ipc_count(unsigned long *instructions, unsigned long *cycles) {
  chargeCall();
  const Values values = counted(running());
  if (instructions)
    *instructions = at(values, Counter::Pipe0) + at(values, Counter::Pipe1);
  if (cycles)
    *cycles = Clock::get().now();
}

// The payload is a union sigval; programs also pass what it holds, a pointer.

int slave_athread_sigqueue(int, int number, void *value) {
  chargeCall();
  if (number < 1 || number >= Group::kSignals || !Group::get().hasHandler(number))
    return -EINVAL;
  Group::get().signal(number, value, false);
  return 0;
}

int slave_athread_sigsend(int, int number, void *value) {
  chargeCall();
  if (number < 1 || number >= Group::kSignals || !Group::get().hasHandler(number))
    return -EINVAL;
  Group::get().signal(number, value, true);
  return 0;
}

/// Ends the process, of which each CPE is a thread.
void slave_exit(int status) { Group::get().exitProgram(status); }

} // extern "C"
