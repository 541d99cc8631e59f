/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The DMA engine by its descriptors: slave.h has athread_get and athread_put. C89 and later.
 *
 * A descriptor is 128 bits: size 24, 8 free, bsize 20, 4 free, op 4, mode 4, reply 16 (LDM offset),
 * 8 free, mask 8, stepsize 32. `dma_desc d = 0;` has all of them zero. */
#ifndef WEFT_SW26010_DMA_H
#define WEFT_SW26010_DMA_H

#if defined(__GNUC__)
#pragma GCC system_header
#endif

/* Programs take the vector types and printf from here. */
#include "simd.h"
#include "weft_sw26010/modes.h"
#include <stdio.h>

typedef enum {
  DMA_PUT = 0,   /* LDM to main memory */
  DMA_GET = 1,   /* main memory to LDM */
  DMA_PUT_P = 2, /* the same with physical addresses of main memory */
  DMA_GET_P = 3,
  DMA_BARRIER = 5
} dma_op;

typedef int dma_desc __attribute__((ext_vector_type(4)));
typedef unsigned long __weft_dma_halves __attribute__((ext_vector_type(2)));

#ifdef __cplusplus
#define __weft_dma_extern extern "C"
#else
#define __weft_dma_extern extern
#endif
__weft_dma_extern void weft_sw_dma(unsigned long low, unsigned long high, unsigned long memory,
                                   unsigned long ldm);
__weft_dma_extern void weft_sw_dma_wait(const volatile void *reply, int count);
__weft_dma_extern unsigned int weft_sw_dma_reply(const volatile void *reply);

#define __weft_dma_inline static __inline__ __attribute__((always_inline))

/* `count` bits of a word of the descriptor, from bit `from`. */
__weft_dma_inline void __weft_dma_field(dma_desc *d, int word, int from, int count,
                                        unsigned int value) {
  const unsigned int mask = count == 32 ? ~0U : ((1U << count) - 1U) << from;
  (*d)[word] = (int)(((unsigned int)(*d)[word] & ~mask) | (value << from & mask));
}

/* Bytes to move. */
__weft_dma_inline void dma_set_size(dma_desc *d, unsigned int size) {
  __weft_dma_field(d, 0, 0, 24, size);
}
/* Contiguous bytes of a strided transfer; in RANK_MODE, bytes that a CPE of the row has at a time.
 */
__weft_dma_inline void dma_set_bsize(dma_desc *d, unsigned int bsize) {
  __weft_dma_field(d, 1, 0, 20, bsize);
}
__weft_dma_inline void dma_set_op(dma_desc *d, unsigned int op) {
  __weft_dma_field(d, 1, 24, 4, op);
}
__weft_dma_inline void dma_set_mode(dma_desc *d, unsigned int mode) {
  __weft_dma_field(d, 1, 28, 4, mode);
}
/* The word in LDM, aligned to 4 bytes, that counts completed transfers. */
__weft_dma_inline void dma_set_reply(dma_desc *d, const volatile void *reply) {
  __weft_dma_field(d, 2, 0, 16, weft_sw_dma_reply(reply));
}
/* Rows that receive a broadcast: bit i is row i. */
__weft_dma_inline void dma_set_mask(dma_desc *d, unsigned int mask) {
  __weft_dma_field(d, 2, 24, 8, mask);
}
/* Bytes of main memory between the end of a block and the next. */
__weft_dma_inline void dma_set_stepsize(dma_desc *d, unsigned int stepsize) {
  __weft_dma_field(d, 3, 0, 32, stepsize);
}

__weft_dma_inline void dma_descriptor_init(dma_desc *d, const volatile void *reply) {
  *d = (dma_desc)0;
  dma_set_size(d, 256);
  dma_set_op(d, DMA_GET);
  dma_set_mode(d, PE_MODE);
  dma_set_reply(d, reply);
}

/* Gives the transfer; it goes on by itself. */
#define dma(descriptor, memory, ldm)                                                               \
  __weft_dma((descriptor), (unsigned long)(memory), (unsigned long)(ldm))
__weft_dma_inline void __weft_dma(dma_desc d, unsigned long memory, unsigned long ldm) {
  const __weft_dma_halves halves = (__weft_dma_halves)d;
  weft_sw_dma(halves[0], halves[1], memory, ldm);
}
#define __builtin_sw64_dma(descriptor, memory, ldm) dma(descriptor, memory, ldm)

/* Waits until the reply word is `count`; it is not set to 0. */
__weft_dma_inline void dma_wait(const volatile void *reply, int count) {
  weft_sw_dma_wait(reply, count);
}
/* Waits for all transfers that this CPE gave. */
__weft_dma_inline void dma_barrier(void) {
  const unsigned long barrier = (unsigned long)DMA_BARRIER << 56;
  weft_sw_dma(barrier, 0, 0, 0);
}

#undef __weft_dma_inline
#undef __weft_dma_extern

#endif /* WEFT_SW26010_DMA_H */
