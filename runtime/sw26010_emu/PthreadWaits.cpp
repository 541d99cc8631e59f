// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where threads of the host wait for each other. A thread that waits natively would keep the MPE:
// these let the others go on, in virtual time.
#include "HostThreads.h"
#include "Machine.h"
#include "Mpe.h"
#include "System.h"
#include "VirtualTime.h"

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <ctime>
#include <linux/futex.h>
#include <list>
#include <map>
#include <pthread.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace weft::emu;

namespace {

/// Waits until `attempt` gives something else than EBUSY; then that, or ETIMEDOUT. `isFree` says
/// whether it might, to any thread.
template <typename Attempt>
int insist(std::string_view reason, Attempt attempt, const HostThreads::Ready &isFree,
           std::uint64_t deadline = HostThreads::kNever) {
  for (;;) {
    if (const int result = attempt(); result != EBUSY)
      return result;
    Mpe::get().settle();
    if (!HostThreads::get().waitUntil({reason, weft_sw_host.site}, isFree, deadline))
      return ETIMEDOUT;
  }
}

HostThreads::Ready isFree(const pthread_mutex_t *mutex) {
  return [mutex] { return mutex->__data.__lock == 0; };
}

int lock(pthread_mutex_t *mutex, std::uint64_t deadline = HostThreads::kNever) {
  return insist(
      "a mutex (pthread_mutex_lock)",
      [mutex] {
        const int held = pthread_mutex_trylock(mutex);
        const bool checks = (mutex->__data.__kind & 3) == PTHREAD_MUTEX_ERRORCHECK;
        return held == EBUSY && checks && mutex->__data.__owner == gettid() ? EDEADLK : held;
      },
      isFree(mutex), deadline);
}

// The C library's state of a lock for readers and one writer.
bool isWritten(const pthread_rwlock_t *lock) {
  constexpr unsigned kWriter = 2;
  return (lock->__data.__readers & kWriter) != 0;
}

bool isRead(const pthread_rwlock_t *lock) {
  constexpr unsigned kFlags = 3; // bits
  return lock->__data.__readers >> kFlags != 0;
}

int take(sem_t *semaphore) { return sem_trywait(semaphore) == 0 ? 0 : EBUSY; }

HostThreads::Ready isFree(sem_t *semaphore) {
  return [semaphore] {
    int count = 0;
    return sem_getvalue(semaphore, &count) == 0 && count > 0;
  };
}

/// Cycles of the MPE at a time that a clock shows.
std::uint64_t cyclesAt(const timespec &time, clockid_t clock) {
  const bool calendar = clock == CLOCK_REALTIME;
  const double seconds =
      static_cast<double>(time.tv_sec - (calendar ? static_cast<time_t>(kEpochSeconds) : 0)) +
      static_cast<double>(time.tv_nsec) / static_cast<double>(kNanosecondsPerSecond);
  return seconds <= 0 ? 0 : static_cast<std::uint64_t>(seconds * Machine::get().number("clock.hz"));
}

/// One thread's wait for a condition, in the order of arrival.
struct Waiter {
  bool called = false;
};

struct Condition {
  clockid_t clock = CLOCK_REALTIME;
  std::list<Waiter *> waiters;
};

std::map<pthread_cond_t *, Condition> &conditions() {
  static auto *all = new std::map<pthread_cond_t *, Condition>;
  return *all;
}

int wait(pthread_cond_t *condition, pthread_mutex_t *mutex, std::uint64_t deadline) {
  Mpe::get().settle();
  Waiter own;
  auto &waiters = conditions()[condition].waiters;
  waiters.push_back(&own);
  if (const int failed = pthread_mutex_unlock(mutex)) {
    waiters.remove(&own);
    return failed;
  }
  const bool called = HostThreads::get().waitUntil(
      {"a condition (pthread_cond_wait)", weft_sw_host.site}, [&own] { return own.called; },
      deadline);
  if (!called)
    waiters.remove(&own);
  pthread_mutex_lock(mutex);
  return called ? 0 : ETIMEDOUT;
}

struct Barrier {
  unsigned count = 0, here = 0;
  std::uint64_t round = 0;
};

std::map<pthread_barrier_t *, Barrier> &barriers() {
  static auto *all = new std::map<pthread_barrier_t *, Barrier>;
  return *all;
}

} // namespace

extern "C" {

// ---- mutual exclusion ----

int pthread_mutex_lock(pthread_mutex_t *mutex) noexcept { return lock(mutex); }

int pthread_mutex_timedlock(pthread_mutex_t *mutex, const timespec *until) noexcept {
  return lock(mutex, cyclesAt(*until, CLOCK_REALTIME));
}

int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock,
                            const timespec *until) noexcept {
  return lock(mutex, cyclesAt(*until, clock));
}

int pthread_spin_lock(pthread_spinlock_t *lock) noexcept {
  return insist(
      "a lock (pthread_spin_lock)", [lock] { return pthread_spin_trylock(lock); },
      [lock] { return pthread_spin_trylock(lock) == 0 && pthread_spin_unlock(lock) == 0; });
}

int pthread_rwlock_rdlock(pthread_rwlock_t *lock) noexcept {
  return insist(
      "a lock (pthread_rwlock_rdlock)", [lock] { return pthread_rwlock_tryrdlock(lock); },
      [lock] { return !isWritten(lock); });
}

