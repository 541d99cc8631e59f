// RUN: %athread %s -o %t && %run %t | FileCheck %s && env WEFT_EMU_FUNCTIONAL=1 %t | FileCheck %s
// Asking whether a group has ended: while it runs, and long after its end.
#ifdef SLAVE
#include <slave.h>

void square(double *values) { values[_MYID] *= values[_MYID]; }
#else
#include <athread.h>
#include <errno.h>
#include <stdio.h>

extern void SLAVE_FUN(square)(double *);

static double values[64];
static volatile double work = 1;

int main(void) {
  int i;
  athread_init();
  for (i = 0; i < 64; i++)
    values[i] = i;
  athread_spawn_group(0x7e, square, values);
  while (athread_try_join_group(0x7e) == -EAGAIN)
    ;
  printf("%g %g\n", values[6], values[7]);
  // CHECK: {{^}}36 7
  athread_spawn_group(0x7e0000, square, values);
  for (i = 0; i < 100000; i++)
    work = work * 1.0000001 + 1e-9;
  printf("%d %g\n", athread_try_join_group(0x7e0000), values[17]);
  // CHECK: {{^}}0 289
  printf("%d\n", athread_try_join_group(0x7e0000) == -EINVAL);
  // CHECK: {{^}}1
  athread_halt();
  return 0;
}
#endif
