// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A vector is summed again and again: near in the first cache, then in the second, then streamed
// from memory; and elements far apart cost far more than neighbours.
// RUN: %swcc -host -O2 -c %s -o %t.o && %swcc -hybrid %t.o -o %t && %t | FileCheck %s
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static volatile double sink;

static double cycles_an_element(const double *v, long n, long step, int rounds) {
  double sum[4] = {0, 0, 0, 0}, time;
  long i, r, total = 0;
  time = MPI_Wtime();
  for (r = -1; r < rounds; r++) {
    if (r == 0) /* caches are warm */
      time = MPI_Wtime(), total = 0;
    for (i = 0; i < n; i += 4 * step, total += 4) {
      sum[0] += v[i];
      sum[1] += v[i + step];
      sum[2] += v[i + 2 * step];
      sum[3] += v[i + 3 * step];
    }
  }
  time = MPI_Wtime() - time;
  sink = sum[0] + sum[1] + sum[2] + sum[3];
  return time * 1.45e9 / total;
}

int main(int argc, char **argv) {
  enum { MOST = 1 << 22 };
  double *volatile hidden = calloc(MOST, sizeof(double));
  double *v = hidden; /* of unknown contents */
  double first, second, memory, scattered;
  MPI_Init(&argc, &argv);
  first = cycles_an_element(v, 2048, 1, 8);      /* 16 KB */
  second = cycles_an_element(v, 1 << 14, 1, 8);  /* 128 KB */
  memory = cycles_an_element(v, 1 << 20, 1, 2);  /* 8 MB */
  scattered = cycles_an_element(v, MOST, 64, 2); /* a line in four */
  // Four chains of sums: 7 / 4 cycles an element is the least.
  // CHECK: first cache 1.{{[789]}}
  printf("first cache %.2f\n", first);
  // 16 elements a line: 6 cycles a line more.
  // CHECK: second cache adds 0.4
  printf("second cache adds %.1f\n", second - first);
  // 115 cycles a line.
  // CHECK: memory adds {{6.[89]|7.[0-4]}}
  printf("memory adds %.1f\n", memory - first);
  // 130 cycles a line, and pages.
  // CHECK: scattered adds 1{{[3-5][0-9]}}
  printf("scattered adds %.0f\n", scattered - first);
  return 0;
}
