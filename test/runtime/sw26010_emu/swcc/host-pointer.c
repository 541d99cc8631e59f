// RUN: %athread %s -o %t && not %run %t 2>&1 | FileCheck %s
// The address of a host function, called on a CPE.
#ifdef SLAVE
#include <slave.h>
void f(int (**call)(int)) {
  if (_MYID == 9)
    // CHECK: fault [call-of-host-code]: a CPE calls the host function
    // CHECK-NEXT: CPE 9 {{.*}}host-pointer.c:[[#@LINE+1]]:
    (*call)(3);
}
#else
#include <athread.h>
#include <stdio.h>
int (*call)(int) = putchar;
extern void SLAVE_FUN(f)(void *);
int main(void) {
  athread_init();
  athread_spawn(f, &call);
  athread_join();
}
#endif
