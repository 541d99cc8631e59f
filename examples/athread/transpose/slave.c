/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Transposition through register communication: the CPEs' half.
 *
 * By DMA alone a CPE moves tiles of TILE x TILE, in runs of TILE elements. Joined, the 64 CPEs take
 * a square of order MESH * TILE: each fetches whole rows of it, long runs, and the CPEs exchange
 * blocks of 4 x 4 until each has whole rows of the transposed square. A block travels along its
 * sender's row to the right column, then along that column. */
#include <simd.h>
#include <slave.h>

#include "transpose.h"

#define SQUARE (MESH * TILE)
#define ROWS (SQUARE / CORES) /* rows of the square a CPE holds: 4, one vector */

__thread_local double tile[TILE][TILE] __attribute__((aligned(32)));
__thread_local double turned[TILE][TILE] __attribute__((aligned(32)));
__thread_local double in[ROWS][SQUARE] __attribute__((aligned(32)));
__thread_local double out[ROWS][SQUARE] __attribute__((aligned(32)));
/* Blocks on their way: from which column, to which row, four vectors. */
__thread_local double middle[MESH][MESH][4][4] __attribute__((aligned(32)));
__thread_local volatile int reply;

static void fetch(const double *from, double *to, int rows, int columns, int n) {
  reply = 0;
  athread_get(PE_MODE, (void *)from, to, rows * columns * 8, (void *)&reply, 0, (n - columns) * 8,
              columns * 8);
  while (reply != 1)
    ;
}

static void store(double *from, double *to, int rows, int columns, int n) {
  reply = 0;
  athread_put(PE_MODE, from, to, rows * columns * 8, (void *)&reply, (n - columns) * 8,
              columns * 8);
  while (reply != 1)
    ;
}

void transpose_by_dma(struct work *arguments) {
  struct work w = *arguments;
  int tiles = w.n / TILE, t, i, j;
  for (t = _MYID; t < tiles * tiles; t += CORES) {
    long row = t / tiles * TILE, column = t % tiles * TILE;
    fetch(w.in + row * w.n + column, &tile[0][0], TILE, TILE, w.n);
    for (i = 0; i < TILE; i++)
      for (j = 0; j < TILE; j++)
        turned[j][i] = tile[i][j];
    store(&turned[0][0], w.out + column * w.n + row, TILE, TILE, w.n);
  }
}

/* The block of four rows and columns 4 * q ... of `in`, transposed in registers. */
static void turn(int q, doublev4 v[4]) {
  doublev4 r0, r1, r2, r3, low0, low1, high0, high1;
  simd_load(r0, &in[0][4 * q]);
  simd_load(r1, &in[1][4 * q]);
  simd_load(r2, &in[2][4 * q]);
  simd_load(r3, &in[3][4 * q]);
  low0 = simd_vshff(r1, r0, 0x44);
  low1 = simd_vshff(r3, r2, 0x44);
  high0 = simd_vshff(r1, r0, 0xee);
  high1 = simd_vshff(r3, r2, 0xee);
  v[0] = simd_vshff(low1, low0, 0x88);
  v[1] = simd_vshff(low1, low0, 0xdd);
  v[2] = simd_vshff(high1, high0, 0x88);
  v[3] = simd_vshff(high1, high0, 0xdd);
}

static void exchange(int row, int column) {
  doublev4 v[4];
  int step, to, from, k;

  /* Along the row: for each column, the blocks of all its CPEs. Partners of a step are pairs, so
   * one put before one get never waits for a buffer; the row meets between steps, because the next
   * partner's messages must not overtake this one's. */
  for (to = 0; to < MESH; to++) {
    turn(to * MESH + column, v);
    for (k = 0; k < 4; k++)
      simd_store(v[k], &middle[column][to][k][0]);
  }
  for (step = 1; step < MESH; step++) {
    int partner = column ^ step;
    athread_syn(ROW_SCOPE, 0xff);
    for (to = 0; to < MESH; to++) {
      turn(to * MESH + partner, v);
      for (k = 0; k < 4; k++) {
        doublev4 got;
        simd_putr(v[k], partner);
        got = simd_getr(got);
        simd_store(got, &middle[partner][to][k][0]);
      }
    }
  }

  /* Along the column: each block to its row. */
  for (from = 0; from < MESH; from++)
    for (k = 0; k < 4; k++) {
      doublev4 own;
      simd_load(own, &middle[from][row][k][0]);
      simd_store(own, &out[k][4 * (row * MESH + from)]);
    }
  for (step = 1; step < MESH; step++) {
    int partner = row ^ step;
    athread_syn(COL_SCOPE, 0xff);
    for (from = 0; from < MESH; from++)
      for (k = 0; k < 4; k++) {
        doublev4 mine, got;
        simd_load(mine, &middle[from][partner][k][0]);
        simd_putc(mine, partner);
        got = simd_getc(got);
        simd_store(got, &out[k][4 * (partner * MESH + from)]);
      }
  }
  athread_syn(ARRAY_SCOPE, 0xffff);
}

void transpose_by_registers(struct work *arguments) {
  struct work w = *arguments;
  int squares = w.n / SQUARE, i, j;
  for (i = 0; i < squares; i++)
    for (j = 0; j < squares; j++) {
      long own = (long)_MYID * ROWS;
      fetch(w.in + (i * SQUARE + own) * w.n + j * SQUARE, &in[0][0], ROWS, SQUARE, w.n);
      exchange(_ROW, _COL);
      store(&out[0][0], w.out + (j * SQUARE + own) * w.n + i * SQUARE, ROWS, SQUARE, w.n);
    }
}
