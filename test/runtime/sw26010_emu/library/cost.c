// RUN: %athread %s -o %t && %run %t | FileCheck %s
// Cycles of library functions are those of the machine's table.
#ifdef SLAVE
#include <math.h>
#include <slave.h>
#include <string.h>

__thread_local char a[8192], b[8192];

static unsigned long now(void) {
  unsigned long cycles;
  asm volatile("rcsr %0, 4" : "=r"(cycles)::"memory");
  return cycles;
}

void f(double *out) {
  unsigned long start, copied, computed, twice;
  volatile double x = 0.3;
  double y = x;
  if (_MYID != 0)
    return;
  /* The second time its code is in the instruction cache. */
  for (int turn = 0; turn < 2; ++turn) {
    y = x;
    start = now();
    memcpy(a, b, 8000);
    copied = now();
    y = exp(y) + exp(y) + exp(y) + exp(y);
    computed = now();
    y = exp(y) + exp(y) + exp(y) + exp(y) + exp(y) + exp(y) + exp(y) + exp(y);
    twice = now();
    out[3] = y;
    out[0] = copied - start;
    out[1] = (twice - computed) - (computed - copied);
  }
}
#else
#include <athread.h>
#include <stdio.h>

double out[4];
extern void SLAVE_FUN(f)(double *);

int main(void) {
  athread_init();
  athread_spawn(f, out);
  athread_join();
  // A thousand times eight bytes, two cycles each, and the call.
  // CHECK: {{^}}20{{[0-4][0-9]}} cycles, 1
  // Eight exponentials of 150 more than four, with their additions.
  printf("%g cycles, %d\n", out[0], out[1] >= 600 && out[1] < 750);
  athread_halt();
  return 0;
}
#endif
