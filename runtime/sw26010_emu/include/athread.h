/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The SW26010's threads as the management core (MPE) uses them. C89 and later, and C++. */
#ifndef WEFT_SW26010_ATHREAD_H
#define WEFT_SW26010_ATHREAD_H

#if defined(__GNUC__)
#pragma GCC system_header
#endif

#include <pthread.h>
#include <stddef.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A slave function as host code names it: the slave compiler adds the prefix. */
#define SLAVE_FUN(x) slave_##x

/* Functions return 0, or -EINVAL, -EAGAIN, -ESRCH. */

/* The first call; again while CPEs are there, it does nothing. */
int athread_init(void);
/* Gives the CPEs back. */
int athread_halt(void);

/* Runs a slave function on all CPEs; athread_join waits for them. */
int __real_athread_spawn(void *function, void *argument);
#define athread_spawn(function, argument)                                                          \
  __real_athread_spawn((void *)slave_##function, (void *)(argument))
int athread_join(void);

/* One CPE. */
int athread_create(int id, void (*function)(void *), void *argument);
int athread_wait(int id);
int athread_end(int id);

int athread_get_max_threads(void);

#ifdef __cplusplus
}
#endif

#endif /* WEFT_SW26010_ATHREAD_H */
