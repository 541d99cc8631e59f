// RUN: %athread %s -o %t
// RUN: not %run %t 2>&1 | FileCheck %s
// A get from a null address.
#ifndef SLAVE
#include "host.h"
#else
#include <slave.h>

__thread_local double buffer[64];
__thread_local volatile int reply;

void f(double *memory) {
  reply = 0;
  athread_get(PE_MODE, 0, buffer, 128, (void *)&reply, 0, 0, 0);
}
// CHECK: fault [null-access]: the source of a get of 128 bytes at a null pointer
// CHECK-NEXT: CPE 0 (row 0, column 0), cycle {{[1-9][0-9]*}}, {{.*}}memory_null.c:[[#@LINE-3]]:{{.*}}, in f
// CHECK-NOT: the program ends
#endif
