// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The thread library as host programs call it, the C++ library among them: beginning and end of
// threads, and what has no meaning on one MPE.
#include "Fault.h"
#include "HostThreads.h"
#include "Mpe.h"
#include "System.h"

#include <cerrno>
#include <cstdlib>
#include <pthread.h>
#include <sched.h>
#include <sys/time.h>

using namespace weft::emu;

namespace {

Wait waitFor(std::string_view reason) { return {reason, weft_sw_host.site}; }

[[noreturn]] void refuse(const char *call, std::string help) {
  raise({.name = "host-thread",
         .cycle = weft_sw_host.now,
         .site = nullptr, // from where it is called
         .what = std::string(call) + " is not served",
         .help = std::move(help)});
}

bool wait(pthread_t thread, std::uint64_t deadline) {
  Mpe::get().settle();
  return HostThreads::get().waitUntil(
      waitFor("the end of a thread of the host (pthread_join)"),
      [thread] { return HostThreads::get().ended(thread); }, deadline);
}

int collect(pthread_t thread, void **result) {
  const int failed = systemsOwn().threadJoin(thread, result);
  if (!failed)
    HostThreads::get().forget(thread);
  return failed;
}

} // namespace

extern "C" {

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *),
                   void *argument) noexcept {
  Mpe::get().settle();
  return HostThreads::get().create(thread, attributes, function, argument);
}

int pthread_join(pthread_t thread, void **result) {
  if (pthread_equal(thread, pthread_self()))
    return EDEADLK;
  wait(thread, HostThreads::kNever);
  return collect(thread, result);
}

int pthread_tryjoin_np(pthread_t thread, void **result) noexcept {
  Mpe::get().settle();
  HostThreads::get().yield();
  return HostThreads::get().ended(thread) ? collect(thread, result) : EBUSY;
}

void pthread_exit(void *result) {
  Mpe::get().settle();
  if (HostThreads::get().current() == 0) {
    // The first thread's end leaves the process to the others.
    HostThreads::get().waitUntil(waitFor("the other threads of the host (pthread_exit)"),
                                 [] { return HostThreads::get().onlyFirst(); });
    std::exit(0);
  }
  systemsOwn().threadExit(result);
  std::abort();
}

int pthread_cancel(pthread_t) {
  refuse("pthread_cancel", "have the thread look at a variable, and return");
}

int sched_yield() noexcept {
  weft_sw_host_preempt(weft_sw_host.site);
  return 0;
}

// A program's MPE is the only one: where a thread runs is not its choice.

int pthread_setaffinity_np(pthread_t, std::size_t, const cpu_set_t *) noexcept { return 0; }
int sched_setaffinity(pid_t, std::size_t, const cpu_set_t *) noexcept { return 0; }

} // extern "C"
