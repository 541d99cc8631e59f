/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Transposition through register communication: the MPE's half. Usage: transpose [order] */
#include <athread.h>
#include <stdio.h>
#include <stdlib.h>

#include "transpose.h"

/* The MPE's cycle counter. */
static unsigned long cycles_now(void) {
  unsigned long cycles;
  asm volatile("rtc %0" : "=r"(cycles));
  return cycles;
}

extern void SLAVE_FUN(transpose_by_dma)(struct work *);
extern void SLAVE_FUN(transpose_by_registers)(struct work *);

static int check(const struct work *w) {
  long i, j, wrong = 0;
  for (i = 0; i < w->n; i++)
    for (j = 0; j < w->n; j++)
      if (w->out[i * w->n + j] != w->in[j * w->n + i] && wrong++ < 3)
        printf("  (%ld, %ld) is %g, expected %g\n", i, j, w->out[i * w->n + j],
               w->in[j * w->n + i]);
  return wrong == 0;
}

int main(int argc, char **argv) {
  struct work w;
  double *in, *out;
  long i, elements;
  unsigned long start, dma, registers;
  int good;

  w.n = argc > 1 ? atoi(argv[1]) : 512;
  if (w.n <= 0 || w.n % (MESH * TILE)) {
    fprintf(stderr, "usage: transpose [order, a multiple of %d]\n", MESH * TILE);
    return 2;
  }
  elements = (long)w.n * w.n;
  in = malloc(elements * sizeof(double));
  out = malloc(elements * sizeof(double));
  if (!in || !out)
    return 1;
  for (i = 0; i < elements; i++)
    in[i] = i;
  w.in = in;
  w.out = out;

  athread_init();
  for (i = 0; i < elements; i++)
    out[i] = -1;
  start = cycles_now();
  athread_spawn(transpose_by_dma, &w);
  athread_join();
  dma = cycles_now() - start;
  good = check(&w);

  for (i = 0; i < elements; i++)
    out[i] = -1;
  start = cycles_now();
  athread_spawn(transpose_by_registers, &w);
  athread_join();
  registers = cycles_now() - start;
  good &= check(&w);
  athread_halt();

  printf("matrix of %d x %d doubles, %d bytes a row of a tile\n", w.n, w.n, (int)(TILE * 8));
  printf("each CPE for itself         %9lu cycles, %5.1f GB/s\n", dma,
         2 * 8.0 * elements / dma * 1.45);
  printf("tiles joined over the mesh  %9lu cycles, %5.1f GB/s\n", registers,
         2 * 8.0 * elements / registers * 1.45);
  puts(good ? "values are right" : "values are WRONG");
  return !good;
}
