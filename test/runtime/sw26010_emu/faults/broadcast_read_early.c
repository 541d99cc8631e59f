// RUN: %athread %s -o %t
// RUN: %run %t 2>&1 | FileCheck %s --check-prefixes=CHECK,ON
// RUN: not env WEFT_EMU_STRICT=1 %run %t 2>&1 | FileCheck %s --check-prefixes=CHECK,STRICT
// A CPE reads what another broadcasts, and has not waited for it.
#ifndef SLAVE
#include "host.h"
#else
#include <slave.h>

__thread_local double table[3072];
__thread_local volatile int reply;

void f(double *memory) {
  double sum = 0;
  int i;
  if (_MYID == 0) {
    reply = 0;
    athread_get(BCAST_MODE, memory, table, sizeof table, (void *)&reply, 0xff, 0, 0);
    while (reply != 1)
      ;
  }
  if (_MYID == 8) {
    sum = memory[1] + memory[200] + memory[400] + memory[600]; /* it takes its time */
    for (i = 0; i < 512; i++)
      sum += table[i];
  }
  athread_syn(ARRAY_SCOPE, 0xffff);
  memory[4096 * _MYID] = table[3] + sum;
}
// CHECK: [ldm-under-dma]: LDM is read before the get that fills it is complete: 8 bytes
// CHECK-SAME: table
// CHECK-NEXT: CPE 8 (row 1, column 0), cycle {{[1-9][0-9]*}}, {{.*}}broadcast_read_early.c:[[#@LINE-7]]:{{.*}}, in f
// CHECK: the get was given by: CPE 0 (row 0, column 0), cycle {{[1-9][0-9]*}}, {{.*}}broadcast_read_early.c:[[#@LINE-15]]:
// ON: the program ends
// STRICT-NOT: the program ends
#endif
