// RUN: %athread %s -o %t
// RUN: not %run %t 2>&1 | FileCheck %s
// dma_wait for more replies than were asked for.
#ifndef SLAVE
#include "host.h"
#else
#include <dma.h>
#include <slave.h>

__thread_local double buffer[64];
__thread_local volatile int reply;

void f(double *memory) {
  if (_MYID != 3)
    return;
  reply = 0;
  athread_get(PE_MODE, memory, buffer, 512, (void *)&reply, 0, 0, 0);
  dma_wait(&reply, 2);
}
// CHECK: fault [reply-missing]: waits for ever: no transfer will count in the reply word
// CHECK-NEXT: CPE 3 (row 0, column 3), cycle {{[1-9][0-9]*}}, {{.*}}reply_missing.c:[[#@LINE-3]]:{{.*}}, in f
// CHECK: found: 1
#endif
