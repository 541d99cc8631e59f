// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads of the host program. There is one MPE, so one of them runs at a time: each is a thread of
// the system with its own stack and thread-local variables, and holds the machine until it waits
// for something, sleeps, or turns in a loop that looks at memory. Who goes on next does not depend
// on the system's scheduler.
#pragma once

#include "Clock.h"

#include <cstdint>
#include <functional>
#include <pthread.h>

namespace weft::emu {

class HostThreads {
public:
  static HostThreads &get();

  /// Whether the program has more than the thread that it began with.
  bool several() const { return alive_ > 1; }
  /// Number of the thread that runs; the program's first is 0.
  int current() const { return current_; }

  using Ready = std::function<bool()>;
  static constexpr std::uint64_t kNever = UINT64_MAX;
  /// Returns true once `ready`, false if the MPE's time reaches `deadline` before. Other threads,
  /// and the CPEs, go on meanwhile. Nobody who could make it ready: the fault "deadlock".
  bool waitUntil(const Wait &wait, const Ready &ready, std::uint64_t deadline = kNever);
  /// Lets the next thread go on that can; whether there is one.
  bool yield();
  /// Whether a thread could go on: asked by who might wake the MPE.
  bool anyReady() const;

  /// Starts a thread; as pthread_create.
  int create(pthread_t *handle, const pthread_attr_t *attributes, void *(*function)(void *),
             void *argument);
  /// The thread that `handle` is, and whether it has ended; true for threads that are not known.
  bool ended(pthread_t handle) const;
  /// Its place may be given to another.
  void forget(pthread_t handle);
  /// Whether all but the first thread have ended.
  bool onlyFirst() const { return alive_ == 1; }

private:
  struct Thread;
  struct Impl;
  HostThreads();
  Impl *impl_;
  int current_ = 0, alive_ = 1;

  int nextReady() const;
  bool isReady(int thread) const;
  void become(int thread);
  void passTo(int thread);
  void passTime(const Wait &wait);
  [[noreturn]] static void refuse(std::string what, std::string help);
  static void *enter(void *thread);
  static void leave(void *thread);
};

} // namespace weft::emu
