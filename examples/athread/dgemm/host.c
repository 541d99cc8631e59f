/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* DGEMM with row and column broadcasts: the MPE's half. Usage: dgemm [m n k] */
#include <athread.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "dgemm.h"

/* The MPE's cycle counter. */
static unsigned long cycles_now(void) {
  unsigned long cycles;
  asm volatile("rtc %0" : "=r"(cycles));
  return cycles;
}

extern void SLAVE_FUN(gemm)(struct gemm *);

static double *matrix(long elements, int seed) {
  double *values = malloc(elements * sizeof(double));
  long i;
  if (!values) {
    fprintf(stderr, "dgemm: no memory for %ld elements\n", elements);
    exit(1);
  }
  for (i = 0; i < elements; i++)
    values[i] = ((i * 37 + seed) % 101 - 50) / 64.0;
  return values;
}

/* C x = A (B x) for a vector x: n * n work instead of n * n * n. Every column and row counts. */
static int check(const struct gemm *g) {
  double *x = matrix(g->n, 5), *y = calloc(g->k, sizeof(double));
  double worst = 0;
  long i, j, k;
  for (k = 0; k < g->k; k++)
    for (j = 0; j < g->n; j++)
      y[k] += g->b[k * g->n + j] * x[j];
  for (i = 0; i < g->m; i++) {
    double expected = 0, found = 0;
    for (k = 0; k < g->k; k++)
      expected += g->a[k * g->m + i] * y[k];
    for (j = 0; j < g->n; j++)
      found += g->c[j * g->m + i] * x[j];
    worst = fmax(worst, fabs(found - expected) / (1.0 + fabs(expected)));
  }
  printf("largest relative error of C x: %.1e\n", worst);
  return worst < 1e-9;
}

int main(int argc, char **argv) {
  struct gemm g = {0, 0, 0, 512, 512, 2048};
  unsigned long start, cycles;
  double rate, peak = CORES * 8 * 1.45;
  int good;

  if (argc > 3) {
    g.m = atoi(argv[1]);
    g.n = atoi(argv[2]);
    g.k = atoi(argv[3]);
  }
  if (g.m <= 0 || g.n <= 0 || g.k <= 0 || g.m % (MESH * M_TILE) || g.n % (MESH * N_TILE) ||
      g.k % (MESH * K_TILE)) {
    fprintf(stderr, "usage: dgemm [m n k], multiples of %d, %d and %d\n", MESH * M_TILE,
            MESH * N_TILE, MESH * K_TILE);
    return 2;
  }
  g.a = matrix((long)g.m * g.k, 1);
  g.b = matrix((long)g.k * g.n, 2);
  g.c = calloc((long)g.m * g.n, sizeof(double));

  athread_init();
  start = cycles_now();
  athread_spawn(gemm, &g);
  athread_join();
  cycles = cycles_now() - start;
  athread_halt();

  rate = 2.0 * g.m * g.n * g.k / cycles * 1.45;
  printf("%d x %d x %d: %lu cycles, %.1f GFlop/s, %.1f %% of the CPEs' peak\n", g.m, g.n, g.k,
         cycles, rate, 100 * rate / peak);
  good = check(&g);
  puts(good ? "values are right" : "values are WRONG");
  return !good;
}