int pthread_rwlock_wrlock(pthread_rwlock_t *lock) noexcept {
  return insist(
      "a lock (pthread_rwlock_wrlock)", [lock] { return pthread_rwlock_trywrlock(lock); },
      [lock] { return !isWritten(lock) && !isRead(lock); });
}

int pthread_once(pthread_once_t *once, void (*function)()) {
  // The words of the static initialiser are 0; the others are ours alone.
  constexpr pthread_once_t kRuns = 1, kDone = 2;
  if (*once == kDone)
    return 0;
  if (*once == kRuns) {
    HostThreads::get().waitUntil({"a pthread_once of another thread", weft_sw_host.site},
                                 [once] { return *once != kRuns; });
    return pthread_once(once, function);
  }
  *once = kRuns;
  try {
    function();
  } catch (...) { // std::call_once: the next caller tries again
    *once = 0;
    throw;
  }
  *once = kDone;
  return 0;
}

// ---- conditions ----

int pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes) noexcept {
  conditions().erase(condition);
  if (attributes)
    pthread_condattr_getclock(attributes, &conditions()[condition].clock);
  return systemsOwn().conditionInit(condition, attributes);
}

int pthread_cond_destroy(pthread_cond_t *condition) noexcept {
  conditions().erase(condition);
  return 0;
}

int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
  return wait(condition, mutex, HostThreads::kNever);
}

int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                           const timespec *until) {
  return wait(condition, mutex, cyclesAt(*until, conditions()[condition].clock));
}

int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                           const timespec *until) {
  return wait(condition, mutex, cyclesAt(*until, clock));
}

int pthread_cond_signal(pthread_cond_t *condition) noexcept {
  if (const auto known = conditions().find(condition); known != conditions().end())
    if (auto &waiters = known->second.waiters; !waiters.empty()) {
      waiters.front()->called = true;
      waiters.pop_front();
    }
  return 0;
}

int pthread_cond_broadcast(pthread_cond_t *condition) noexcept {
  if (const auto known = conditions().find(condition); known != conditions().end()) {
    for (Waiter *waiter : known->second.waiters)
      waiter->called = true;
    known->second.waiters.clear();
  }
  return 0;
}

// ---- barriers ----

int pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *attributes,
                         unsigned count) noexcept {
  const int failed = systemsOwn().barrierInit(barrier, attributes, count);
  if (!failed)
    barriers()[barrier] = {.count = count};
  return failed;
}

int pthread_barrier_destroy(pthread_barrier_t *barrier) noexcept {
  barriers().erase(barrier);
  return systemsOwn().barrierDestroy(barrier);
}

int pthread_barrier_wait(pthread_barrier_t *barrier) noexcept {
  const auto known = barriers().find(barrier);
  if (known == barriers().end())
    return EINVAL;
  Barrier &own = known->second;
  if (++own.here == own.count) {
    own.here = 0;
    ++own.round;
    return PTHREAD_BARRIER_SERIAL_THREAD;
  }
  Mpe::get().settle();
  HostThreads::get().waitUntil({"a barrier (pthread_barrier_wait)", weft_sw_host.site},
                               [&own, round = own.round] { return own.round != round; });
  return 0;
}

// ---- semaphores ----

int sem_wait(sem_t *semaphore) {
  return insist(
      "a semaphore (sem_wait)", [semaphore] { return take(semaphore); }, isFree(semaphore));
}

int sem_timedwait(sem_t *semaphore, const timespec *until) {
  const int result = insist(
      "a semaphore (sem_timedwait)", [semaphore] { return take(semaphore); }, isFree(semaphore),
      cyclesAt(*until, CLOCK_REALTIME));
  if (result)
    errno = result;
  return result ? -1 : 0;
}

// ---- what the C++ library waits with: futures, std::atomic, latches ----

long syscall(long number, ...) noexcept {
  std::va_list list;
  va_start(list, number);
  long words[6];
  for (long &word : words)
    word = va_arg(list, long);
  va_end(list);
  const long operation = words[1] & FUTEX_CMD_MASK;
  if (number != SYS_futex || (operation != FUTEX_WAIT && operation != FUTEX_WAIT_BITSET))
    return systemsOwn().call(number, words[0], words[1], words[2], words[3], words[4], words[5]);
  const auto *word = reinterpret_cast<const volatile std::uint32_t *>(words[0]);
  const auto seen = static_cast<std::uint32_t>(words[2]);
  const auto *time = reinterpret_cast<const timespec *>(words[3]);
  std::uint64_t deadline = HostThreads::kNever;
  if (time && operation == FUTEX_WAIT)
    deadline = weft_sw_host.now + cyclesAt(*time, CLOCK_MONOTONIC);
  else if (time)
    deadline =
        cyclesAt(*time, (words[1] & FUTEX_CLOCK_REALTIME) != 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC);
  Mpe::get().settle();
  const bool changed = HostThreads::get().waitUntil(
      {"an atomic variable or future", weft_sw_host.site}, [word, seen] { return *word != seen; },
      deadline);
  if (!changed)
    errno = ETIMEDOUT;
  return changed ? 0 : -1;
}

} // extern "C"
