/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The SW26010's threads as the management core (MPE) uses them. C89 and later, and C++. */
#ifndef WEFT_SW26010_ATHREAD_H
#define WEFT_SW26010_ATHREAD_H

#if defined(__GNUC__)
#pragma GCC system_header
#endif

/* Programs rely on these coming with it. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A slave function as host code names it: the slave compiler adds the prefix. */
#define SLAVE_FUN(x) slave_##x

typedef void *(*start_routine)(void *);

/* Functions return 0, or -EINVAL, -EAGAIN, -ESRCH, if nothing else is said. */

/* The first call; again, it does nothing. */
int athread_init(void);
/* Gives the CPEs back. */
int athread_halt(void);

/* ---- all CPEs ---- */

/* Runs a slave function on all CPEs; athread_join waits for them. */
#define athread_spawn(function, argument)                                                          \
  __real_athread_spawn((void *)slave_##function, (void *)(argument))
int __real_athread_spawn(void *function, void *argument);
/* -EINVAL if nothing was spawned. */
int athread_join(void);
/* CPEs take tasks 0 to count - 1 as they become free. */
#define athread_spawn_task(function, count)                                                        \
  __real_athread_spawn((void *)((unsigned long)slave_##function | 1UL), (void *)(count))
/* The same on the MPE, with a host function; while CPEs have tasks, it helps them. */
int athread_task(void *function, void *count);

/* Around a part of the program in which the CPEs stay ready; the function is named with its prefix.
 */
int athread_enter64(void);
int athread_leave64(void);
#define athread_spawn64(function, argument)                                                        \
  __real_athread_spawn64((void *)(function), (void *)(argument))
int __real_athread_spawn64(void *function, void *argument);
int athread_join64(void);

/* ---- one CPE ---- */

#define athread_create(id, function, argument)                                                     \
  __real_athread_create(id, (void *)slave_##function, (void *)(argument))
int __real_athread_create(int id, void *function, void *argument);
/* -ESRCH if it was not created. */
int athread_wait(int id);
/* Shuts an idle CPE down for the rest of the process. */
int athread_end(int id);
/* Ends what the CPE runs. */
int athread_cancel(int id);

/* ---- some CPEs: a bit each ---- */

#define athread_spawn_group(mask, function, argument)                                              \
  __real_athread_spawn_group(mask, (void *)slave_##function, (void *)(argument))
int __real_athread_spawn_group(unsigned long mask, void *function, void *argument);
int athread_join_group(unsigned long mask);
/* -EAGAIN while one of them runs. */
int athread_try_join_group(unsigned long mask);
/* The CPEs that can be used if all are idle, else 0; 0 also before athread_init. */
unsigned long athread_idle(void);
unsigned long athread_idle_group(void);

/* ---- how many, and which ---- */

int athread_get_max_threads(void);
/* For the next spawn. */
int athread_set_num_threads(int count);
int athread_get_num_threads(void);
/* Number of the thread on a CPE, and the CPE of a thread. */
int athread_get_id(int core);
int athread_get_core(int id);

/* ---- signals from CPEs ---- */

#define SW3_SIGMAX 64
/* handler(int signo, siginfo_t *, struct sigcontext *) runs when the MPE next waits for CPEs, or in
 * a loop, after athread_sigqueue or athread_sigsend of a CPE. */
int athread_signal(int signo, void *handler);

/* Exceptions of CPEs end the run with a report here; a handler is taken and not called. */
enum Exception_Kind {
  UNALIGN,
  ILLEGAL,
  OVI,
  INE,
  UNF,
  OVF,
  DBZ,
  INV,
  DNO,
  CLASSE1,
  CLASSE2,
  SELLDWE,
  LDME,
  SDLBE,
  MABC,
  MATNO,
  RAMAR,
  IFLOWE,
  SBMDE1,
  SBMDE2,
  SYNE1,
  SYNE2,
  RCE,
  DMAE1,
  DMAE2,
  DMAE3,
  DMAE4,
  DMAE5,
  IOE1,
  IOE2,
  IOE3,
  OTHERE
};
int athread_expt_signal(int kind, void *handler);

/* ---- core groups: a program has one ---- */

extern int __cgid, __cgnum;
int athread_task_info(void);
void athread_master_sync(void);
void *malloc_cross(size_t size);

/* ---- a CPE's LDM, from the MPE ---- */

/* A __thread_local variable of slave code, which host code declares as `extern __thread`: as an
 * lvalue, and its address. */
#define h2ldm(element, cpe, group)                                                                 \
  (*(__typeof__(element) *)weft_sw_ldm_of((const void *)&(element), (int)(cpe), (int)(group)))
#define IO_addr(element, cpe, group)                                                               \
  ((unsigned long)weft_sw_ldm_of((const void *)&(element), (int)(cpe), (int)(group)))
void *weft_sw_ldm_of(const void *variable, int cpe, int group);

/* ---- counters of instructions and cycles ---- */

void penv_slave_float_ipc_init(void);
#include "weft_sw26010/penv.h"
/* The MPE's own cycles. */
void penv_host0_cycle_init(void);
void penv_host0_cycle_count(unsigned long *cycles);
void penv_host1_cycle_init(void);
void penv_host1_cycle_count(unsigned long *cycles);

#ifdef __cplusplus
}
#endif

#endif /* WEFT_SW26010_ATHREAD_H */
