// RUN: %athread %s -o %t && not %run %t 2>&1 | FileCheck %s
// Code that stands on no line, as compilers make it up, is told by the line before it.
#ifdef SLAVE
#include <slave.h>
void f(void) {}
#else
#include <athread.h>

int main(void) {
  volatile int *nowhere = (volatile int *)16;
  athread_init();
// CHECK: fault [null-access]: a store at a null pointer
// CHECK-NEXT: MPE, cycle {{.*}}place_of_made_up_code.c:[[#@LINE-2]]:3, in main
#line 0
  *nowhere = 1;
  return 0;
}
#endif
