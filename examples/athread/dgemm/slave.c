/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* DGEMM with row and column broadcasts: the CPEs' half.
 *
 * CPE (i, j) of the mesh makes the tile C(i, j) of a block of C. It sums over k in steps: in step s
 * the CPEs of column s mod 8 broadcast their tile of A along their rows, and those of row s mod 8
 * their tile of B along their columns. A CPE's tile is used in one step of eight, so that one
 * buffer is enough: it is filled while others send.
 *
 * Nothing but messages keeps the CPEs in step. Who sends next has taken all that was sent before,
 * so that messages come in order. */
#include <simd.h>
#include <slave.h>

#include "multiply.h"

/* Tiles are asked for so many steps before they are sent. */
#define AHEAD 2

__thread_local volatile int a_arrived, b_arrived, stored;

/* A step: which block of C, which part of k. */
struct step {
  int number; /* from 0 over all blocks */
  int i, j, k;
};

static int smaller(int a, int b) { return a < b ? a : b; }

/* The step after `s`; 0 after the last. */
static int advance(const struct gemm *g, struct step *s) {
  s->number++;
  if ((s->k += K_TILE) < g->k)
    return 1;
  s->k = 0;
  if ((s->i += M_BLOCK) < g->m)
    return 1;
  s->i = 0;
  return (s->j += N_BLOCK) < g->n;
}

/* Blocks at the edges begin early enough to be whole, and make some elements once more. */
static long first_row(const struct gemm *g, const struct step *s) {
  return smaller(s->i, g->m - M_BLOCK) + _ROW * M_TILE;
}
static long first_column(const struct gemm *g, const struct step *s) {
  return smaller(s->j, g->n - N_BLOCK) + _COL * N_TILE;
}

/* Asks for what this CPE sends in step `s`. The last tiles in k are whole, too. */
static void fetch(const struct gemm *g, const struct step *s) {
  long k = smaller(s->k, g->k - K_TILE);
  if (_COL == s->number % MESH) {
    a_arrived = 0;
    athread_get(PE_MODE, (void *)(g->a + k * g->lda + first_row(g, s)), a_tile, sizeof a_tile,
                (void *)&a_arrived, 0, (g->lda - M_TILE) * 8, M_TILE * 8);
  }
  if (_ROW == s->number % MESH) {
    b_arrived = 0;
    athread_get(PE_MODE, (void *)(g->b + first_column(g, s) * g->ldb + k), b_tile, sizeof b_tile,
                (void *)&b_arrived, 0, (g->ldb - K_TILE) * 8, K_TILE * 8);
  }
}

/* Columns of 64 elements of A or C. */
static void clear(double *values, int columns) {
  doublev4 zero = 0.0;
  double *end = values + columns * M_TILE;
  for (; values != end; values += 16) {
    simd_store(zero, values);
    simd_store(zero, values + 4);
    simd_store(zero, values + 8);
    simd_store(zero, values + 12);
  }
}

static AS_WRITTEN void take_both(void) { multiply_tile(0, 0); }
static AS_WRITTEN void send_a(void) { multiply_tile(1, 0); }
static AS_WRITTEN void send_b(void) { multiply_tile(0, 1); }
static AS_WRITTEN void send_both(void) { multiply_tile(1, 1); }

static void multiply(const struct gemm *g, const struct step *s) {
  int a_is_mine = _COL == s->number % MESH, b_is_mine = _ROW == s->number % MESH;
  if (a_is_mine) {
    while (a_arrived != 1)
      ;
    clear(&a_tile[0][0], K_TILE - smaller(g->k - s->k, K_TILE));
  }
  if (b_is_mine)
    while (b_arrived != 1)
      ;
  if (a_is_mine && b_is_mine)
    send_both();
  else if (a_is_mine)
    send_a();
  else if (b_is_mine)
    send_b();
  else
    take_both();
}

/* Memory is written in long runs: the CPEs of a column exchange, so that each has every eighth
 * column of their 512 rows instead of 64 columns of 64 rows. Columns go where others come from. */
static void exchange_in_column(void) {
  int distance, i, j;
  for (distance = 1; distance < MESH; distance++) {
    int partner = _ROW ^ distance;
    athread_syn(COL_SCOPE, 0xff);
    for (j = partner; j < N_TILE; j += MESH)
      for (i = 0; i < M_TILE; i += 8) {
        doublev4 u, v;
        simd_load(u, &c_tile[j][i]);
        simd_load(v, &c_tile[j][i + 4]);
        simd_putc(u, partner);
        simd_putc(v, partner);
        u = simd_getc(u);
        v = simd_getc(v);
        simd_store(u, &c_tile[j][i]);
        simd_store(v, &c_tile[j][i + 4]);
      }
  }
  athread_syn(COL_SCOPE, 0xff);
}

static void store(const struct gemm *g, const struct step *s) {
  long row = first_row(g, s) - _ROW * M_TILE, column = first_column(g, s) + _ROW;
  exchange_in_column();
  stored = 0;
  athread_put(PE_MODE, c_tile, g->c + column * g->ldc + row, sizeof c_tile, (void *)&stored,
              (MESH * g->ldc - M_BLOCK) * 8, M_BLOCK * 8);
  while (stored != 1)
    ;
}

void gemm(struct gemm *arguments) {
  struct gemm g = *arguments;
  struct step now = {0, 0, 0, 0}, ahead = {0, 0, 0, 0};
  int more = 1, more_ahead = 1;

  while (ahead.number < AHEAD && more_ahead) {
    fetch(&g, &ahead);
    more_ahead = advance(&g, &ahead);
  }
  while (more) {
    if (more_ahead) {
      fetch(&g, &ahead);
      more_ahead = advance(&g, &ahead);
    }
    if (now.k == 0)
      clear(&c_tile[0][0], N_TILE);
    multiply(&g, &now);
    if (now.k + K_TILE >= g.k)
      store(&g, &now);
    more = advance(&g, &now);
  }
}
