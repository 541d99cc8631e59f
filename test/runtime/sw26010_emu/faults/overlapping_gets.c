// RUN: %athread %s -o %t
// RUN: %run %t 2>&1 | FileCheck %s --check-prefixes=CHECK,ON
// RUN: not env WEFT_EMU_STRICT=1 %run %t 2>&1 | FileCheck %s --check-prefixes=CHECK,STRICT
// Two gets fill the same LDM.
#ifndef SLAVE
#include "host.h"
#else
#include <slave.h>

__thread_local double buffer[64];
__thread_local volatile int reply;

void f(double *memory) {
  if (_MYID != 63)
    return;
  reply = 0;
  athread_get(PE_MODE, memory, buffer, 256, (void *)&reply, 0, 0, 0);
  athread_get(PE_MODE, memory + 64, buffer + 16, 256, (void *)&reply, 0, 0, 0);
  while (reply != 2)
    ;
}
// CHECK: [dma-overlap]: two gets fill the same LDM at the same time: 128 bytes at LDM offset
// CHECK-NEXT: CPE 63 (row 7, column 7), cycle {{[1-9][0-9]*}}, {{.*}}overlapping_gets.c:[[#@LINE-5]]:{{.*}}, in f
// CHECK: the get under way was given by: CPE 63 (row 7, column 7), cycle {{[1-9][0-9]*}}, {{.*}}overlapping_gets.c:[[#@LINE-7]]:
// ON: the program ends
// STRICT-NOT: the program ends
#endif
