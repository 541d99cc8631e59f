// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HostThreads.h"

#include "AddressMap.h"
#include "Fault.h"
#include "Group.h"
#include "Mpe.h"
#include "Signals.h"
#include "System.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <semaphore.h>
#include <sys/mman.h>
#include <vector>

namespace weft::emu {

namespace {

constexpr std::size_t kPage = 4096;
// Destructors of a thread's own variables may run in several rounds: ours lets go in the last.
constexpr int kRounds = PTHREAD_DESTRUCTOR_ITERATIONS - 1;

} // namespace

struct HostThreads::Thread {
  int number = 0;
  bool used = true, ended = false;
  pthread_t handle{};
  void *(*function)(void *) = nullptr;
  void *argument = nullptr;
  const Ready *ready = nullptr; // what it waits for; none: it can go on
  std::uint64_t deadline = kNever;
  const WeftSite *site = nullptr;
  Clock::Stack stack{};
  sem_t baton{};
  int rounds = 0;
};

struct HostThreads::Impl {
  std::vector<std::unique_ptr<Thread>> threads;
  pthread_key_t atEnd{};
  std::uint64_t sleep = 0; // of time that passes without a thread that runs
};

HostThreads &HostThreads::get() {
  static auto *threads = new HostThreads;
  return *threads;
}

HostThreads::HostThreads() : impl_(new Impl) {
  auto first = std::make_unique<Thread>();
  first->handle = pthread_self();
  first->stack = Clock::get().stackOf(WEFT_SW_MPE);
  sem_init(&first->baton, 0, 0);
  impl_->threads.push_back(std::move(first));
  pthread_key_create(&impl_->atEnd, leave);
}

// ---- who goes on ----

bool HostThreads::isReady(int thread) const {
  const Thread &one = *impl_->threads[static_cast<std::size_t>(thread)];
  return one.used && !one.ended &&
         (!one.ready || (*one.ready)() || one.deadline <= weft_sw_host.now);
}

/// In turn, from the running thread on; -1 if no other can.
int HostThreads::nextReady() const {
  const auto count = static_cast<int>(impl_->threads.size());
  for (int step = 1; step < count; ++step)
    if (const int candidate = (current_ + step) % count; isReady(candidate))
      return candidate;
  return -1;
}

bool HostThreads::anyReady() const { return isReady(current_) || nextReady() >= 0; }

void HostThreads::become(int thread) {
  const Thread &one = *impl_->threads[static_cast<std::size_t>(thread)];
  current_ = thread;
  weft_sw_host.site = one.site;
  Clock::get().setHostStack(one.stack);
}

void HostThreads::passTo(int thread) {
  Thread &own = *impl_->threads[static_cast<std::size_t>(current_)];
  own.site = weft_sw_host.site;
  become(thread);
  sem_post(&impl_->threads[static_cast<std::size_t>(thread)]->baton);
  while (systemsOwn().semaphoreWait(&own.baton) != 0) {
    // a signal
  }
}

bool HostThreads::yield() {
  const int next = several() ? nextReady() : -1;
  if (next < 0)
    return false;
  passTo(next);
  return true;
}

/// No thread can go on: the CPEs do, or the first deadline comes.
void HostThreads::passTime(const Wait &wait) {
  std::uint64_t first = kNever;
  for (const auto &one : impl_->threads)
    if (one->used && !one->ended && one->ready)
      first = std::min(first, one->deadline);
  Clock &clock = Clock::get();
  if (first == kNever)
    return clock.block(wait);
  if (!Group::get().running()) {
    weft_sw_host.now = std::max(weft_sw_host.now, first);
    return clock.arrive();
  }
  const std::uint64_t sleep = ++impl_->sleep;
  clock.at(first, [this, sleep, first] {
    if (impl_->sleep == sleep && Clock::get().blocked(WEFT_SW_MPE))
      Clock::get().wake(WEFT_SW_MPE, first);
  });
  clock.block(wait);
  ++impl_->sleep;
  // Without timing, events come at once: it is the deadline that was reached.
  if (clock.functional())
    weft_sw_host.now = std::max(weft_sw_host.now, first);
}

bool HostThreads::waitUntil(const Wait &wait, const Ready &ready, std::uint64_t deadline) {
  Thread &own = *impl_->threads[static_cast<std::size_t>(current_)];
  own.ready = &ready;
  own.deadline = deadline;
  bool reached = ready();
  while (!reached && weft_sw_host.now < deadline) {
    if (const int next = nextReady(); next >= 0)
      passTo(next);
    else
      passTime(wait);
    reached = ready();
  }
  own.ready = nullptr;
  own.deadline = kNever;
  return reached;
}

// ---- beginning and end ----

int HostThreads::create(pthread_t *handle, const pthread_attr_t *attributes,
                        void *(*function)(void *), void *argument) {
  auto &threads = impl_->threads;
  auto place = std::ranges::find_if(threads, [](const auto &one) { return !one->used; });
  if (place == threads.end()) {
    if (threads.size() > kHostThreadsMost)
      return EAGAIN;
    auto fresh = std::make_unique<Thread>();
    fresh->number = static_cast<int>(threads.size());
    // Where its variables lie must not depend on the system: caches see their addresses.
    char *low =
        mapAt(kHostThreads + kHostThreadStride * (threads.size() - 1), kHostThreadStride, false) +
        kPage;
    makeAccessible(reinterpret_cast<std::uintptr_t>(low), kHostThreadStride - kPage);
    fresh->stack = {low, low + kHostThreadStride - kPage};
    sem_init(&fresh->baton, 0, 0);
    threads.push_back(std::move(fresh));
    place = threads.end() - 1;
  }
  Thread &thread = **place;
  thread.function = function;
  thread.argument = argument;
  thread.ended = false;
  thread.used = true;
  thread.rounds = 0;
  thread.site = weft_sw_host.site;
  pthread_attr_t own;
  pthread_attr_init(&own);
  int detached = PTHREAD_CREATE_JOINABLE;
  if (attributes)
    pthread_attr_getdetachstate(attributes, &detached);
  pthread_attr_setdetachstate(&own, detached);
  pthread_attr_setstack(&own, thread.stack.low,
                        static_cast<std::size_t>(thread.stack.high - thread.stack.low));
  const int failed = systemsOwn().threadCreate(&thread.handle, &own, enter, &thread);
  pthread_attr_destroy(&own);
  if (failed) {
    thread.used = false;
    return failed;
  }
  *handle = thread.handle;
  ++alive_;
  Mpe::get().accompanied();
  return 0;
}

void *HostThreads::enter(void *thread) {
  auto &own = *static_cast<Thread *>(thread);
  while (systemsOwn().semaphoreWait(&own.baton) != 0) {
    // a signal
  }
  const auto stack = std::make_unique<std::array<char, kSignalStack>>();
  useSignalStack(stack->data());
  pthread_setspecific(get().impl_->atEnd, thread);
  void *result = own.function(own.argument);
  useSignalStack(nullptr);
  return result;
}

/// The last that a thread does here, after its own variables are destroyed.
void HostThreads::leave(void *thread) {
  auto &own = *static_cast<Thread *>(thread);
  HostThreads &all = get();
  if (++own.rounds < kRounds) {
    pthread_setspecific(all.impl_->atEnd, thread);
    return;
  }
  useSignalStack(nullptr); // pthread_exit has left `enter`
  own.ended = true;
  --all.alive_;
  int next = all.nextReady();
  while (next < 0) {
    all.passTime({"another thread of the host", weft_sw_host.site});
    next = all.nextReady();
  }
  all.become(next);
  sem_post(&all.impl_->threads[static_cast<std::size_t>(next)]->baton);
}

bool HostThreads::ended(pthread_t handle) const {
  return std::ranges::all_of(impl_->threads, [&](const auto &one) {
    return !one->used || !pthread_equal(one->handle, handle) || one->ended;
  });
}

void HostThreads::forget(pthread_t handle) {
  for (const auto &one : impl_->threads)
    if (one->number && one->used && one->ended && pthread_equal(one->handle, handle))
      one->used = false;
}

} // namespace weft::emu
