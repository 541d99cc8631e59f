// RUN: %athread %s -o %t
// RUN: not %run %t 2>&1 | FileCheck %s
// The host gives a CPE the address that it has itself of a variable in LDM.
#ifdef SLAVE
#include <slave.h>

__thread_local long number;

void f(long *where) {
  if (_MYID == 3)
    *where = number;
}
// CHECK: fault [ldm-variable-on-host]: a store of 8 bytes at the address that host code has of a __thread_local variable
// CHECK-NEXT: CPE 3 (row 0, column 3), cycle {{[1-9][0-9]*}}, {{.*}}ldm_variable_on_host.c:[[#@LINE-3]]:{{.*}}, in f
// CHECK: found: byte 0 of number, which has 8 bytes
#else
#include <athread.h>

extern long number;
extern void SLAVE_FUN(f)(long *);

int main(void) {
  athread_init();
  athread_spawn(f, &number);
  athread_join();
  return 0;
}
#endif
