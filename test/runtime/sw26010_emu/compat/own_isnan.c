// RUN: %athread %s -o %t && %run %t | FileCheck %s
// Programs of a time when math.h had isnan as a function define it themselves.
#include <math.h>
#ifdef SLAVE
#include <slave.h>

inline int isnan(double x) { return x != x; }
static int isinf(double x) { return !isnan(x) && isnan(x - x); }

void look(double *values) {
  double own = values[_MYID];
  values[_MYID] = isnan(own) ? 1 : isinf(own) ? 2 : 0;
}
#else
#include <athread.h>
#include <stdio.h>

double values[64];
extern SLAVE_FUN(look)();

int main() {
  values[5] = 0.0 / 0.0;
  values[6] = 1.0 / 0.0;
  athread_init();
  athread_spawn(look, values);
  athread_join();
  // CHECK: 0 1 2
  printf("%g %g %g\n", values[4], values[5], values[6]);
  athread_halt();
  return 0;
}
#endif
