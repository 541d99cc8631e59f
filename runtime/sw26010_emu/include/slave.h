/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The SW26010's threads as the computing cores (CPEs) use them. C89 and later. */
#ifndef WEFT_SW26010_SLAVE_H
#define WEFT_SW26010_SLAVE_H

#if defined(__GNUC__)
#pragma GCC system_header
#endif

/* Programs take uint64_t and the address of printf from here. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "weft_sw26010/modes.h"

/* ---- where variables lie ---- */

/* In the local memory (LDM) of each CPE; the _fix kind keeps its place on the machine, here both
 * do. Without a word: main memory, one for all. `__thread`: main memory, one for each CPE. */
#define __thread_local __weft_in_ldm(__COUNTER__)
#define __thread_local_fix __weft_in_ldm(__COUNTER__)
/* Local memory of the CPEs that run kernel k; a program here has one. */
#define __thread_kernel(k) __weft_in_ldm(__COUNTER__)
/* A section a declaration, joined later: C takes no constants beside variables in one. */
#define __weft_in_ldm(number) __weft_section_of_ldm(number)
#define __weft_section_of_ldm(number) __attribute__((section("weft_ldm." #number)))

/* ---- who this CPE is ---- */

extern __thread_local_fix int _MYID; /* row * 8 + column */
extern __thread_local_fix char _CGN; /* core group */
extern __thread_local_fix char _ROW;
extern __thread_local_fix char _COL;
extern __thread_local_fix char _PEN;

/* Number of the thread on a CPE, and the CPE of a thread; -1 is this one. -EINVAL if there is none.
 */
int athread_get_id(int core);
int athread_get_core(int id);

/* ---- transfers between main memory and LDM; see also dma.h ---- */

/* len bytes in blocks of bsize, with a gap of stride bytes between blocks in main memory; bsize and
 * stride 0 is contiguous. The word at `reply` in LDM is counted up when all is done. mask is for
 * BCAST_MODE and BROW_MODE: a bit a row. 0, or -EINVAL. */
int athread_get(dma_mode mode, void *src, void *dest, int len, void *reply, char mask, int stride,
                int bsize);
int athread_put(dma_mode mode, void *src, void *dest, int len, void *reply, int stride, int bsize);
#include "weft_sw26010/get_without_bsize.h"
/* The same with a physical address of main memory. */
int athread_get_p(dma_mode mode, void *src, void *dest, int len, void *reply, char mask, int stride,
                  int bsize);
int athread_put_p(dma_mode mode, void *src, void *dest, int len, void *reply, int stride,
                  int bsize);
int athread_dma_barrier(void);

/* ---- waiting for one another ---- */

enum athread_scope { ROW_SCOPE = 0, COL_SCOPE = 1, ARRAY_SCOPE = 2 };
/* mask: a bit a member of the row (or column); for ARRAY_SCOPE the columns, and << 8 the rows. */
int athread_syn(int scope, int mask);

/* ---- LDM at run time ---- */

/* NULL if there is not enough. */
void *ldm_malloc(size_t size);
/* size: as it was allocated. */
void ldm_free(void *address, size_t size);
/* Bytes that can still be allocated at once. */
size_t get_allocatable_size(void);

/* ---- main memory, atomically ---- */

/* Adds one to the 32-bit (64-bit) word and gives its old value. */
#define faaw(address) ((int)weft_sw_atomic((void *)(address), 4, 0, 1))
#define faal(address) ((long)weft_sw_atomic((void *)(address), 8, 0, 1))
/* Adds n to the 32-bit (64-bit) word, or subtracts it, and does not wait. */
#define updt_addw(n, address)                                                                      \
  ((void)weft_sw_atomic((void *)(address), 4, 4, (unsigned long)(long)(n)))
#define updt_subw(n, address)                                                                      \
  ((void)weft_sw_atomic((void *)(address), 4, 6, (unsigned long)(long)(n)))
#define updt_addl(n, address)                                                                      \
  ((void)weft_sw_atomic((void *)(address), 8, 4, (unsigned long)(long)(n)))
#define updt_subl(n, address)                                                                      \
  ((void)weft_sw_atomic((void *)(address), 8, 6, (unsigned long)(long)(n)))
extern unsigned long weft_sw_atomic(void *address, int bytes, int operation, unsigned long operand);

/* ---- time, in cycles ---- */

extern unsigned long weft_sw_read_csr(int number);
#ifndef RPCC
#define RPCC(x) ((x) = weft_sw_read_csr(4))
#endif
#ifndef RTC
#define RTC() weft_sw_read_csr(4)
#endif

/* ---- counters of instructions and cycles: CSRs in the system's library ---- */

void penv_slave_float_ipc_count(unsigned long *instructions, unsigned long *cycles);
#include "weft_sw26010/penv.h"

/* ---- signals to the MPE ---- */

/* (int pid, int signo, union sigval value): without prototypes, for <signal.h> has union sigval
 * only where the standard that is asked for allows it. */
int athread_sigqueue();
int athread_sigsend();

#endif /* WEFT_SW26010_SLAVE_H */
