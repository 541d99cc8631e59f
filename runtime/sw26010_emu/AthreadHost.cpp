// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// athread.h, as the MPE calls it. Results are the documented ones; what would leave the machine in
// an undefined state is a fault.
#include "Clock.h"
#include "Fault.h"
#include "Group.h"
#include "Heap.h"
#include "HostThreads.h"
#include "Ldm.h"
#include "Linked.h"
#include "Memory.h"
#include "Program.h"

#include <array>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <set>

using namespace weft::emu;

namespace {

/// Threads of the host that have called athread_init, and not athread_halt.
std::set<int> initialisers;

/// Threads that athread_spawn starts: all, until the program asks for fewer.
int threads = WEFT_SW_CPES;

[[noreturn]] void misuse(FaultName name, std::string what, std::string found, std::string help) {
  raise({.name = name,
         .cycle = weft_sw_host.now,
         .site = weft_sw_host.site,
         .what = std::move(what),
         .found = std::move(found),
         .help = std::move(help)});
}

void requireInitialised(const char *call) {
  if (!Group::get().initialised())
    misuse("athread-not-initialised", std::string(call) + " before athread_init", "",
           "call athread_init once at the beginning");
}

int available() { return std::popcount(Group::get().usable()); }

/// The first `count` CPEs that can be used.
CpeMask firstOf(int count) {
  CpeMask left = Group::get().usable(), taken = 0;
  for (; count > 0 && left; --count, left &= left - 1)
    taken |= left & (~left + 1);
  return taken;
}

CpeMask bitOf(int id) { return CpeMask{1} << id; }
bool isCpe(int id) { return id >= 0 && id < cpes(); }

/// Another thread's CPEs are its own affair.
void requireJoined(const char *call) {
  if (Group::get().unjoinedOf(HostThreads::get().current()))
    Group::get().requireJoined(call);
}

void requireFunction(const char *call, const void *function) {
  if (!function)
    misuse("null-function", std::string(call) + " of a null pointer", "",
           "name a function of a slave file");
}

/// CPEs run slave code alone.
void requireSlaveFunction(const char *call, const void *function) {
  requireFunction(call, function);
  const auto *place = static_cast<const char *>(function);
  if (!linked().code_begin || (place >= linked().code_begin && place < linked().code_end))
    return;
  const auto name = program::functionAt(function);
  misuse("call-of-host-code", std::string(call) + " of what is no function of a slave file",
         name.empty() ? Memory::historyOf(reinterpret_cast<std::uintptr_t>(function)).text
                      : "the host function " + std::string(name),
         "a CPE cannot run the MPE's code: compile the function with -slave, and name it in "
         "SLAVE_FUN or with slave_ before it");
}

/// On the machine each thread of a program may have a core group of its own; here they take turns.
void waitForOtherThreads(CpeMask mask) {
  const auto others = [mask, own = HostThreads::get().current()] {
    return mask & Group::get().unjoined() & ~Group::get().unjoinedOf(own);
  };
  if (!others())
    return;
  static bool told = false;
  if (!told)
    std::fputs("weft emu: note: several threads of the host spawn at a time, as on several core "
               "groups; there is one here: they take turns, and the time is that of one core group "
               "for the work of all\n",
               stderr);
  told = true;
  HostThreads::get().waitUntil(
      {"the CPEs that another thread of the host has spawned, and must join", weft_sw_host.site},
      [&] { return !others(); });
}

/// Runs a function the common way.
void spawn(const char *call, CpeMask mask, void *function, void *argument) {
  requireSlaveFunction(call, function);
  waitForOtherThreads(mask);
  if (const CpeMask busy = mask & Group::get().unjoined())
    misuse("spawn-busy", std::string(call) + " on CPEs that are not joined",
           std::to_string(std::popcount(busy)) + " CPEs still have the function spawned before",
           "call athread_join first");
  using SlaveFunction = void (*)(void *);
  Group::get().spawn(
      mask, program::functionAt(function),
      [function, argument] { reinterpret_cast<SlaveFunction>(function)(argument); },
      weft_sw_host.site);
}

/// Tasks are numbered from 0; CPEs and MPE take the next as they become free. The documentation
/// tells only that `argument` is the number of tasks.
struct Tasks {
  std::int64_t next = 0, count = 0;
};
Tasks tasks;

void beginTasks(const char *call, void *count) {
  static bool told = false;
  if (!told)
    std::fprintf(stderr,
                 "weft emu: note: %s calls its function with the number of a task, from 0 to one "
                 "below the second argument; that is inferred, for it is not documented\n",
                 call);
  told = true;
  tasks = {0, reinterpret_cast<std::int64_t>(count)};
}

void runTasks(void *function) {
  using TaskFunction = void (*)(std::int64_t);
  while (tasks.next < tasks.count) {
    // Takes the next number: an atomic update of main memory.
    const auto number =
        static_cast<std::int64_t>(weft_sw_atomic(&tasks.next, sizeof tasks.next, 0, 1));
    if (number < tasks.count)
      reinterpret_cast<TaskFunction>(function)(number);
  }
}

int spawnTasks(void *function, void *count) {
  waitForOtherThreads(~CpeMask{0});
  beginTasks("athread_spawn_task", count);
  if (Group::get().unjoined())
    return -EINVAL;
  Group::get().spawn(
      firstOf(threads), program::functionAt(function), [function] { runTasks(function); },
      weft_sw_host.site);
  return 0;
}

} // namespace

