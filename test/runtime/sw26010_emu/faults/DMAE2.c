// RUN: %athread %s -o %t
// RUN: %run %t 2>&1 | FileCheck %s --check-prefixes=CHECK,ON
// RUN: not env WEFT_EMU_STRICT=1 %run %t 2>&1 | FileCheck %s --check-prefixes=CHECK,STRICT
// A stride without the size of blocks.
#ifndef SLAVE
#include "host.h"
#else
#include <slave.h>

__thread_local double buffer[64];
__thread_local volatile int reply;

void f(double *memory) {
  if (_MYID != 1)
    return;
  reply = 0;
  athread_get(PE_MODE, memory, buffer, 512, (void *)&reply, 0, 64, 0);
  while (reply != 1)
    ;
}
// CHECK: [DMAE2]: get in PE_MODE: a stride without bsize
// CHECK-NEXT: CPE 1 (row 0, column 1), cycle {{[1-9][0-9]*}}, {{.*}}DMAE2.c:[[#@LINE-5]]:{{.*}}, in f
// CHECK: found: stride 64, bsize 0
// ON: the program ends
// STRICT-NOT: the program ends
#endif
