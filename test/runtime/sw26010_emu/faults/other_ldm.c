// RUN: %athread %s -o %t && not %run %t 2>&1 | FileCheck %s
// A CPE stores through a pointer into the LDM of another.
#ifdef SLAVE
#include <slave.h>

__thread_local int x[10];

void f(int **where) {
  if (_MYID == 5)
    *where = &x[4];
  athread_syn(ARRAY_SCOPE, 0xffff);
  if (_MYID == 6)
    **where = 4;
}
// CHECK: fault [other-ldm]: a store of 4 bytes in the LDM of another CPE
// CHECK-NEXT: CPE 6 (row 0, column 6), cycle {{[1-9][0-9]*}}, {{.*}}other_ldm.c:[[#@LINE-3]]:13, in f
// CHECK: found: CPE 5 (row 0, column 5)'s LDM offset {{[0-9]+}}, byte 16 of __thread_local x
#else
#include <athread.h>

int *where;
extern void SLAVE_FUN(f)(int **);

int main(void) {
  athread_init();
  athread_spawn(f, &where);
  athread_join();
  return 0;
}
#endif
