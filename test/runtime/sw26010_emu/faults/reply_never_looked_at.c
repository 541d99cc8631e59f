// RUN: %athread %s -o %t
// RUN: %run %t 2>&1 | FileCheck %s --check-prefixes=CHECK,ON
// RUN: not env WEFT_EMU_STRICT=1 %run %t 2>&1 | FileCheck %s
// Five ways to come to know that a transfer is complete, and one that only lasts long enough.
#ifndef SLAVE
#include "host.h"
#else
#include <dma.h>
#include <slave.h>
__thread_local double buffer[64];
__thread_local volatile int reply;
__thread_local int plain;

void f(double *memory) {
  int i;
  reply = plain = 0;
  if (_MYID > 5)
    return;
  if (_MYID == 4) {
    athread_get(PE_MODE, memory, buffer, 512, (void *)&plain, 0, 0, 0);
    dma_wait(&plain, 1);
    return;
  }
  athread_get(PE_MODE, memory, buffer, 512, (void *)&reply, 0, 0, 0);
  if (_MYID == 0)
    while (reply != 1)
      ;
  if (_MYID == 1)
    dma_wait(&reply, 1);
  if (_MYID == 2)
    dma_barrier();
  for (i = 0; i < 1000; i++)
    memory[100 + _MYID] += 1;
  if (_MYID == 3 && reply != 1)
    memory[0] = 1;
}
// CHECK-NOT: reply-never-awaited
// CHECK: [reply-never-awaited]: the function ends and has not looked at the reply of a get that it gave
// CHECK-NEXT: CPE 5 (row 0, column 5), cycle {{[1-9][0-9]*}}, {{.*}}reply_never_looked_at.c:[[#@LINE-15]]:{{.*}}, in f
// CHECK: found: given at cycle {{[1-9][0-9]*}}, complete at cycle {{[1-9][0-9]*}}, reply word LDM offset {{[0-9]+}}, byte 0 of __thread_local reply
// CHECK-NOT: reply-never-awaited
// ON: the program ends
#endif
