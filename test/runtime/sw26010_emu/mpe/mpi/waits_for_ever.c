// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %swcc -host -c %s -o %t.o && %swcc -hybrid %t.o -o %t && not %t 2>&1 | FileCheck %s
#include <mpi.h>

int main(int argc, char **argv) {
  double x = 1, y;
  MPI_Init(&argc, &argv);
  MPI_Send(&x, 1, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD);
  // CHECK: fault [mpi-error]: MPI_Recv: waits for ever: nobody will send what it waits for (tag 4)
  MPI_Recv(&y, 1, MPI_DOUBLE, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return 0;
}
