// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Requests that are prepared once and started again and again; tests of several requests; a type
// that is freed while a receive of it waits.
// RUN: %swcc -host -c %s -o %t.o && %swcc -hybrid %t.o -o %t && %t | FileCheck %s
// RUN: not %t twice 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not %t plain 2>&1 | FileCheck %s --check-prefix=PLAIN
// RUN: not %t alone 2>&1 | FileCheck %s --check-prefix=ALONE
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  const char *fault = argc > 1 ? argv[1] : "";
  double halo[2] = {0, 0}, edge[2] = {0, 0}, column[8] = {0}, from[2] = {7, 8};
  MPI_Request all[2], one;
  MPI_Status status, statuses[2];
  MPI_Datatype kind;
  int step, flag, index, count, done, indices[2];

  MPI_Init(&argc, &argv);
  MPI_Recv_init(halo, 2, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD, &all[0]);
  MPI_Send_init(edge, 2, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD, &all[1]);
  // Nothing was started: there is nothing to wait for.
  MPI_Wait(&all[0], &status);
  MPI_Testany(2, all, &index, &flag, &status);
  // CHECK: idle: source -1, flag 1, index -32766
  printf("idle: source %d, flag %d, index %d\n", status.MPI_SOURCE, flag, index);
  for (step = 1; step <= 3; step++) {
    edge[0] = step;
    edge[1] = 10 * step;
    MPI_Startall(2, all);
    MPI_Waitall(2, all, statuses);
    MPI_Get_count(&statuses[0], MPI_DOUBLE, &count);
    // CHECK: step 1: 2 of tag 3, 1 10, kept 1 1
    // CHECK: step 2: 2 of tag 3, 2 20, kept 1 1
    // CHECK: step 3: 2 of tag 3, 3 30, kept 1 1
    printf("step %d: %d of tag %d, %g %g, kept %d %d\n", step, count, statuses[0].MPI_TAG, halo[0],
           halo[1], all[0] != MPI_REQUEST_NULL, all[1] != MPI_REQUEST_NULL);
  }
  // TWICE: MPI_Start: the request was started and not waited for
  // PLAIN: MPI_Start: the request is not a persistent one
  // PLAIN: expected: one of MPI_Send_init or MPI_Recv_init
  // ALONE: MPI_Wait: waits for ever: nobody will send what it waits for (tag 3)
  if (!strcmp(fault, "twice"))
    MPI_Start(&all[0]), MPI_Start(&all[0]);
  if (!strcmp(fault, "plain"))
    MPI_Irecv(halo, 2, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD, &one), MPI_Start(&one);
  if (!strcmp(fault, "alone"))
    MPI_Start(&all[0]), MPI_Wait(&all[0], &status);

  // The receive first: it is there when the other has sent.
  MPI_Start(&all[0]);
  MPI_Testsome(2, all, &done, indices, statuses);
  flag = done;
  MPI_Start(&all[1]);
  MPI_Testsome(2, all, &done, indices, statuses);
  // CHECK: before 0, then 2: 0 1
  printf("before %d, then %d: %d %d\n", flag, done, indices[0], indices[1]);
  MPI_Start(&all[0]);
  MPI_Cancel(&all[0]);
  MPI_Wait(&all[0], &status);
  MPI_Test_cancelled(&status, &flag);
  // CHECK: cancelled 1
  printf("cancelled %d\n", flag);
  MPI_Request_free(&all[0]);
  MPI_Request_free(&all[1]);

  MPI_Type_vector(2, 1, 4, MPI_DOUBLE, &kind);
  MPI_Type_commit(&kind);
  MPI_Irecv(column, 1, kind, 0, 4, MPI_COMM_WORLD, &one);
  MPI_Type_free(&kind);
  MPI_Send(from, 2, MPI_DOUBLE, 0, 4, MPI_COMM_WORLD);
  MPI_Wait(&one, MPI_STATUS_IGNORE);
  // CHECK: freed 1 1, column 7 0 0 0 8
  printf("freed %d %d, column %g %g %g %g %g\n", all[0] == MPI_REQUEST_NULL,
         all[1] == MPI_REQUEST_NULL, column[0], column[1], column[2], column[3], column[4]);
  MPI_Finalize();
  return 0;
}
