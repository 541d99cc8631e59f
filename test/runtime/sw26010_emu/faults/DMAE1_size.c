// RUN: %athread %s -o %t
// RUN: not %run %t 2>&1 | FileCheck %s
// A transfer of no bytes.
#ifndef SLAVE
#include "host.h"
#else
#include <slave.h>

__thread_local double buffer[64];
__thread_local volatile int reply;

void f(double *memory) {
  reply = 0;
  athread_put(PE_MODE, buffer, memory, 64 * (_MYID - 1), (void *)&reply, 0, 0);
}
// CHECK: fault [DMAE1]: put in PE_MODE: size out of range
// CHECK-NEXT: CPE 0 (row 0, column 0), cycle {{[1-9][0-9]*}}, {{.*}}DMAE1_size.c:[[#@LINE-3]]:{{.*}}, in f
// CHECK: found: -64 bytes
#endif
