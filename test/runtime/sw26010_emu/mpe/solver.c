// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sparse lower triangular systems solved by columns, as they were measured on the MPE
// (swSpTRSV, ref_serial): each element's update waits for the address of the one before, each
// column ends in a mispredicted branch. In brackets what was measured.
// RUN: %swcc -host -O2 -c %s -o %t.o && %swcc -hybrid %t.o -o %t && %t | FileCheck %s
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  int n;
  int *begin, *row;
  double *value;
} Columns;

void solve(double *x, const double *right, double *value, int *begin, int *row, int n) {
  int column, k;
  for (column = 0; column < n; column++)
    x[column] = right[column];
  for (column = 0; column < n; column++) {
    x[column] *= value[begin[column]];
    for (k = begin[column] + 1; k < begin[column + 1]; k++)
      x[row[k]] -= value[k] * x[column];
  }
}

/* Below the diagonal each row has what `has` says of its distance. */
static Columns make(int n, int (*has)(int)) {
  Columns m = {n, malloc((n + 1) * sizeof(int)), NULL, NULL};
  int column, below, count = 0;
  for (column = 0; column < n; column++)
    for (below = 0; below < n - column; below++)
      count += has(below);
  m.row = malloc(count * sizeof(int));
  m.value = malloc(count * sizeof(double));
  for (count = column = 0; column < n; column++) {
    m.begin[column] = count;
    for (below = 0; below < n - column; below++)
      if (has(below)) {
        m.row[count] = column + below;
        m.value[count++] = below ? 0.001 : 1;
      }
  }
  m.begin[n] = count;
  return m;
}

static int dense(int below) { return 1; }
static int powers_of_two(int below) { return (below & (below - 1)) == 0; }

static void rate(const char *name, int n, int (*has)(int), int times) {
  Columns m = make(n, has);
  double *x = malloc(n * sizeof(double)), *right = malloc(n * sizeof(double)), time;
  int i;
  for (i = 0; i < n; i++)
    right[i] = 100;
  solve(x, right, m.value, m.begin, m.row, n);
  time = MPI_Wtime();
  for (i = 0; i < times; i++)
    solve(x, right, m.value, m.begin, m.row, n);
  time = (MPI_Wtime() - time) / times;
  printf("%s: %.0f MFlop/s\n", name, (2.0 * m.begin[n] - n) / time * 1e-6);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  // CHECK: bcsstk02 (371): 3{{[4-9][0-9]}}
  rate("bcsstk02 (371)", 66, dense, 10);
  // CHECK: Trefethen_20 (176): 1{{[6-9][0-9]}}
  rate("Trefethen_20 (176)", 20, powers_of_two, 10);
  // CHECK: Trefethen_150 (238): 2{{[2-6][0-9]}}
  rate("Trefethen_150 (238)", 150, powers_of_two, 10);
  // CHECK: Trefethen_2000 (267): 2{{[4-9][0-9]}}
  rate("Trefethen_2000 (267)", 2000, powers_of_two, 3);
  MPI_Finalize();
  return 0;
}
