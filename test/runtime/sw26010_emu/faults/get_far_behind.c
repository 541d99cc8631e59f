// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %athread %s -o %t
// RUN: %run %t 2>&1 | FileCheck %s
// RUN: not env WEFT_EMU_LDM_STACK=1 WEFT_EMU_STRICT=1 %t 2>&1 | FileCheck %s --check-prefix=STRICT
// Gets of what lies far behind a block: the machine reads it, and so does the emulator, zeros where
// nothing is. What was freed, or never was memory, stays a fault.
// RUN: %athread -DFREED %s -o %t && not %run %t 2>&1 | FileCheck %s --check-prefix=FREED
#ifdef SLAVE
#include <slave.h>

__thread_local double part[64];

void f(double *numbers) {
  volatile int reply = 0;
  int i;
  if (_MYID != 63)
    return;
  for (i = 0; i < 64; i++)
    part[i] = 5;
  // 50 of the block's and, 169 KB behind, where no page is, 8 in two blocks of 4.
  athread_get(PE_MODE, numbers, part, 50 * 8, (void *)&reply, 0, 0, 0);
  athread_get(PE_MODE, numbers + 131072 + 21632, part + 50, 8 * 8, (void *)&reply, 0, 8000, 32);
  while (reply != 2)
    ;
  for (i = 50; i < 58; i++)
    part[0] += part[i] * 1000;
  numbers[0] = part[0] + part[58];
}
#else
#include <athread.h>
#include <stdio.h>
#include <stdlib.h>

extern SLAVE_FUN(f)();

int main() {
  double *numbers = malloc(131072 * sizeof(double));
  numbers[0] = 3;
#ifdef FREED
  free(numbers);
#endif
  athread_init();
  athread_spawn(f, numbers);
  athread_join();
  printf("%g\n", numbers[0]);
  athread_halt();
  return 0;
}
#endif
// clang-format off
// CHECK: hazard [read-past-end]: the source of a get of 32 bytes outside of what was allocated
// CHECK-NEXT: CPE 63 (row 7, column 7), cycle {{[1-9][0-9]*}}, {{.*}}get_far_behind.c:22:{{.*}}, in f
// CHECK: found: 173056 bytes after the end of a block of 1048576 bytes, allocated at {{.*}}get_far_behind.c:37
// CHECK: {{^}}8{{$}}
// STRICT: fault [read-past-end]
// FREED: fault [freed-memory]
