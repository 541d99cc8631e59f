// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One rank talks to itself: messages by tag, in order; types with gaps; collectives are copies.
// RUN: %swcc -host -c %s -o %t.o && %swcc -hybrid %t.o -o %t && %t | FileCheck %s
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int rank, size, count, flag, got[4] = {0, 0, 0, 0}, sent[4] = {1, 2, 3, 4}, i;
  double matrix[4][4], column[4], sum, all[2] = {0, 0};
  MPI_Datatype kind;
  MPI_Request requests[2];
  MPI_Status status;
  MPI_Comm half;

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  // CHECK: rank 0 of 1
  printf("rank %d of %d\n", rank, size);

  // The second message is asked for first.
  MPI_Send(sent, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
  MPI_Send(sent + 1, 2, MPI_INT, 0, 6, MPI_COMM_WORLD);
  MPI_Recv(got, 4, MPI_INT, MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, MPI_INT, &count);
  // CHECK: tag 6 from 0: 2 numbers, 2 3
  printf("tag %d from %d: %d numbers, %d %d\n", status.MPI_TAG, status.MPI_SOURCE, count, got[0],
         got[1]);
  MPI_Iprobe(0, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status);
  // CHECK: waiting 1, tag 5
  printf("waiting %d, tag %d\n", flag, status.MPI_TAG);
  MPI_Recv(got, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  // CHECK: then 1
  printf("then %d\n", got[0]);

  // A receive that was posted before its message; a column of a matrix.
  for (i = 0; i < 16; i++)
    matrix[i / 4][i % 4] = i;
  MPI_Type_vector(4, 1, 4, MPI_DOUBLE, &kind);
  MPI_Type_commit(&kind);
  MPI_Irecv(column, 4, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
  MPI_Isend(&matrix[0][2], 1, kind, 0, 1, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Type_free(&kind);
  // CHECK: before 0, column 2 6 10 14, requests 0 0
  printf("before %d, column %g %g %g %g, requests %d %d\n", flag, column[0], column[1], column[2],
         column[3], requests[0] != MPI_REQUEST_NULL, requests[1] != MPI_REQUEST_NULL);

  sum = 2.5;
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allgather(&sum, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, MPI_COMM_WORLD);
  MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &half);
  MPI_Comm_size(half, &size);
  // CHECK: sum 2.5, all 2.5, half of 1
  printf("sum %g, all %g, half of %d\n", sum, all[0], size);
  MPI_Finalize();
  return 0;
}
