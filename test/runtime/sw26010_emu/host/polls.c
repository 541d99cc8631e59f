// clang-format off
// RUN: %athread %s -O0 -o %t && %run %t | FileCheck %s && env WEFT_EMU_FUNCTIONAL=1 %t | FileCheck %s
// RUN: %athread %s -O2 -o %t && %run %t | FileCheck %s && env WEFT_EMU_FUNCTIONAL=1 %t | FileCheck %s
// clang-format on
// Host loops that look at what a CPE sets, and do other work, let the CPEs go on: the host's time
// passes, and what they store is seen soon after.
#ifdef SLAVE
#include <slave.h>

extern volatile long flags[8], go;
extern long plain;
void set(long *unused) {
  if (_MYID != 5)
    return;
  for (int n = 0; n < 8; ++n) {
    for (volatile int wait = 0; wait < 300; ++wait)
      ;
    flags[n] = n + 1;
    while (go != n + 1)
      ;
  }
  plain = 1;
}
#else
#include <athread.h>
#include <sched.h>
#include <stdio.h>
#include <sys/time.h>
#include <unistd.h>

volatile long flags[8], go;
long plain;
extern void SLAVE_FUN(set)(long *);

static long turns[8], counter;
static double work = 1.5;
__attribute__((noinline)) static int is_set(int n) { return flags[n] != 0; }
__attribute__((noinline)) void step(void) { work = work * 1.0000001 + 1e-9; }

int main(void) {
  athread_init();
  athread_spawn(set, 0);
  // A counter.
  while (flags[0] == 0)
    ++turns[0];
  go = 1;
  // A bounded search, left when it is found.
  for (long n = 0; n < 100000000; ++n) {
    if (flags[1])
      break;
    ++turns[1];
  }
  go = 2;
  // The look is in a function.
  while (!is_set(2)) {
    ++turns[2];
    step();
  }
  go = 3;
  // Sleep, the scheduler, a barrier for memory.
  while (!flags[3]) {
    ++turns[3];
    usleep(1);
  }
  go = 4;
  while (!flags[4]) {
    ++turns[4];
    sched_yield();
  }
  go = 5;
  do {
    ++turns[5];
    asm volatile("memb");
  } while (!flags[5]);
  go = 6;
  // The time.
  struct timeval time;
  do {
    gettimeofday(&time, NULL);
    ++turns[6];
  } while (!flags[6]);
  go = 7;
  // A goto, and a call that prints nothing.
again:
  if (!flags[7]) {
    ++turns[7];
    fflush(stdout);
    goto again;
  }
  go = 8;
  athread_join();
  int turned = 1;
  for (int n = 0; n < 8; ++n)
    turned &= turns[n] > 0;
  printf("%d %ld\n", turned, plain); // CHECK: 1 1
  return 0;
}
#endif
