// RUN: %athread %s -o %t
// RUN: %run %t 2>&1 | FileCheck %s --check-prefixes=CHECK,ON
// RUN: not env WEFT_EMU_STRICT=1 %run %t 2>&1 | FileCheck %s --check-prefixes=CHECK,STRICT
// LDM is read before the get that fills it is complete.
#ifndef SLAVE
#include "host.h"
#else
#include <slave.h>

__thread_local double buffer[64];
__thread_local volatile int reply;

void f(double *memory) {
  int i;
  double sum = 0;
  if (_MYID != 9)
    return;
  reply = 0;
  athread_get(PE_MODE, memory, buffer, sizeof buffer, (void *)&reply, 0, 0, 0);
  for (i = 0; i < 64; i++)
    sum += buffer[i];
  while (reply != 1)
    ;
  memory[0] = sum;
}
// CHECK: [ldm-under-dma]: LDM is read before the get that fills it is complete: 8 bytes
// CHECK-SAME: buffer
// CHECK-NEXT: CPE 9 (row 1, column 1), cycle {{[1-9][0-9]*}}, {{.*}}read_before_get.c:[[#@LINE-7]]:{{.*}}, in f
// CHECK: the get was given by: CPE 9 (row 1, column 1), cycle {{[1-9][0-9]*}}, {{.*}}read_before_get.c:[[#@LINE-10]]:
// ON: the program ends
// STRICT-NOT: the program ends
#endif
