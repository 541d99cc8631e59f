// RUN: %athread %s -o %t && %run %t | FileCheck %s
// RUN: env WEFT_EMU_FUNCTIONAL=1 %t | FileCheck %s
// A CPE that works on in main memory until the MPE tells it to stop, which sees how far it is:
// with and without timing both get their turns.
#ifdef SLAVE
#include <slave.h>

extern volatile long steps, stop;

void work() {
  if (_MYID != 5)
    return;
  while (!stop)
    steps++;
}
#else
#include <athread.h>
#include <stdio.h>

volatile long steps, stop;
extern SLAVE_FUN(work)();

int main(void) {
  long other = 0;
  athread_init();
  athread_spawn(work, 0);
  while (steps < 100)
    other++;
  stop = 1;
  athread_join();
  printf("%d %d\n", steps >= 100, other > 0);
  // CHECK: 1 1
  athread_halt();
  return 0;
}
#endif