extern "C" {

int __cgid = 0, __cgnum = 1;

int athread_init() {
  initialisers.insert(HostThreads::get().current());
  if (!Group::get().initialised())
    threads = available();
  Group::get().initialise();
  return 0;
}

int athread_halt() {
  if (!Group::get().initialised())
    return -EINVAL;
  requireJoined("athread_halt");
  initialisers.erase(HostThreads::get().current());
  if (initialisers.empty())
    Group::get().halt();
  return 0;
}

// ---- all CPEs ----

int __real_athread_spawn(void *function, void *argument) {
  requireInitialised("athread_spawn");
  // athread_spawn_task marks its function: slave code is aligned to 4 bytes.
  const auto address = reinterpret_cast<std::uintptr_t>(function);
  if (address & 1)
    return spawnTasks(reinterpret_cast<void *>(address - 1), argument);
  spawn("athread_spawn", firstOf(threads), function, argument);
  return 0;
}

int athread_join() {
  requireInitialised("athread_join");
  const CpeMask own = Group::get().unjoinedOf(HostThreads::get().current());
  const CpeMask spawned = own ? own : Group::get().unjoined();
  if (!spawned)
    return -EINVAL;
  Group::get().join(spawned, weft_sw_host.site);
  return 0;
}

int athread_enter64() {
  requireInitialised("athread_enter64");
  return 0;
}

int athread_leave64() {
  requireInitialised("athread_leave64");
  requireJoined("athread_leave64");
  return 0;
}

int __real_athread_spawn64(void *function, void *argument) {
  requireInitialised("athread_spawn64");
  spawn("athread_spawn64", firstOf(WEFT_SW_CPES), function, argument);
  return 0;
}

int athread_join64() { return athread_join(); }

// ---- one CPE ----

int __real_athread_create(int id, void *function, void *argument) {
  requireInitialised("athread_create");
  waitForOtherThreads(isCpe(id) ? bitOf(id) : 0);
  if (!isCpe(id) || !(Group::get().usable() & bitOf(id)) || Group::get().unjoined() & bitOf(id))
    return -EINVAL;
  spawn("athread_create", bitOf(id), function, argument);
  return 0;
}

int athread_wait(int id) {
  requireInitialised("athread_wait");
  if (!isCpe(id))
    return -EINVAL;
  if (!(Group::get().unjoined() & bitOf(id)))
    return -ESRCH;
  Group::get().join(bitOf(id), weft_sw_host.site);
  return 0;
}

int athread_end(int id) {
  requireInitialised("athread_end");
  if (!isCpe(id) || !(Group::get().usable() & bitOf(id)))
    return -ESRCH;
  Clock::get().arrive();
  if (Group::get().running() & bitOf(id))
    return -EINVAL;
  Group::get().close(id);
  return 0;
}

int athread_cancel(int id) {
  requireInitialised("athread_cancel");
  if (!isCpe(id))
    return -EINVAL;
  Clock::get().arrive();
  if (!(Group::get().running() & bitOf(id)))
    return -ESRCH;
  Group::get().cancel(id);
  return 0;
}

// ---- some CPEs ----

int __real_athread_spawn_group(unsigned long mask, void *function, void *argument) {
  requireInitialised("athread_spawn_group");
  waitForOtherThreads(mask);
  if (!mask || mask & ~Group::get().usable() || mask & Group::get().unjoined())
    return -EINVAL;
  spawn("athread_spawn_group", mask, function, argument);
  return 0;
}

int athread_join_group(unsigned long mask) {
  requireInitialised("athread_join_group");
  const CpeMask spawned = mask & Group::get().unjoined();
  if (!spawned)
    return -EINVAL;
  Group::get().join(spawned, weft_sw_host.site);
  return 0;
}

int athread_try_join_group(unsigned long mask) {
  requireInitialised("athread_try_join_group");
  // Programs ask in a loop: let the CPEs go on. Who has ended already is joined at once: nothing
  // would end such a wait.
  const Group &group = Group::get();
  if ((mask & group.running()) || !(mask & group.unjoined()))
    Clock::get().spin(weft_sw_host.site, 1);
  if (mask & Group::get().running())
    return -EAGAIN;
  return athread_join_group(mask);
}

unsigned long athread_idle() {
  if (!Group::get().initialised())
    return 0;
  // Programs ask in a loop: let the CPEs go on.
  if (Group::get().running())
    Clock::get().spin(weft_sw_host.site, 1);
  return Group::get().running() ? 0 : Group::get().usable();
}

unsigned long athread_idle_group() { return athread_idle(); }

int athread_task(void *function, void *count) {
  requireInitialised("athread_task");
  requireFunction("athread_task", function);
  // With CPEs at work it helps with their tasks; else all are its own.
  if (!Group::get().running())
    beginTasks("athread_task", count);
  runTasks(function);
  return 0;
}

// ---- how many, and which ----

int athread_get_max_threads() { return available(); }

int athread_set_num_threads(int count) {
  if (count < 1 || Group::get().running())
    return -EINVAL;
  if (count > available())
    return -EAGAIN;
  threads = count;
  return 0;
}

int athread_get_num_threads() { return std::min(threads, available()); }

int athread_get_id(int core) { return isCpe(core) ? core : -EINVAL; }
int athread_get_core(int id) { return athread_get_id(id); }

// ---- signals ----

int athread_signal(int number, Group::Handler handler) {
  if (number < 1 || number >= Group::kSignals || !handler)
    return -EINVAL;
  Group::get().setHandler(number, handler);
  return 0;
}

/// What the machine calls exceptions ends the run here, with a report: no handler is called.
int athread_expt_signal(int kind, void *) {
  constexpr int kKinds = 32;
  return kind < 0 || kind >= kKinds ? -EINVAL : 0;
}

// ---- between core groups: there is one ----

int athread_task_info() {
  __cgid = 0;
  __cgnum = 1;
  return 0;
}

void athread_master_sync() {}

void *malloc_cross(std::size_t bytes) {
  return allocateForProgram(bytes, __builtin_return_address(0));
}

void *weft_sw_ldm_of(const void *variable, int cpe, int group) {
  const auto *place = static_cast<const char *>(variable);
  if (place < linked().ldm_begin || place >= linked().ldm_end)
    misuse("h2ldm", "h2ldm of what is no __thread_local variable of slave code",
           program::functionAt(variable).empty() ? "" : std::string(program::functionAt(variable)),
           "declare it as extern __thread in host code, as slave code defines it");
  if (!isCpe(cpe) || group != 0)
    misuse("h2ldm", "h2ldm of a CPE that is not there",
           "CPE " + std::to_string(cpe) + " of group " + std::to_string(group),
           "CPEs are 0 to 63, and there is one core group, 0");
  Clock::get().arrive();
  Clock::get().changed();
  return reinterpret_cast<void *>(
      Ldm::seenByMpe(cpe, static_cast<std::size_t>(place - linked().ldm_begin)));
}

// ---- counters of CPEs: always on ----

void penv_slave_float_ipc_init() {}

// ---- the MPE's cycles; both of its counters can count them ----

namespace {
std::array<std::uint64_t, 2> hostCyclesFrom;
} // namespace

void penv_host0_cycle_init() { hostCyclesFrom[0] = weft_sw_host_rtc(); }
void penv_host0_cycle_count(unsigned long *cycles) {
  *cycles = weft_sw_host_rtc() - hostCyclesFrom[0];
}
void penv_host1_cycle_init() { hostCyclesFrom[1] = weft_sw_host_rtc(); }
void penv_host1_cycle_count(unsigned long *cycles) {
  *cycles = weft_sw_host_rtc() - hostCyclesFrom[1];
}

} // extern "C"
