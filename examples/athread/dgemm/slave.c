/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* DGEMM with row and column broadcasts: the CPEs' half.
 *
 * CPE (i, j) owns the tile C(i, j). A panel of K is MESH steps: in step s the CPEs of column s
 * broadcast their tile of A along their rows, those of row s their tile of B along their columns. A
 * CPE sums 16 x 4 elements of C in 16 registers: each turn takes four vectors of A and four splat
 * elements of B, from its own LDM (and sends them) or from its neighbours, for 16 vmad. */
#include <simd.h>
#include <slave.h>

#include "dgemm.h"

__thread_local double a_tile[2][K_TILE][M_TILE] __attribute__((aligned(32)));
__thread_local double b_tile[2][K_TILE][N_TILE] __attribute__((aligned(32)));
__thread_local double c_tile[2][N_TILE][M_TILE] __attribute__((aligned(32)));
__thread_local volatile int arrived[2], stored[2];
__thread_local unsigned all_roles;

/* A panel is one turn of the whole: which tile of C, and which part of K. */
struct panel {
  long i0, j0;
  int k;
};

static void fetch(const struct gemm *g, const struct panel *p, int buffer) {
  long k = (long)p->k * MESH * K_TILE;
  const double *a = g->a + (k + _COL * K_TILE) * g->m + p->i0 + _ROW * M_TILE;
  const double *b = g->b + (k + _ROW * K_TILE) * g->n + p->j0 + _COL * N_TILE;
  arrived[buffer] = 0;
  athread_get(PE_MODE, (void *)a, a_tile[buffer], sizeof a_tile[0], (void *)&arrived[buffer], 0,
              (g->m - M_TILE) * 8, M_TILE * 8);
  athread_get(PE_MODE, (void *)b, b_tile[buffer], sizeof b_tile[0], (void *)&arrived[buffer], 0,
              (g->n - N_TILE) * 8, N_TILE * 8);
}

/* The panel after `p`; 0 after the last. */
static int advance(const struct gemm *g, struct panel *p) {
  if (++p->k < g->k / (MESH * K_TILE))
    return 1;
  p->k = 0;
  if ((p->i0 += MESH * M_TILE) < g->m)
    return 1;
  p->i0 = 0;
  return (p->j0 += MESH * N_TILE) < g->n;
}

#define SEND_A(v, p) simd_loadr(v, p)
#define TAKE_A(v, p) v = simd_getr(v)
#define SEND_B(v, p) simd_loadec(v, p)
#define TAKE_B(v, p) v = simd_getc(v)

/* A turn: 16 vmad with a0 ... a3, b0 ... b3. What the next turn needs is asked for as soon as this
 * one has used its predecessor for the last time; only for the last column and row there is a
 * second pair of registers, so that nothing is left to ask for when the last vmad has issued. */
#define TURN(a3, b3, A3, B3, A0, A1, A2, B0, B1, B2)                                               \
  do {                                                                                             \
    c00 = simd_vmad(a0, b0, c00);                                                                  \
    A3;                                                                                            \
    c01 = simd_vmad(a0, b1, c01);                                                                  \
    B3;                                                                                            \
    c02 = simd_vmad(a0, b2, c02);                                                                  \
    c03 = simd_vmad(a0, b3, c03);                                                                  \
    A0;                                                                                            \
    c10 = simd_vmad(a1, b0, c10);                                                                  \
    c11 = simd_vmad(a1, b1, c11);                                                                  \
    c12 = simd_vmad(a1, b2, c12);                                                                  \
    c13 = simd_vmad(a1, b3, c13);                                                                  \
    A1;                                                                                            \
    c20 = simd_vmad(a2, b0, c20);                                                                  \
    c30 = simd_vmad(a3, b0, c30);                                                                  \
    B0;                                                                                            \
    c21 = simd_vmad(a2, b1, c21);                                                                  \
    c31 = simd_vmad(a3, b1, c31);                                                                  \
    B1;                                                                                            \
    c22 = simd_vmad(a2, b2, c22);                                                                  \
    c32 = simd_vmad(a3, b2, c32);                                                                  \
    B2;                                                                                            \
    c23 = simd_vmad(a2, b3, c23);                                                                  \
    A2;                                                                                            \
    c33 = simd_vmad(a3, b3, c33);                                                                  \
  } while (0)

/* The turn that asks for what turn `t` needs. */
#define TURN_BEFORE(t, A, B, a3, b3, next_a3, next_b3)                                             \
  TURN(a3, b3, A(next_a3, pa + (t) * M_TILE + 12), B(next_b3, pb + (t) * N_TILE + 3),              \
       A(a0, pa + (t) * M_TILE), A(a1, pa + (t) * M_TILE + 4), A(a2, pa + (t) * M_TILE + 8),       \
       B(b0, pb + (t) * N_TILE), B(b1, pb + (t) * N_TILE + 1), B(b2, pb + (t) * N_TILE + 2))

/* What a step's first turn needs. */
#define FIRST(A, B)                                                                                \
  do {                                                                                             \
    A(a3, pa + 12);                                                                                \
    B(b3, pb + 3);                                                                                 \
    A(a0, pa);                                                                                     \
    A(a1, pa + 4);                                                                                 \
    B(b0, pb);                                                                                     \
    B(b1, pb + 1);                                                                                 \
    B(b2, pb + 2);                                                                                 \
    A(a2, pa + 8);                                                                                 \
  } while (0)

