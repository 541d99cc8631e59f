// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements packed by hand, and parts of arrays in both orders.
// RUN: %swcc -host -c %s -o %t.o && %swcc -hybrid %t.o -o %t && %t | FileCheck %s
// RUN: not %t full 2>&1 | FileCheck %s --check-prefix=FULL
// RUN: not %t outside 2>&1 | FileCheck %s --check-prefix=OUTSIDE
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  const char *fault = argc > 1 ? argv[1] : "";
  int cube[4][5][6], got[12], back[4][5][6], at[3], sizes[] = {4, 5, 6}, parts[] = {2, 2, 3};
  int starts[] = {1, 2, 3}, fortran[] = {6, 5, 4}, fortran_parts[] = {3, 2, 2};
  int fortran_starts[] = {3, 2, 1}, position = 0, bytes, i, same = 1, blocks[] = {0, 5};
  long far[] = {0, 40};
  char buffer[40], text[4] = "";
  double x = 2.5, y = 0;
  MPI_Datatype part, other, some;
  MPI_Aint lower, extent, true_lower, true_extent;

  MPI_Init(&argc, &argv);
  MPI_Pack_size(3, MPI_DOUBLE, MPI_COMM_WORLD, &bytes);
  MPI_Pack(&x, 1, MPI_DOUBLE, buffer, 40, &position, MPI_COMM_WORLD);
  MPI_Pack("abc", 4, MPI_CHAR, buffer, 40, &position, MPI_COMM_WORLD);
  // FULL: MPI_Pack: 480 bytes from position 12 go past the end of the buffer
  // FULL: expected: at most 28 bytes
  if (!strcmp(fault, "full"))
    MPI_Pack(cube, 120, MPI_INT, buffer, 40, &position, MPI_COMM_WORLD);
  MPI_Send(buffer, position, MPI_PACKED, 0, 1, MPI_COMM_WORLD);
  // CHECK: 24 bytes at most, 12 packed
  printf("%d bytes at most, %d packed\n", bytes, position);
  memset(buffer, 0, sizeof buffer);
  MPI_Recv(buffer, 40, MPI_PACKED, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  position = 0;
  MPI_Unpack(buffer, 40, &position, &y, 1, MPI_DOUBLE, MPI_COMM_WORLD);
  MPI_Unpack(buffer, 40, &position, text, 4, MPI_CHAR, MPI_COMM_WORLD);
  // CHECK: 2.5 abc, at 12
  printf("%g %s, at %d\n", y, text, position);

  // Numbers say where they stand.
  for (i = 0; i < 120; i++)
    (&cube[0][0][0])[i] = 100 * (i / 30) + 10 * (i / 6 % 5) + i % 6;
  // OUTSIDE: MPI_Type_create_subarray: dimension 1 takes 2 from 4 on
  // OUTSIDE: expected: at least 1, within 5
  if (!strcmp(fault, "outside"))
    starts[1] = 4;
  MPI_Type_create_subarray(3, sizes, parts, starts, MPI_ORDER_C, MPI_INT, &part);
  MPI_Type_create_subarray(3, fortran, fortran_parts, fortran_starts, MPI_ORDER_FORTRAN, MPI_INT,
                           &other);
  MPI_Type_commit(&part);
  MPI_Type_commit(&other);
  MPI_Type_get_extent(part, &lower, &extent);
  MPI_Type_get_true_extent(part, &true_lower, &true_extent);
  // CHECK: extent 0 480, of numbers 180 156
  printf("extent %ld %ld, of numbers %ld %ld\n", lower, extent, true_lower, true_extent);
  MPI_Sendrecv(cube, 1, part, 0, 2, got, 12, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  // CHECK: 123 124 125 133 134 135 223 224 225 233 234 235
  for (i = 0; i < 12; i++)
    printf("%d%c", got[i], i == 11 ? '\n' : ' ');
  memset(back, 0, sizeof back);
  MPI_Sendrecv(got, 12, MPI_INT, 0, 3, back, 1, other, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (at[0] = 0; at[0] < 4; at[0]++)
    for (at[1] = 0; at[1] < 5; at[1]++)
      for (at[2] = 0; at[2] < 6; at[2]++) {
        int inside = 1;
        for (i = 0; i < 3; i++)
          inside &= at[i] >= starts[i] && at[i] < starts[i] + parts[i];
        same &= back[at[0]][at[1]][at[2]] == (inside ? cube[at[0]][at[1]][at[2]] : 0);
      }
  // CHECK: both orders 1
  printf("both orders %d\n", same);

  MPI_Type_create_indexed_block(2, 2, blocks, MPI_INT, &some);
  MPI_Sendrecv(cube, 1, some, 0, 4, got, 4, MPI_INT, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  // CHECK: blocks 0 1 5 10
  printf("blocks %d %d %d %d\n", got[0], got[1], got[2], got[3]);
  MPI_Type_free(&some);
  blocks[0] = blocks[1] = 1;
  MPI_Type_create_hindexed(2, blocks, far, MPI_INT, &some);
  MPI_Type_dup(some, &other);
  MPI_Sendrecv(cube, 1, other, 0, 5, got, 2, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Type_ub(some, &extent);
  // CHECK: far 0 14, up to 44
  printf("far %d %d, up to %ld\n", got[0], got[1], extent);
  MPI_Finalize();
  return 0;
}
