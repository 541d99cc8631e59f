/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* DGEMM with row and column broadcasts: the MPE's half. Usage: dgemm [m n k] */
#include <athread.h>
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

/* Multiples of 1/64 below 1: products and sums of them are exact, in whatever order. */
static double *matrix(long elements, int seed) {
  double *values = malloc(elements * sizeof(double));
  long i;
  if (!values) {
    fprintf(stderr, "dgemm: no memory for %ld elements\n", elements);
    exit(1);
  }
  for (i = 0; i < elements; i++)
    values[i] = ((i * 37 + i / 101 + seed) % 101 - 50) / 64.0;
  return values;
}

/* Rows of C that differ: C x against A (B x) for a vector x, in which every element of C counts.
 * That is n * n work instead of n * n * n. */
static int wrong_rows(const struct gemm *g) {
  double *x = matrix(g->n, 5), *y = matrix(g->k, 0);
  double *expected = calloc(g->m, sizeof(double)), *found = calloc(g->m, sizeof(double));
  long i, j, k;
  int wrong = 0;
  for (k = 0; k < g->k; k++)
    y[k] = 0;
  for (j = 0; j < g->n; j++)
    for (k = 0; k < g->k; k++)
      y[k] += g->b[j * g->ldb + k] * x[j];
  for (k = 0; k < g->k; k++)
    for (i = 0; i < g->m; i++)
      expected[i] += g->a[k * g->lda + i] * y[k];
  for (j = 0; j < g->n; j++)
    for (i = 0; i < g->m; i++)
      found[i] += g->c[j * g->ldc + i] * x[j];
  for (i = 0; i < g->m; i++)
    wrong += found[i] != expected[i];
  free(x);
  free(y);
  free(expected);
  free(found);
  return wrong;
}

/* Elements of C that differ among SAMPLES, element by element; at least one in each CPE's tile. */
#define SAMPLES 1024
static int wrong_elements(const struct gemm *g) {
  long sample, k;
  int wrong = 0;
  for (sample = 0; sample < SAMPLES; sample++) {
    long i = sample * 61 % g->m, j = sample * 173 % g->n;
    double expected = 0;
    for (k = 0; k < g->k; k++)
      expected += g->a[k * g->lda + i] * g->b[j * g->ldb + k];
    wrong += g->c[j * g->ldc + i] != expected;
  }
  return wrong;
}

static int number(const char *text) {
  char *end;
  long value = strtol(text, &end, 10);
  return *end || value < 0 || value > 1 << 20 ? -1 : (int)value;
}

int main(int argc, char **argv) {
  struct gemm g = {512, 512, 2048};
  unsigned long start, cycles;
  double rate, peak = CORES * 8 * 1.45;
  int rows, elements;

  if (argc == 4) {
    g.m = number(argv[1]);
    g.n = number(argv[2]);
    g.k = number(argv[3]);
  }
  if ((argc != 1 && argc != 4) || g.m < M_BLOCK || g.n < N_BLOCK || g.k < K_TILE) {
    fprintf(stderr, "usage: dgemm [m n k], m at least %d, n at least %d, k at least %d\n", M_BLOCK,
            N_BLOCK, K_TILE);
    return 2;
  }
  g.lda = g.ldc = g.m;
  g.ldb = g.k;
  g.a = matrix((long)g.lda * g.k, 1);
  g.b = matrix((long)g.ldb * g.n, 2);
  g.c = matrix((long)g.ldc * g.n, 3);

  athread_init();
  if (athread_get_max_threads() != CORES) {
    fprintf(stderr, "dgemm: needs %d CPEs, there are %d\n", CORES, athread_get_max_threads());
    return 2;
  }
  start = cycles_now();
  athread_spawn(gemm, &g);
  athread_join();
  cycles = cycles_now() - start;
  athread_halt();

  rate = 2.0 * g.m * g.n * g.k / cycles * 1.45;
  printf("%d x %d x %d: %lu cycles, %.1f GFlop/s, %.1f %% of the CPEs' peak\n", g.m, g.n, g.k,
         cycles, rate, 100 * rate / peak);
  rows = wrong_rows(&g);
  elements = wrong_elements(&g);
  printf("C x = A (B x): %d of %d rows differ; %d of %d elements differ\n", rows, g.m, elements,
         SAMPLES);
  puts(rows || elements ? "values are WRONG" : "values are right");
  return rows || elements;
}