#define PAIR(t, A, B)                                                                              \
  TURN_BEFORE(t, A, B, a3, b3, other_a3, other_b3);                                                \
  TURN_BEFORE(t + 1, A, B, other_a3, other_b3, a3, b3)

/* A step's turns but the last: K_TILE is 16. Without a loop no register counts, and places in LDM
 * are displacements; the four versions take half of the instruction cache. */
#define TURNS(A, B)                                                                                \
  do {                                                                                             \
    PAIR(1, A, B);                                                                                 \
    PAIR(3, A, B);                                                                                 \
    PAIR(5, A, B);                                                                                 \
    PAIR(7, A, B);                                                                                 \
    PAIR(9, A, B);                                                                                 \
    PAIR(11, A, B);                                                                                \
    PAIR(13, A, B);                                                                                \
    TURN_BEFORE(15, A, B, a3, b3, other_a3, other_b3);                                             \
  } while (0)

/* The last turn, which asks for what the next step needs first; that step's senders are others. */
#define LAST(A, B) TURN_BEFORE(0, A, B, other_a3, other_b3, a3, b3)
#define VERY_LAST TURN(other_a3, other_b3, , , , , , , , )

/* Who sends in a step: two bits, the first step's lowest. Most often it is others. */
enum { TAKE_BOTH, A_IS_MINE, B_IS_MINE };
#define BY_ROLE(DO)                                                                                \
  do {                                                                                             \
    if (__builtin_expect((roles & 3) == TAKE_BOTH, 1))                                             \
      DO(TAKE_A, TAKE_B);                                                                          \
    else if ((roles & 3) == A_IS_MINE)                                                             \
      DO(SEND_A, TAKE_B);                                                                          \
    else if ((roles & 3) == B_IS_MINE)                                                             \
      DO(TAKE_A, SEND_B);                                                                          \
    else                                                                                           \
      DO(SEND_A, SEND_B);                                                                          \
  } while (0)

#define COLUMN(DO, j, c0, c1, c2, c3)                                                              \
  DO(c0, &c[j0 + j][i0]);                                                                          \
  DO(c1, &c[j0 + j][i0 + 4]);                                                                      \
  DO(c2, &c[j0 + j][i0 + 8]);                                                                      \
  DO(c3, &c[j0 + j][i0 + 12])

#define ZERO(v, p) v = 0.0

__attribute__((noinline, annotate("weft_ordered"))) static void
multiply(int buffer, double (*c)[M_TILE], int first) {
  int i0, j0;
  unsigned roles;
  double *pa, *pb;
  for (j0 = 0; j0 < N_TILE; j0 += 4)
    for (i0 = 0; i0 < M_TILE; i0 += 16) {
      doublev4 a0, a1, a2, a3, b0, b1, b2, b3, other_a3, other_b3;
      doublev4 c00, c01, c02, c03, c10, c11, c12, c13, c20, c21, c22, c23, c30, c31, c32, c33;
      if (first) {
        COLUMN(ZERO, 0, c00, c10, c20, c30);
        COLUMN(ZERO, 1, c01, c11, c21, c31);
        COLUMN(ZERO, 2, c02, c12, c22, c32);
        COLUMN(ZERO, 3, c03, c13, c23, c33);
      } else {
        COLUMN(simd_load, 0, c00, c10, c20, c30);
        COLUMN(simd_load, 1, c01, c11, c21, c31);
        COLUMN(simd_load, 2, c02, c12, c22, c32);
        COLUMN(simd_load, 3, c03, c13, c23, c33);
      }
      pa = &a_tile[buffer][0][i0];
      pb = &b_tile[buffer][0][j0];
      roles = all_roles;
      BY_ROLE(FIRST);
      for (;;) {
        BY_ROLE(TURNS);
        roles >>= 2;
        /* After the last step a mark is left. */
        if (roles == 1)
          break;
        BY_ROLE(LAST);
      }
      VERY_LAST;
      COLUMN(simd_store, 0, c00, c10, c20, c30);
      COLUMN(simd_store, 1, c01, c11, c21, c31);
      COLUMN(simd_store, 2, c02, c12, c22, c32);
      COLUMN(simd_store, 3, c03, c13, c23, c33);
    }
}

void gemm(struct gemm *arguments) {
  struct gemm g = *arguments;
  struct panel now = {0, 0, 0}, next;
  int buffer = 0, tile = 0, more;

  all_roles = 1u << 2 * MESH | A_IS_MINE << 2 * _COL | B_IS_MINE << 2 * _ROW;
  stored[0] = stored[1] = 1;
  fetch(&g, &now, 0);
  do {
    next = now;
    more = advance(&g, &next);
    while (arrived[buffer] != 2)
      ;
    /* The tiles of all must be there before the first is sent on. */
    athread_syn(ARRAY_SCOPE, 0xffff);
    if (more)
      fetch(&g, &next, 1 - buffer);
    if (now.k == 0)
      while (stored[tile] != 1)
        ;
    multiply(buffer, c_tile[tile], now.k == 0);
    if (next.k == 0) {
      double *c = g.c + (now.j0 + _COL * N_TILE) * g.m + now.i0 + _ROW * M_TILE;
      stored[tile] = 0;
      athread_put(PE_MODE, c_tile[tile], c, sizeof c_tile[0], (void *)&stored[tile],
                  (g.m - M_TILE) * 8, M_TILE * 8);
      tile = 1 - tile;
    }
    buffer = 1 - buffer;
    now = next;
  } while (more);
  while (stored[0] != 1 || stored[1] != 1)
    ;
}
