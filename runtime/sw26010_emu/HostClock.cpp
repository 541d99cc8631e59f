// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The MPE's clocks show virtual time. Programs are linked to these functions before the C
// library's; a function that the program defines itself by one of these names is the program's.
#include "Clock.h"
#include "Counters.h"
#include "HostThreads.h"
#include "Machine.h"
#include "Mpe.h"
#include "VirtualTime.h"

#include <cerrno>
#include <ctime>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/times.h>
#include <unistd.h>

using namespace weft::emu;

namespace weft::emu {

std::uint64_t nanosecondsOf(std::uint64_t cycles) {
  static const std::uint64_t hertz = Machine::get().cycles("clock.hz");
  return cycles / hertz * kNanosecondsPerSecond + cycles % hertz * kNanosecondsPerSecond / hertz;
}

namespace {

/// Reads the clock, which takes time itself: a loop that waits for it ends.
std::uint64_t nanoseconds() {
  static const std::uint64_t cost = Machine::get().cycles("mpe.library.clock");
  Mpe::get().settle();
  weft_sw_host.now += cost;
  count(WEFT_SW_MPE, Counter::HostRuntime, cost, weft_sw_host.site);
  return nanosecondsOf(weft_sw_host.now);
}

timespec asTime(std::uint64_t nanoseconds, bool calendar) {
  return {.tv_sec = static_cast<time_t>(nanoseconds / kNanosecondsPerSecond +
                                        (calendar ? kEpochSeconds : 0)),
          .tv_nsec = static_cast<long>(nanoseconds % kNanosecondsPerSecond)};
}

timeval asValue(const timespec &time) {
  return {.tv_sec = time.tv_sec, .tv_usec = static_cast<suseconds_t>(time.tv_nsec / 1000)};
}

void sleepFor(const timespec &time) {
  const auto duration = static_cast<std::uint64_t>(time.tv_sec) * kNanosecondsPerSecond +
                        static_cast<std::uint64_t>(time.tv_nsec);
  const double cycles = static_cast<double>(duration) * Machine::get().number("clock.hz") /
                        static_cast<double>(kNanosecondsPerSecond);
  Mpe::get().settle();
  const std::uint64_t begin = weft_sw_host.now;
  const std::uint64_t end = begin + static_cast<std::uint64_t>(cycles);
  count(WEFT_SW_MPE, Counter::HostRuntime, end - begin, weft_sw_host.site);
  // The CPEs, and other threads, go on meanwhile.
  if (HostThreads::get().several()) {
    HostThreads::get().waitUntil(
        {"the end of its sleep", weft_sw_host.site}, [] { return false; }, end);
    return;
  }
  weft_sw_host.now = end;
  Clock::get().giveWay();
}

} // namespace

} // namespace weft::emu

extern "C" {

int gettimeofday(timeval *time, void *) noexcept {
  *time = asValue(asTime(nanoseconds(), true));
  return 0;
}

int clock_gettime(clockid_t clock, timespec *time) noexcept {
  const bool calendar = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE;
  *time = asTime(nanoseconds(), calendar);
  return 0;
}

int timespec_get(timespec *time, int base) noexcept {
  if (base != TIME_UTC)
    return 0;
  *time = asTime(nanoseconds(), true);
  return base;
}

time_t time(time_t *result) noexcept {
  const time_t now = asTime(nanoseconds(), true).tv_sec;
  if (result)
    *result = now;
  return now;
}

clock_t clock() noexcept {
  return static_cast<clock_t>(nanoseconds() /
                              (kNanosecondsPerSecond / static_cast<std::uint64_t>(CLOCKS_PER_SEC)));
}

clock_t times(tms *result) noexcept {
  const auto perSecond = static_cast<std::uint64_t>(sysconf(_SC_CLK_TCK));
  const auto ticks = static_cast<clock_t>(nanoseconds() / (kNanosecondsPerSecond / perSecond));
  if (result)
    *result = {.tms_utime = ticks, .tms_stime = 0, .tms_cutime = 0, .tms_cstime = 0};
  return ticks;
}

int getrusage(__rusage_who_t who, rusage *result) noexcept {
  const auto status = static_cast<int>(syscall(SYS_getrusage, who, result));
  if (status == 0) {
    result->ru_utime = asValue(asTime(nanoseconds(), false));
    result->ru_stime = {};
  }
  return status;
}

unsigned sleep(unsigned seconds) {
  sleepFor({.tv_sec = static_cast<time_t>(seconds), .tv_nsec = 0});
  return 0;
}

int usleep(useconds_t microseconds) {
  sleepFor({.tv_sec = static_cast<time_t>(microseconds / 1000000),
            .tv_nsec = static_cast<long>(microseconds % 1000000) * 1000});
  return 0;
}

int nanosleep(const timespec *time, timespec *left) {
  if (time->tv_nsec < 0 || time->tv_nsec >= 1000000000 || time->tv_sec < 0) {
    errno = EINVAL;
    return -1;
  }
  sleepFor(*time);
  if (left)
    *left = {};
  return 0;
}

} // extern "C"
