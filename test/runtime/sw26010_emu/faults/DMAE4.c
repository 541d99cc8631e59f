// RUN: %athread %s -o %t
// RUN: not %run %t 2>&1 | FileCheck %s
// A transfer in RANK_MODE that goes past the end of LDM.
#ifndef SLAVE
#include "host.h"
#else
#include <slave.h>

__thread_local double buffer[64];
__thread_local volatile int reply;

void f(double *memory) {
  char *high = (char *)buffer + 65536 - 1024;
  reply = 0;
  if (_MYID == 17)
    athread_get(RANK_MODE, memory, high, 8 * 2048, (void *)&reply, 0, 0, 64);
}
// CHECK: fault [DMAE4]: the transfer goes past the end of LDM
// CHECK-NEXT: CPE 17 (row 2, column 1), cycle {{[1-9][0-9]*}}, {{.*}}DMAE4.c:[[#@LINE-3]]:{{.*}}, in f
// CHECK: found: 2048 bytes for each CPE of the row
#endif
