// RUN: %athread %s -o %t && not %run %t 2>&1 | FileCheck %s
#ifdef SLAVE
#include <slave.h>

void f(long *out) {
  if (_MYID == 17)
    out[17] = 100 / out[18];
}
// CHECK: fault [division-by-zero]: an integer division by zero, or of the least number by -1
// CHECK-NEXT: CPE 17 (row 2, column 1), cycle {{[1-9][0-9]*}}, {{.*}}division_by_zero.c:[[#@LINE-3]]:{{.*}}, in f
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
