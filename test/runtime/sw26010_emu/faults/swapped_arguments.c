// RUN: %athread %s -o %t
// RUN: not %run %t 2>&1 | FileCheck %s
// athread_put's arguments in the order of athread_get's.
#ifndef SLAVE
#include "host.h"
#else
#include <slave.h>

__thread_local double buffer[64];
__thread_local volatile int reply;

void f(double *memory) {
  reply = 0;
  athread_put(PE_MODE, memory, buffer, sizeof buffer, (void *)&reply, 0, 0);
}
// CHECK: fault [dma-not-in-ldm]: athread_put's LDM side is not in the CPE's LDM
// CHECK-NEXT: CPE 0 (row 0, column 0), cycle {{[1-9][0-9]*}}, {{.*}}swapped_arguments.c:[[#@LINE-3]]:{{.*}}, in f
#endif
