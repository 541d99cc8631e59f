// RUN: %athread %s -o %t
// RUN: %run %t 2>&1 | FileCheck %s
// RUN: not env WEFT_EMU_LDM_STACK=1 WEFT_EMU_STRICT=1 %t 2>&1 | FileCheck %s --check-prefix=STRICT
// A get that takes a word more than the block has: the machine goes on, and so does the emulator.
#ifdef SLAVE
#include <slave.h>

__thread_local int part[18];

void f(int *numbers) {
  volatile int reply = 0;
  if (_MYID != 9)
    return;
  athread_get(PE_MODE, numbers + 1, part, 14 * sizeof(int), (void *)&reply, 0, 0, 0);
  while (reply != 1)
    ;
  numbers[0] = part[12];
}
#else
#include <athread.h>
#include <stdio.h>
#include <stdlib.h>

extern SLAVE_FUN(f)();

int main() {
  int i, *numbers = malloc(14 * sizeof(int));
  for (i = 0; i < 14; i++)
    numbers[i] = 10 * i;
  athread_init();
  athread_spawn(f, numbers);
  athread_join();
  printf("%d\n", numbers[0]);
  athread_halt();
  return 0;
}
#endif
// clang-format off
// CHECK: hazard [read-past-end]: the source of a get of 56 bytes outside of what was allocated
// CHECK-NEXT: CPE 9 (row 1, column 1), cycle {{[1-9][0-9]*}}, {{.*}}read_past_end.c:14:{{.*}}, in f
// CHECK: found: byte 4 of a block of 56 bytes, allocated at {{.*}}read_past_end.c:27
// CHECK: 130
// STRICT: fault [read-past-end]
// STRICT-NOT: 130
