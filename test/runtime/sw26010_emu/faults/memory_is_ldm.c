// RUN: %athread %s -o %t
// RUN: not %run %t 2>&1 | FileCheck %s
// An atomic update of a counter that lies in LDM.
#ifndef SLAVE
#include "host.h"
#else
#include <slave.h>

__thread_local int counter;

void f(double *memory) {
  if (_MYID == 11)
    memory[0] = faaw(&counter);
}
// CHECK: fault [memory-is-ldm]: an atomic update of 4 bytes that must be in main memory and is in LDM
// CHECK-NEXT: CPE 11 (row 1, column 3), cycle {{[1-9][0-9]*}}, {{.*}}memory_is_ldm.c:[[#@LINE-3]]:{{.*}}, in f
// CHECK: found: CPE 11 (row 1, column 3)'s LDM offset {{[0-9]+}}, byte 0 of __thread_local counter
#endif
