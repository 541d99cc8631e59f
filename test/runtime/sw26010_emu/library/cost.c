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
  unsigned long start, copied, computed;
  volatile double x = 0.3;
  double y = x;
  if (_MYID != 0)
    return;
  start = now();
  memcpy(a, b, 8000);
  copied = now();
  out[3] = exp(y) + exp(y + 1) + exp(y + 2) + exp(y + 3);
  computed = now();
  out[0] = copied - start;
  out[1] = computed - copied;
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
  // A thousand times eight bytes, two cycles each, and the call. Four exponentials; adding them and
  // storing the sum to main memory is less than another.
  // CHECK: {{^}}20{{[0-4][0-9]}} cycles, 4 exponentials
  printf("%g cycles, %d exponentials\n", out[0], (int)(out[1] / 150));
  athread_halt();
  return 0;
}
#endif
