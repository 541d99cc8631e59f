/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* STREAM through DMA: the MPE's half. Usage: stream [bytes a transfer [block bytes, gap bytes]] */
#include <athread.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

#include "stream.h"

extern void SLAVE_FUN(run_stream)(struct stream *);

static double seconds(void) {
  struct timeval now;
  gettimeofday(&now, NULL);
  return now.tv_sec + now.tv_usec * 1e-6;
}

static const char *const names[KERNELS] = {"Copy", "Scale", "Add", "Triad"};
static const int arrays[KERNELS] = {2, 2, 3, 3};

/* What each kernel must leave in its destination where data is, and in the gaps. */
static int check(long elements, const double *out, const double *expected) {
  long wrong = 0, i;
  for (i = 0; i < elements; i++)
    if (out[i] != expected[i] && wrong++ < 3)
      printf("  element %ld is %g, expected %g\n", i, out[i], expected[i]);
  return wrong == 0;
}

int main(int argc, char **argv) {
  struct stream s;
  long bytes = argc > 1 ? atol(argv[1]) : 8192;
  long chunks, elements, i;
  int kernel, good = 1;
  double *expected;

  s.block = argc == 4 ? atoi(argv[2]) : 0;
  s.gap = argc == 4 ? atoi(argv[3]) : 0;
  if (argc == 3 || argc > 4 || bytes < 8 || bytes % 8 || bytes > 8 * BUFFER ||
      (argc == 4 && (s.block < 8 || s.block % 8 || s.gap < 0 || s.gap % 8 || bytes % s.block))) {
    fprintf(stderr,
            "usage: stream [bytes a transfer, at most %d [block, gap]], multiples of 8, the bytes "
            "also of the block\n",
            8 * BUFFER);
    return 2;
  }
  s.chunk = bytes / 8;
  /* About half a megabyte a CPE and array, at least 16 transfers. */
  chunks = (1 << 19) / bytes;
  chunks = chunks < 16 ? 16 : chunks > 1024 ? 1024 : chunks;
  s.per_core = chunks * s.chunk;
  s.scalar = 3.0;
  elements = CORES * s.per_core;
  if (s.block)
    elements = elements / (s.block / 8) * ((s.block + s.gap) / 8);

  s.a = malloc(elements * sizeof(double));
  s.b = malloc(elements * sizeof(double));
  s.c = malloc(elements * sizeof(double));
  expected = malloc(elements * sizeof(double));
  if (!s.a || !s.b || !s.c || !expected) {
    fprintf(stderr, "stream: no memory for %ld elements\n", elements);
    return 1;
  }

  athread_init();
  printf("%ld bytes a transfer", bytes);
  if (s.block)
    printf(" in blocks of %d with gaps of %d", s.block, s.gap);
  printf(", %ld transfers a core and array\n", chunks);
  for (kernel = COPY; kernel < KERNELS; kernel++) {
    double start, time;
    for (i = 0; i < elements; i++) {
      int in_block = !s.block || i * 8 % (s.block + s.gap) < s.block;
      s.a[i] = 1.0 + i % 97;
      s.b[i] = 2.0 + i % 89;
      s.c[i] = -1.0;
      expected[i] = !in_block         ? -1.0
                    : kernel == COPY  ? s.a[i]
                    : kernel == SCALE ? s.scalar * s.a[i]
                    : kernel == ADD   ? s.a[i] + s.b[i]
                                      : s.a[i] + s.scalar * s.b[i];
    }
    s.kernel = kernel;
    start = seconds();
    athread_spawn(run_stream, &s);
    athread_join();
    time = seconds() - start;
    printf("%-6s %9.1f MB/s  %8.1f us\n", names[kernel],
           arrays[kernel] * 8.0 * CORES * s.per_core / time * 1e-6, time * 1e6);
    good &= check(elements, s.c, expected);
  }
  athread_halt();
  puts(good ? "values are right" : "values are WRONG");
  return !good;
}
