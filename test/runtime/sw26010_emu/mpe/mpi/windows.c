// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One-sided: a rank puts into its own window, gets from it, and adds to it; each way to open an
// epoch; what is outside of the window or of an epoch.
// RUN: %swcc -host -c %s -o %t.o && %swcc -hybrid %t.o -o %t && %t | FileCheck %s
// RUN: not %t twice 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not %t early 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: not %t late 2>&1 | FileCheck %s --check-prefix=LATE
// RUN: not %t beyond 2>&1 | FileCheck %s --check-prefix=BEYOND
// RUN: not %t rank 2>&1 | FileCheck %s --check-prefix=RANK
// RUN: not %t length 2>&1 | FileCheck %s --check-prefix=LENGTH
// RUN: not %t start 2>&1 | FileCheck %s --check-prefix=START
// RUN: not %t open 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: not %t types 2>&1 | FileCheck %s --check-prefix=TYPES
// RUN: not %t sum 2>&1 | FileCheck %s --check-prefix=SUM
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  const char *fault = argc > 1 ? argv[1] : "";
  double *memory, from[4] = {1, 2, 3, 4}, into[4] = {0}, complex_pair[2] = {0, 1};
  int i, flag;
  short mask[2] = {0x0f0, 0x00f};
  MPI_Datatype column;
  MPI_Group self;
  MPI_Win window, numbers;

  MPI_Init(&argc, &argv);
  MPI_Alloc_mem(12 * sizeof(double), MPI_INFO_NULL, &memory);
  for (i = 0; i < 12; i++)
    memory[i] = 100 + i;
  MPI_Win_create(memory, 12 * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD,
                 &window);
  // EARLY: MPI_Put: outside of an epoch of the window
  if (!strcmp(fault, "early"))
    MPI_Put(from, 4, MPI_DOUBLE, 0, 0, 4, MPI_DOUBLE, window);
  MPI_Type_vector(4, 1, 3, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  MPI_Win_fence(MPI_MODE_NOPRECEDE, window);
  // BEYOND: MPI_Put: bytes 24 to 104 are not in the window
  // BEYOND: expected: 0 to 96
  // RANK: MPI_Get: there is no rank 1
  // LENGTH: MPI_Put: 32 bytes here and 24 in the window
  // TYPES: MPI_Accumulate: elements here and in the window are of several types, or of two
  // SUM: MPI_Accumulate: operation 6 is not known for the type
  if (!strcmp(fault, "beyond"))
    MPI_Put(from, 4, MPI_DOUBLE, 0, 3, 1, column, window);
  if (!strcmp(fault, "rank"))
    MPI_Get(into, 4, MPI_DOUBLE, 1, 0, 4, MPI_DOUBLE, window);
  if (!strcmp(fault, "length"))
    MPI_Put(from, 4, MPI_DOUBLE, 0, 0, 3, MPI_DOUBLE, window);
  if (!strcmp(fault, "types"))
    MPI_Accumulate(from, 4, MPI_DOUBLE, 0, 0, 4, MPI_LONG, MPI_SUM, window);
  if (!strcmp(fault, "sum"))
    MPI_Accumulate(from, 4, MPI_DOUBLE, 0, 0, 4, MPI_DOUBLE, MPI_BAND, window);
  MPI_Put(from, 4, MPI_DOUBLE, 0, 2, 1, column, window);
  MPI_Put(from, 4, MPI_DOUBLE, MPI_PROC_NULL, 0, 4, MPI_DOUBLE, window);
  MPI_Win_fence(0, window);
  MPI_Get(into, 4, MPI_DOUBLE, 0, 4, 4, MPI_DOUBLE, window);
  MPI_Accumulate(from, 2, MPI_DOUBLE, 0, 0, 2, MPI_DOUBLE, MPI_SUM, window);
  MPI_Accumulate(from, 1, MPI_DOUBLE, 0, 3, 1, MPI_DOUBLE, MPI_MAX, window);
  MPI_Accumulate(from, 1, MPI_DOUBLE, 0, 4, 1, MPI_DOUBLE, MPI_MIN, window);
  MPI_Accumulate(from + 1, 1, MPI_DOUBLE, 0, 6, 1, MPI_DOUBLE, MPI_PROD, window);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
  // CHECK: column 1 2 3 4
  // CHECK: got 104 2 106 107
  // CHECK: combined 101 103 103 1 212
  printf("column %g %g %g %g\n", memory[2], memory[5], memory[8], memory[11]);
  printf("got %g %g %g %g\n", into[0], into[1], into[2], into[3]);
  printf("combined %g %g %g %g %g\n", memory[0], memory[1], memory[3], memory[4], memory[6]);
  // LATE: MPI_Get: outside of an epoch of the window
  if (!strcmp(fault, "late"))
    MPI_Get(into, 4, MPI_DOUBLE, 0, 0, 4, MPI_DOUBLE, window);

  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
  memory[0] = 2;
  memory[1] = 3;
  // i times 2 + 3 i
  MPI_Accumulate(complex_pair, 1, MPI_C_DOUBLE_COMPLEX, 0, 0, 1, MPI_C_DOUBLE_COMPLEX, MPI_PROD,
                 window);
  // OPEN: MPI_Win_free: an epoch of the window is open
  // OPEN: expected: MPI_Win_unlock before
  if (!strcmp(fault, "open"))
    MPI_Win_free(&window);
  MPI_Win_unlock(0, window);
  // CHECK: product -3 2
  printf("product %g %g\n", memory[0], memory[1]);

  MPI_Win_get_group(window, &self);
  // START: MPI_Win_start: waits for ever
  // START: expected: MPI_Win_post before
  if (!strcmp(fault, "start"))
    MPI_Win_start(self, 0, window);
  MPI_Win_post(self, 0, window);
  MPI_Win_start(self, 0, window);
  MPI_Win_test(window, &flag);
  MPI_Put(from + 3, 1, MPI_DOUBLE, 0, 0, 1, MPI_DOUBLE, window);
  MPI_Win_complete(window);
  MPI_Win_wait(window);
  // CHECK: posted 4, not before 0
  printf("posted %g, not before %d\n", memory[0], flag);

  MPI_Win_create(mask, sizeof mask, 2, MPI_INFO_NULL, MPI_COMM_WORLD, &numbers);
  MPI_Win_fence(0, numbers);
  {
    short with[2] = {0x0ff, 0x0f0};
    MPI_Accumulate(with, 1, MPI_SHORT, 0, 0, 1, MPI_SHORT, MPI_BXOR, numbers);
    MPI_Accumulate(with + 1, 1, MPI_SHORT, 0, 1, 1, MPI_SHORT, MPI_BOR, numbers);
    MPI_Win_fence(0, numbers);
    // CHECK: bits f ff
    printf("bits %x %x\n", mask[0], mask[1]);
    MPI_Accumulate(with, 2, MPI_SHORT, 0, 0, 2, MPI_SHORT, MPI_LAND, numbers);
    MPI_Win_fence(0, numbers);
    // CHECK: logical 1 1
    printf("logical %d %d\n", mask[0], mask[1]);
  }
  MPI_Win_free(&numbers);
  MPI_Win_free(&window);
  MPI_Free_mem(memory);
  // It is the program's own memory: the same in every run, and looked after.
  // TWICE: fault [double-free]
  // TWICE: allocated at {{.*}}windows.c
  if (!strcmp(fault, "twice"))
    MPI_Free_mem(memory);
  // CHECK: freed 1 1
  printf("freed %d %d\n", window == MPI_WIN_NULL, numbers == MPI_WIN_NULL);
  MPI_Finalize();
  return 0;
}
