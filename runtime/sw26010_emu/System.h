// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of the system's library that the emulator has its own of by the same name.
#pragma once

#include <pthread.h>
#include <semaphore.h>

namespace weft::emu {

struct SystemsOwn {
  int (*threadCreate)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  int (*threadJoin)(pthread_t, void **);
  void (*threadExit)(void *);
  int (*semaphoreWait)(sem_t *);
  int (*conditionInit)(pthread_cond_t *, const pthread_condattr_t *);
  int (*conditionDestroy)(pthread_cond_t *);
  int (*barrierInit)(pthread_barrier_t *, const pthread_barrierattr_t *, unsigned);
  int (*barrierDestroy)(pthread_barrier_t *);
  long (*call)(long, ...);
};

const SystemsOwn &systemsOwn();

} // namespace weft::emu
