// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %swcc -host -c %s -o %t.o && %swcc -hybrid %t.o -o %t && not %t 2>&1 | FileCheck %s
#include <mpi.h>

int main(int argc, char **argv) {
  double x = 1;
  MPI_Init(&argc, &argv);
  // CHECK: fault [mpi-error]: MPI_Send: there is no rank 1
  // CHECK: MPE, cycle {{[0-9]+}}
  // CHECK: expected: rank 0
  // CHECK: help: one core group is one rank
  MPI_Send(&x, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
  return 0;
}
