// RUN: %athread %s -o %t
// RUN: not %run %t 2>&1 | FileCheck %s
// A mode whose distribution is not documented.
#ifndef SLAVE
#include "host.h"
#else
#include <slave.h>

__thread_local double buffer[64];
__thread_local volatile int reply;

void f(double *memory) {
  reply = 0;
  athread_get(ROW_MODE, memory, buffer, 512, (void *)&reply, 0, 0, 0);
}
// CHECK: fault [dma-not-documented]: get in ROW_MODE: how this mode deals bytes over the CPEs is not documented
// CHECK-NEXT: CPE 0 (row 0, column 0), cycle {{[1-9][0-9]*}}, {{.*}}row_mode.c:[[#@LINE-3]]:{{.*}}, in f
// CHECK: expected: PE_MODE, BCAST_MODE or RANK_MODE
#endif
