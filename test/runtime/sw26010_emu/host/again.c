// RUN: %athread %s -o %t && %run %t | FileCheck %s
// The group is given back and taken again: LDM is as linked. Between spawns it keeps its values.
#ifdef SLAVE
#include <slave.h>

__thread_local long count = 10;

void f(long *out) { out[_MYID] = ++count; }
#else
#include <athread.h>
#include <stdio.h>

long out[64];
extern void SLAVE_FUN(f)(long *);

int main(void) {
  int turn, spawn;
  for (turn = 0; turn < 2; turn++) {
    athread_init();
    for (spawn = 0; spawn < 3; spawn++) {
      athread_spawn(f, out);
      athread_join();
    }
    printf("%ld %ld\n", out[0], out[63]);
    athread_halt();
  }
  // CHECK: 13 13
  // CHECK: 13 13
  return 0;
}
#endif
