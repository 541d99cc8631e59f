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

/* The last round of steps makes so many columns of a tile of C at a time, one for each CPE of a
 * column of the mesh: they are on their way to memory while the next are made. */
#define STRIP MESH

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

/* Where a step's block of C begins. Those at the edges begin early enough to be whole, and make
 * some elements once more. */
static long first_row(const struct gemm *g, const struct step *s) {
  return smaller(s->i, g->m - M_BLOCK);
}
static long first_column(const struct gemm *g, const struct step *s) {
  return smaller(s->j, g->n - N_BLOCK);
}

/* Asks for what this CPE sends in step `s`. The last tiles in k are whole, too. */
static void fetch(const struct gemm *g, const struct step *s) {
  long k = smaller(s->k, g->k - K_TILE);
  if (_COL == s->number % MESH) {
    const double *a = g->a + k * g->lda + first_row(g, s) + _ROW * M_TILE;
    a_arrived = 0;
    athread_get(PE_MODE, (void *)a, a_tile, sizeof a_tile, (void *)&a_arrived, 0,
                (g->lda - M_TILE) * 8, M_TILE * 8);
  }
  if (_ROW == s->number % MESH) {
    const double *b = g->b + (first_column(g, s) + _COL * N_TILE) * g->ldb + k;
    b_arrived = 0;
    athread_get(PE_MODE, (void *)b, b_tile, sizeof b_tile, (void *)&b_arrived, 0,
                (g->ldb - K_TILE) * 8, K_TILE * 8);
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

/* Step `s` for some columns of C. What the last tile of A shares with the one before it is 0. */
static void multiply(const struct gemm *g, const struct step *s, int first, int columns) {
  int a_is_mine = _COL == s->number % MESH, b_is_mine = _ROW == s->number % MESH;
  if (a_is_mine) {
    while (a_arrived != 1)
      ;
    clear(a_tile[0], K_TILE - smaller(g->k - s->k, K_TILE));
  }
  if (b_is_mine)
    while (b_arrived != 1)
      ;
  if (a_is_mine && b_is_mine)
    send_both(first, columns);
  else if (a_is_mine)
    send_a(first, columns);
  else if (b_is_mine)
    send_b(first, columns);
  else
    take_both(first, columns);
}

/* Memory is written in long runs: the CPEs of a column of the mesh exchange, so that each has one
 * column of their 512 rows instead of eight of 64. What comes takes the place of what went, which
 * makes the pieces of a column neighbours. */
static void exchange(double (*c)[M_TILE]) {
  int distance, i;
  for (distance = 1; distance < MESH; distance++) {
    int partner = _ROW ^ distance;
    athread_syn(COL_SCOPE, 0xff);
    for (i = 0; i < M_TILE; i += 8) {
      doublev4 u, v;
      simd_load(u, &c[partner][i]);
      simd_load(v, &c[partner][i + 4]);
      simd_putc(u, partner);
      simd_putc(v, partner);
      u = simd_getc(u);
      v = simd_getc(v);
      simd_store(u, &c[partner][i]);
      simd_store(v, &c[partner][i + 4]);
    }
  }
  athread_syn(COL_SCOPE, 0xff);
}

/* The strip of C from column `first` of the tile on. */
static void store(const struct gemm *g, const struct step *s, int first) {
  long row = first_row(g, s), column = first_column(g, s) + _COL * N_TILE + first + _ROW;
  exchange(&c_tile[first]);
  athread_put(PE_MODE, c_tile[first], g->c + column * g->ldc + row, STRIP * sizeof c_tile[0],
              (void *)&stored, 0, 0);
}

/* All columns of a tile step by step; in the last round of a block all steps strip by strip. */
void gemm(struct gemm *arguments) {
  struct gemm g = *arguments;
  struct step now = {0, 0, 0, 0}, ahead = {0, 0, 0, 0};
  int last_round = ((g.k - 1) / K_TILE - (MESH - 1)) * K_TILE;
  int more = 1, more_ahead = 1, strips = 0;

  stored = 0;
  while (more) {
    struct step s;
    int last = now.k >= last_round, columns = last ? STRIP : N_TILE, first, i;
    if (now.k == 0) {
      while (stored != strips)
        ;
      athread_syn(ARRAY_SCOPE, 0xffff); /* blocks at the edges write to the same places */
      clear(c_tile[0], N_TILE);
    }
    for (first = 0; first < N_TILE; first += columns) {
      s = now;
      do {
        /* Two at a time, so that the first are there soon. */
        for (i = 0; i < 2 && more_ahead && ahead.number < now.number + MESH; i++) {
          fetch(&g, &ahead);
          more_ahead = advance(&g, &ahead);
        }
        multiply(&g, &s, first, columns);
        more = advance(&g, &s);
      } while (last && s.k != 0);
      if (last) {
        store(&g, &now, first);
        strips++;
      }
    }
    now = s;
  }
  while (stored != strips)
    ;
}
