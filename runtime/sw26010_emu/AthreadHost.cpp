// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// athread.h, as the MPE calls it.
#include "Clock.h"
#include "Fault.h"
#include "Group.h"
#include "Linked.h"

#include <cerrno>

using namespace weft::emu;

namespace {

CpeMask everyCpe() { return cpes() == WEFT_SW_CPES ? ~CpeMask{0} : (CpeMask{1} << cpes()) - 1; }

[[noreturn]] void misuse(std::string_view name, std::string what, std::string help) {
  raise({.name = name,
         .cycle = weft_sw_host.now,
         .site = weft_sw_host.site,
         .what = std::move(what),
         .help = std::move(help)});
}

void requireInitialised(const char *call) {
  if (!Group::get().initialised())
    misuse("athread-not-initialised", std::string(call) + " before athread_init",
           "call athread_init once at the beginning");
}

} // namespace

extern "C" {

int athread_init() {
  Group::get().initialise();
  return 0;
}

int athread_halt() {
  requireInitialised("athread_halt");
  Group::get().checkAtExit();
  Group::get().halt();
  return 0;
}

int __real_athread_spawn(void *function, void *argument) {
  requireInitialised("athread_spawn");
  Group::get().spawn(everyCpe(), reinterpret_cast<SlaveFunction>(function), argument,
                     weft_sw_host.site);
  return 0;
}

int athread_join() {
  requireInitialised("athread_join");
  Group::get().join(everyCpe(), weft_sw_host.site);
  return 0;
}

int athread_create(int id, void (*function)(void *), void *argument) {
  requireInitialised("athread_create");
  if (id < 0 || id >= cpes())
    return -EINVAL;
  Group::get().spawn(CpeMask{1} << id, function, argument, weft_sw_host.site);
  return 0;
}

int athread_wait(int id) {
  requireInitialised("athread_wait");
  if (id < 0 || id >= cpes())
    return -EINVAL;
  Group::get().join(CpeMask{1} << id, weft_sw_host.site);
  return 0;
}

int athread_end(int id) { return id < 0 || id >= cpes() ? -EINVAL : 0; }

int athread_get_max_threads() { return cpes(); }

} // extern "C"
