# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every name of the SW26010's public interfaces, each with a statement that uses it as public code
does: what compiles and links, and what is refused and with which words."""

from __future__ import annotations

#: What the statements may use.
HOST_PREAMBLE = """
#include <athread.h>
#include <errno.h>
extern SLAVE_FUN(work)();
extern void SLAVE_FUN(typed)(long *);
extern __thread long in_ldm;
static void handler(int signal) { (void)signal; }
static long helper(long task) { return task; }
long argument[64];
"""

#: On the management core, by name.
HOST = {
    "SLAVE_FUN": "r = (long)(void *)SLAVE_FUN(work);",
    "start_routine": "start_routine f = (start_routine)slave_work; r = (long)f;",
    "athread_init": "r = athread_init();",
    "athread_halt": "r = athread_halt();",
    "athread_spawn": "athread_spawn(work, argument); athread_spawn(typed, 0);",
    "__real_athread_spawn": "__real_athread_spawn((void *)slave_work, &argument);",
    "athread_join": "r = athread_join();",
    "athread_create": "r = athread_create(3, work, argument);",
    "athread_wait": "r = athread_wait(3);",
    "athread_end": "r = athread_end(3);",
    "athread_cancel": "r = athread_cancel(3);",
    "athread_spawn_group": "r = athread_spawn_group(0xffUL, work, argument);",
    "athread_join_group": "r = athread_join_group(0xffUL);",
    "athread_try_join_group": "r = athread_try_join_group(0xffUL) == -EAGAIN;",
    "athread_idle": "unsigned long idle = athread_idle(); r = (long)idle;",
    "athread_idle_group": "r = (long)athread_idle_group();",
    "athread_spawn_task": "athread_spawn_task(work, 100);",
    "athread_task": "athread_task((void *)helper, (void *)100);",
    "athread_get_max_threads": "r = athread_get_max_threads();",
    "athread_set_num_threads": "r = athread_set_num_threads(32);",
    "athread_get_num_threads": "r = athread_get_num_threads();",
    "athread_get_id": "r = athread_get_id(5);",
    "athread_get_core": "r = athread_get_core(5);",
    "athread_signal": "r = athread_signal(40, (void *)handler);",
    "athread_expt_signal": "r = athread_expt_signal(DMAE1, (void *)handler);",
    "SW3_SIGMAX": "r = SW3_SIGMAX;",
    "Exception_Kind": "enum Exception_Kind kind = UNALIGN; r = kind + LDME + SYNE1 + DMAE4 + MABC;",
    "athread_enter64": "r = athread_enter64();",
    "athread_spawn64": "athread_spawn64(SLAVE_FUN(work), argument);",
    "athread_join64": "r = athread_join64();",
    "athread_leave64": "r = athread_leave64();",
    "athread_task_info": "r = athread_task_info();",
    "athread_master_sync": "athread_master_sync();",
    "malloc_cross": "r = (long)malloc_cross(64);",
    "__cgid": "r = __cgid + __cgnum;",
    "h2ldm": "h2ldm(in_ldm, 5, 0) = 7; r = h2ldm(in_ldm, 5, 0);",
    "IO_addr": "r = (long)IO_addr(in_ldm, 5, 0);",
    "rtc": 'asm("rtc %0" : "=r"(r) : );',
    "penv_slave_float_ipc_init": "penv_slave_float_ipc_init();",
    "penv_slave2_put_init": "penv_slave2_put_init();",
    "penv_host0_cycle_init": "penv_host0_cycle_init();",
    "penv_host0_cycle_count": "unsigned long c; penv_host0_cycle_count(&c); r = (long)c;",
    "penv_host1_cycle_count": "unsigned long c; penv_host1_cycle_count(&c); r = (long)c;",
}

SLAVE_PREAMBLE = """
#include <slave.h>
#include <simd.h>
#include <dma.h>
#include <assert.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>
__thread_local long in_ldm;
__thread_local_fix const double table[4] = {1, 2, 3, 4};
__thread_kernel("work") double buffer[64] __attribute__((aligned(32)));
__thread_local volatile unsigned long reply;
__thread long in_private;
long shared;
int shared_word;
extern long argument[];
void work() {}
void typed(long *a) { (void)a; }
"""

#: On the computing cores, by name.
SLAVE = {
    "__thread_local": "in_ldm++;",
    "__thread_local_fix": "r = (long)table[_MYID & 3];",
    "__thread_kernel": "buffer[0] = 1;",
    "__thread": "in_private++;",
    "_MYID": "r = _MYID;",
    "_ROW": "r = _ROW + _COL + _CGN + _PEN;",
    "athread_get_id": "r = athread_get_id(-1);",
    "athread_get_core": "r = athread_get_core(-1);",
    "get_myid": "r = get_myid();",
    "athread_get": "athread_get(PE_MODE, argument, buffer, 64, (void *)&reply, 0, 0, 0);",
    "athread_put": "athread_put(PE_MODE, buffer, argument, 64, (void *)&reply, 0, 0);",
    "athread_get_p": "athread_get_p(PE_MODE, argument, buffer, 64, (void *)&reply, 0, 0, 0);",
    "athread_put_p": "athread_put_p(PE_MODE, buffer, argument, 64, (void *)&reply, 0, 0);",
    "dma_mode": "dma_mode m = PE_MODE; r = m + BCAST_MODE + ROW_MODE + BROW_MODE + RANK_MODE;",
    "dma_op": "dma_op o = DMA_PUT; r = o + DMA_GET + DMA_PUT_P + DMA_GET_P + DMA_BARRIER;",
    "athread_dma_barrier": "athread_dma_barrier();",
    "dma_desc": "dma_desc d = 0; dma_set_size(&d, 64);",
    "dma_set_op": "dma_desc d = 0; dma_set_op(&d, DMA_GET);",
    "dma_set_mode": "dma_desc d = 0; dma_set_mode(&d, PE_MODE);",
    "dma_set_bsize": "dma_desc d = 0; dma_set_bsize(&d, 32);",
    "dma_set_stepsize": "dma_desc d = 0; dma_set_stepsize(&d, 32);",
    "dma_set_mask": "dma_desc d = 0; dma_set_mask(&d, 0xff);",
    "dma_set_reply": "dma_desc d = 0; dma_set_reply(&d, &reply);",
    "dma_descriptor_init": "dma_desc d; dma_descriptor_init(&d, (void *)&reply);",
    "dma": "dma_desc d = 0; dma(d, (long)argument, (long)buffer);",
    "__builtin_sw64_dma": "dma_desc d = 0; __builtin_sw64_dma(d, argument, buffer);",
    "dma_wait": "dma_wait(&reply, 1);",
    "dma_barrier": "dma_barrier();",
    "athread_syn": "athread_syn(ARRAY_SCOPE, 0xffff);",
    "ROW_SCOPE": "athread_syn(ROW_SCOPE, 0xff); athread_syn(COL_SCOPE, 0xff);",
    "sync_array": "sync_array();",
    "ldm_malloc": "r = (long)ldm_malloc(256);",
    "ldm_free": "ldm_free(0, 256);",
    "get_allocatable_size": "r = get_allocatable_size();",
    "faaw": "r = faaw(&shared_word);",
    "faal": "r = faal(&shared);",
    "updt_addw": "updt_addw(1, &shared_word);",
    "updt_subw": "updt_subw(1, &shared_word);",
    "updt_addl": "updt_addl(1, &shared);",
    "updt_subl": "updt_subl(1, &shared);",
    "RPCC": "unsigned long c; RPCC(c); r = c;",
    "RTC": "r = RTC();",
    "rpcc": 'unsigned long c; asm volatile("rcsr %0,4" : "=r"(c)); r = c;',
    "athread_sigqueue": "union sigval v = {1}; athread_sigqueue(0, 40, v);",
    "athread_sigsend": "union sigval v = {1}; athread_sigsend(0, 40, v);",
    "penv_slave2_put_init": "penv_slave2_put_init();",
    "penv_slave2_put_count": "unsigned long c; penv_slave2_put_count(&c); r = c;",
    "penv_slave0_cycle_init": "penv_slave0_cycle_init();",
    "penv_slave_float_ipc_count": "unsigned long i, c; penv_slave_float_ipc_count(&i, &c);",
    "simd_putr": "doublev4 v = 1.0; simd_putr(v, 8); simd_putc(v, 8);",
    "simd_getr": "doublev4 v; simd_getr(v); simd_getc(v);",
    "simd_loadr": "doublev4 v; simd_loadr(v, buffer); simd_loadc(v, buffer);",
    "simd_loader": "doublev4 v; simd_loader(v, buffer); simd_loadec(v, buffer);",
    "__builtin_sw64_putR": "doublev4 v = 1.0; __builtin_sw64_putR(v, 8);",
    "__builtin_sw64_putC": "doublev4 v = 1.0; __builtin_sw64_putC(v, 8);",
    "__builtin_sw64_getxR": "doublev4 v = 0; v = __builtin_sw64_getxR(v);",
    "__builtin_sw64_getxC": "doublev4 v = 0; v = __builtin_sw64_getxC(v);",
    "putr": 'doublev4 v = 1.0; int d = 8; asm volatile("putr %0,%1\\n" ::"r"(v), "r"(d));',
    "getr": 'doublev4 v; asm volatile("getr %0\\n" : "=r"(v));',
    "wcsr": 'long v = 0x10; asm volatile("wcsr %0,8" ::"r"(v));',
    "synr": 'long m = 0xff; asm volatile("synr %0\\nsync %0" ::"r"(m));',
    "memb": 'asm volatile("memb" ::: "memory");',
    "ldder": 'doublev4 v; asm volatile("ldder %0,0(%1)" : "=r"(v) : "r"(buffer));',
    "lddec": 'doublev4 v; asm volatile("lddec %0,0(%1)" : "=r"(v) : "r"(buffer));',
    "vldr": 'doublev4 v; asm volatile("vldr %0,0(%1)" : "=r"(v) : "r"(buffer));',
    "vshff": 'doublev4 v = 1.0; asm("vshff %1,%1,0x4e,%0" : "=r"(v) : "r"(v) : "$1", "$2");',
    "vmad": 'doublev4 v = 1.0; asm("vmad %1,%1,%1,%0" : "=r"(v) : "r"(v));',
    "rfpcr": 'long c; asm volatile("rfpcr %0" : "=r"(c)); asm volatile("wfpcr %0" ::"r"(c));',
}

#: Statements of slave code that stop the compiler or the linker, and what it says.
REFUSED = {
    "athread_rma_get": ("athread_rma_get(buffer, buffer, 8);", "athread_rma_get"),
    "updt_andw": ("updt_andw(1, &shared_word);", "updt_andw"),
    "rma_put": ("rma_put(buffer);", "rma_put"),
    "fopen": ('fopen("file", "r");', "fopen"),
    "setjmp": ("static long b[64]; setjmp(b);", "setjmp"),
    "MPI_Send": ("MPI_Send(buffer, 1, 0, 0, 0, 0);", "MPI_Send"),
    "halt": ('asm volatile("halt");', "halt"),
    "vunknown": ('doublev4 v; asm volatile("vunknown %0" : "=r"(v));', "vunknown"),
}
