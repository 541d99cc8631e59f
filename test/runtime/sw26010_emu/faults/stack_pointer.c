// RUN: %athread %s -o %t
// RUN: not %run %t 2>&1 | FileCheck %s
// Inline assembly takes the stack pointer for something else and does not put it back.
#ifndef SLAVE
#include "host.h"
#else
#include <slave.h>

void f(double *memory) {
  if (_MYID == 9)
    asm volatile("addl $sp, 64, $sp");
}
// CHECK: fault [stack-pointer]: inline assembly ends with another stack pointer than it began with
// CHECK-NEXT: CPE 9 (row 1, column 1), cycle {{[1-9][0-9]*}}, {{.*}}stack_pointer.c:[[#@LINE-3]]:{{.*}}, in f
#endif
