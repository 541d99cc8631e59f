// RUN: %athread %s -o %t
// RUN: not %run %t 2>&1 | FileCheck %s
// The same, where the program waits by itself.
#ifndef SLAVE
#include "host.h"
#else
#include <slave.h>

__thread_local double buffer[64];
__thread_local volatile int reply;

void f(double *memory) {
  if (_MYID != 3)
    return;
  reply = 0;
  athread_get(PE_MODE, memory, buffer, 256, (void *)&reply, 0, 0, 0);
  athread_get(PE_MODE, memory, buffer + 32, 256, (void *)&reply, 0, 0, 0);
  athread_dma_barrier();
  while (reply != 1)
    ;
}
// CHECK: fault [reply-overshoot]: waits for ever: the reply word has passed the value
// CHECK-NEXT: CPE 3 (row 0, column 3), cycle {{[1-9][0-9]*}}, {{.*}}reply_overshoot_spin.c:[[#@LINE-4]]:{{.*}}, in f
// CHECK: expected: 1
// CHECK: found: 2
// CHECK: CPE 3 waits for a change of its LDM
// CHECK: is 2; transfers that counted in it: 2, the last completed: CPE 3 {{.*}}reply_overshoot_spin.c:[[#@LINE-10]]:
#endif
