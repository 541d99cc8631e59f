// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is carried from turn to turn through memory waits for the store: without optimisation every
// variable is. A sum takes an addition (7 cycles) and the way from the store to the load (5); a
// count 1 and 5. Stores with addresses that are known hold up nobody.
// RUN: %swcc -host -O0 -c %s -o %t.o && %swcc -hybrid %t.o -o %t && %t | FileCheck %s
// RUN: %swcc -host -O2 -c %s -o %t.o && %swcc -hybrid %t.o -o %t
// RUN: %t | FileCheck %s --check-prefix=FAST
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noinline))
enum { N = 1000, TIMES = 100 };

NOINLINE void add(double *sum, const double *v, int n) {
  double all = 0;
  int i;
  for (i = 0; i < n; i++)
    all += v[i];
  *sum = all;
}

NOINLINE void count(long *sum, const double *v, int n) {
  long all = 0;
  int i;
  for (i = 0; i < n; i++)
    all += n ^ i;
  *sum = all;
}

NOINLINE void copy(double *to, const double *from, int n) {
  int i;
  for (i = 0; i < n; i++)
    to[i] = 0.5 * from[i];
}

/* Where a store goes comes from memory: the next turn's loads wait for that. */
NOINLINE void scatter(double *to, const int *where, int n) {
  int i;
  for (i = 0; i < n; i++)
    to[where[i]] = i;
}

int main(int argc, char **argv) {
  double *v = calloc(N, sizeof *v), *to = calloc(N, sizeof *to), sum, time;
  int *where = calloc(N, sizeof *where), i;
  long whole;
  MPI_Init(&argc, &argv);
  for (i = 0; i < N; i++)
    where[i] = i;
#define MEASURE(what, call)                                                                        \
  call;                                                                                            \
  time = MPI_Wtime();                                                                              \
  for (i = 0; i < TIMES; i++)                                                                      \
    call;                                                                                          \
  time = MPI_Wtime() - time;                                                                       \
  printf("%s %.1f\n", what, time * 1.45e9 / (N * TIMES))
  // CHECK: sum 12.
  // FAST: sum 7.0
  MEASURE("sum", add(&sum, v, N));
  // CHECK: count 6.
  // FAST: count {{[01]\.}}
  MEASURE("count", count(&whole, v, N));
  // FAST: copy {{[12]\.}}
  MEASURE("copy", copy(to, v, N));
  // FAST: scatter 6.
  MEASURE("scatter", scatter(to, where, N));
  fprintf(stderr, "%g %ld %g\n", sum, whole, to[7]);
  MPI_Finalize();
  return 0;
}
