/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A CPE's tiles, and a step of DGEMM with them: C += A B, with A from who sends it in the row and B
 * from who sends it in the column. Included once, by slave.c.
 *
 * 16 x 4 elements of C at a time are summed in 16 registers. A turn takes four vectors of A and
 * four splat elements of B, from LDM (and sends them on) or from the neighbours, for 16 vmad. */
#ifndef MULTIPLY_H
#define MULTIPLY_H

#include <simd.h>

#include "dgemm.h"

__thread_local double a_tile[K_TILE][M_TILE] __attribute__((aligned(32)));
__thread_local double b_tile[N_TILE][K_TILE] __attribute__((aligned(32)));
__thread_local double c_tile[N_TILE][M_TILE] __attribute__((aligned(32)));

/* Order of instructions as written: weft-swcc keeps it for this word, sw5cc takes -O2's. */
#ifdef __clang__
#define AS_WRITTEN __attribute__((noinline, annotate("weft_ordered")))
#else
#define AS_WRITTEN __attribute__((noinline))
#endif

/* The next four elements of A, the next element of B. */
#define GET_A(v, address)                                                                          \
  do {                                                                                             \
    if (send_a)                                                                                    \
      simd_loadr(v, address);                                                                      \
    else                                                                                           \
      v = simd_getr(v);                                                                            \
  } while (0)
#define GET_B(v, address)                                                                          \
  do {                                                                                             \
    if (send_b)                                                                                    \
      simd_loadec(v, address);                                                                     \
    else                                                                                           \
      v = simd_getc(v);                                                                            \
  } while (0)
#define LOAD_C(v, i, j) simd_load(v, c + (j) * M_TILE + 4 * (i))
#define STORE_C(v, i, j) simd_store(v, c + (j) * M_TILE + 4 * (i))
#define NOTHING(...)                                                                               \
  do {                                                                                             \
  } while (0)

/* Turn `t` after the one that `a` and `b` point to. a0, a1, a2, b0, b1, b2 are there; a3 and b3
 * come in time, and each register is filled for the next turn as soon as this one has used it for
 * the last time: each has 6 cycles or more to arrive, without registers of its own. The first turn
 * loads C four vmads ahead, the last stores it when the sums are complete, 7 cycles behind. */
#define TURN(t, NEXT_A, NEXT_B, LOAD, STORE)                                                       \
  do {                                                                                             \
    c00 = simd_vmad(a0, b0, c00);                                                                  \
    GET_B(b3, b + 3 * K_TILE + (t));                                                               \
    LOAD(c02, 0, 2);                                                                               \
    c10 = simd_vmad(a1, b0, c10);                                                                  \
    GET_A(a3, a + (t) * M_TILE + 12);                                                              \
    LOAD(c12, 1, 2);                                                                               \
    c01 = simd_vmad(a0, b1, c01);                                                                  \
    LOAD(c03, 0, 3);                                                                               \
    c11 = simd_vmad(a1, b1, c11);                                                                  \
    LOAD(c13, 1, 3);                                                                               \
    c02 = simd_vmad(a0, b2, c02);                                                                  \
    LOAD(c20, 2, 0);                                                                               \
    c12 = simd_vmad(a1, b2, c12);                                                                  \
    LOAD(c30, 3, 0);                                                                               \
    c03 = simd_vmad(a0, b3, c03);                                                                  \
    LOAD(c21, 2, 1);                                                                               \
    c13 = simd_vmad(a1, b3, c13);                                                                  \
    NEXT_A(a0, a + ((t) + 1) * M_TILE);                                                            \
    LOAD(c31, 3, 1);                                                                               \
    STORE(c00, 0, 0);                                                                              \
    c20 = simd_vmad(a2, b0, c20);                                                                  \
    NEXT_A(a1, a + ((t) + 1) * M_TILE + 4);                                                        \
    LOAD(c22, 2, 2);                                                                               \
    STORE(c10, 1, 0);                                                                              \
    c30 = simd_vmad(a3, b0, c30);                                                                  \
    LOAD(c32, 3, 2);                                                                               \
    STORE(c01, 0, 1);                                                                              \
    c21 = simd_vmad(a2, b1, c21);                                                                  \
    NEXT_B(b0, b + (t) + 1);                                                                       \
    LOAD(c23, 2, 3);                                                                               \
    STORE(c11, 1, 1);                                                                              \
    c31 = simd_vmad(a3, b1, c31);                                                                  \
    LOAD(c33, 3, 3);                                                                               \
    STORE(c02, 0, 2);                                                                              \
    c22 = simd_vmad(a2, b2, c22);                                                                  \
    NEXT_B(b1, b + K_TILE + (t) + 1);                                                              \
    STORE(c12, 1, 2);                                                                              \
    c32 = simd_vmad(a3, b2, c32);                                                                  \
    STORE(c03, 0, 3);                                                                              \
    c23 = simd_vmad(a2, b3, c23);                                                                  \
    NEXT_B(b2, b + 2 * K_TILE + (t) + 1);                                                          \
    STORE(c13, 1, 3);                                                                              \
    c33 = simd_vmad(a3, b3, c33);                                                                  \
    NEXT_A(a2, a + ((t) + 1) * M_TILE + 8);                                                        \
    STORE(c20, 2, 0);                                                                              \
  } while (0)

