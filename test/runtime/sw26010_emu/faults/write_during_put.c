// RUN: %athread %s -o %t
// RUN: %run %t 2>&1 | FileCheck %s --check-prefixes=CHECK,ON
// RUN: not env WEFT_EMU_STRICT=1 %run %t 2>&1 | FileCheck %s --check-prefixes=CHECK,STRICT
// LDM is written while a put still sends it.
#ifndef SLAVE
#include "host.h"
#else
#include <slave.h>

__thread_local double buffer[64];
__thread_local volatile int reply;

void f(double *memory) {
  double *first = buffer;
  if (_MYID != 9)
    return;
  reply = 0;
  athread_put(PE_MODE, buffer, memory, sizeof buffer, (void *)&reply, 0, 0);
  first[_COL] = 1;
  while (reply != 1)
    ;
}
// CHECK: [ldm-under-dma]: LDM is written while a put still sends it
// CHECK-NEXT: CPE 9 (row 1, column 1), cycle {{[1-9][0-9]*}}, {{.*}}write_during_put.c:[[#@LINE-5]]:{{.*}}, in f
// CHECK: the put was given by: CPE 9 (row 1, column 1), cycle {{[1-9][0-9]*}}, {{.*}}write_during_put.c:[[#@LINE-7]]:
// ON: the program ends
// STRICT-NOT: the program ends
#endif
