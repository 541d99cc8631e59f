// RUN: %athread %s -o %t && not %run %t 2>&1 | FileCheck %s
// RUN: %t
// An array that fits on the stack in main memory, and not beside what else is in LDM (-b).
#ifdef SLAVE
#include <slave.h>

__thread_local double table[2000];

__attribute__((noinline)) void use(volatile double *array, int at) { array[at] = table[at % 2000]; }
void f(long *out) {
  volatile double array[6500];
  use(array, 6499 - (int)out[_MYID]);
  out[_MYID] = (long)array[6499];
}
// CHECK: fault [stack-overflow]: the arrays and variables of this function do not fit
// CHECK-NEXT: CPE 0 {{.*}}slave_stack_overflow.c:{{[0-9]+}}:{{.*}}in f
// CHECK: found: {{520[0-9][0-9]}} bytes
#else
#include <athread.h>

long out[64];
extern void SLAVE_FUN(f)(long *);

int main(void) {
  athread_init();
  athread_spawn(f, out);
  athread_join();
  return 0;
}
#endif
