// RUN: %athread %s -o %t
// RUN: not %run %t 2>&1 | FileCheck %s
// Two transfers count in a reply word, and dma_wait waits for one.
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
  athread_get(PE_MODE, memory, buffer, 256, (void *)&reply, 0, 0, 0);
  athread_get(PE_MODE, memory, buffer + 32, 256, (void *)&reply, 0, 0, 0);
  dma_barrier();
  dma_wait(&reply, 1);
}
// CHECK: fault [reply-overshoot]: waits for ever: the reply word has passed the value
// CHECK-NEXT: CPE 3 (row 0, column 3), cycle {{[1-9][0-9]*}}, {{.*}}reply_overshoot.c:[[#@LINE-3]]:{{.*}}, in f
// CHECK: expected: 1
// CHECK: found: 2
// CHECK: transfers that counted in it: 2, the last completed: CPE 3 {{.*}}reply_overshoot.c:[[#@LINE-8]]:
#endif
