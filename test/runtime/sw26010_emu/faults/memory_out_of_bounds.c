// RUN: %athread %s -o %t
// RUN: not %run %t 2>&1 | FileCheck %s
// A put past the end of a block of main memory.
#ifndef SLAVE
#include "host.h"
#else
#include <slave.h>

__thread_local double buffer[64];
__thread_local volatile int reply;

void f(double *memory) {
  reply = 0;
  if (_MYID == 5)
    athread_put(PE_MODE, buffer, memory + 64 * 4096 - 8, 128, (void *)&reply, 0, 0);
}
// CHECK: fault [out-of-bounds]: the destination of a put of 128 bytes outside of what was allocated
// CHECK-NEXT: CPE 5 (row 0, column 5), cycle {{[1-9][0-9]*}}, {{.*}}memory_out_of_bounds.c:[[#@LINE-3]]:{{.*}}, in f
// CHECK: allocated at {{.*}}host.h:9
// CHECK-NOT: the program ends
#endif