#if K_TILE != 26
#error "multiply_registers writes out 26 turns"
#endif
#define TURNS_4(t)                                                                                 \
  TURN(t, GET_A, GET_B, NOTHING, NOTHING);                                                         \
  TURN((t) + 1, GET_A, GET_B, NOTHING, NOTHING);                                                   \
  TURN((t) + 2, GET_A, GET_B, NOTHING, NOTHING);                                                   \
  TURN((t) + 3, GET_A, GET_B, NOTHING, NOTHING)

/* Sums 16 x 4 elements of C at `c`, all turns of them without a loop: no register counts, places
 * are displacements, and the four versions fill two thirds of the instruction cache. */
static inline __attribute__((always_inline)) void multiply_registers(const int send_a,
                                                                     const int send_b,
                                                                     const double *a,
                                                                     const double *b, double *c) {
  doublev4 a0, a1, a2, a3, b0, b1, b2, b3;
  doublev4 c00, c01, c02, c03, c10, c11, c12, c13, c20, c21, c22, c23, c30, c31, c32, c33;
  GET_A(a0, a);
  GET_B(b0, b);
  LOAD_C(c00, 0, 0);
  GET_A(a1, a + 4);
  LOAD_C(c10, 1, 0);
  GET_B(b1, b + K_TILE);
  LOAD_C(c01, 0, 1);
  LOAD_C(c11, 1, 1);
  GET_B(b2, b + 2 * K_TILE);
  GET_A(a2, a + 8);
  TURN(0, GET_A, GET_B, LOAD_C, NOTHING);
  TURNS_4(1);
  TURNS_4(5);
  TURNS_4(9);
  TURNS_4(13);
  TURNS_4(17);
  TURNS_4(21);
  TURN(K_TILE - 1, NOTHING, NOTHING, NOTHING, STORE_C);
  STORE_C(c30, 3, 0);
  STORE_C(c21, 2, 1);
  STORE_C(c31, 3, 1);
  STORE_C(c22, 2, 2);
  STORE_C(c32, 3, 2);
  STORE_C(c23, 2, 3);
  STORE_C(c33, 3, 3);
}

/* C += A B in LDM for `columns` columns of the tiles of B and C from column `first` on. */
static inline __attribute__((always_inline)) void
multiply_columns(const int send_a, const int send_b, int first, int columns) {
  int i, left;
  for (i = 0; i < M_TILE; i += 16) {
    const double *b = b_tile[first];
    double *c = &c_tile[first][i];
    for (left = columns; left > 0; left -= 4) {
      multiply_registers(send_a, send_b, &a_tile[0][i], b, c);
      b += 4 * K_TILE;
      c += 4 * M_TILE;
    }
  }
}

/* Who sends is known when compiling: four versions. */
static AS_WRITTEN void take_both(int first, int columns) { multiply_columns(0, 0, first, columns); }
static AS_WRITTEN void send_a(int first, int columns) { multiply_columns(1, 0, first, columns); }
static AS_WRITTEN void send_b(int first, int columns) { multiply_columns(0, 1, first, columns); }
static AS_WRITTEN void send_both(int first, int columns) { multiply_columns(1, 1, first, columns); }

#endif
