// RUN: %athread %s -o %t
// RUN: not env -u WEFT_EMU_LDM_STACK %t 2>&1 | FileCheck %s
// The LDM side of a get is a local array, and the program runs without -b.
#ifndef SLAVE
#include "host.h"
#else
#include <slave.h>

__thread_local volatile int reply;

void f(double *memory) {
  double buffer[64];
  reply = 0;
  athread_get(PE_MODE, memory, buffer, sizeof buffer, (void *)&reply, 0, 0, 0);
  while (reply != 1)
    ;
  memory[0] = buffer[_COL];
}
// CHECK: fault [dma-not-in-ldm]: athread_get's LDM side is not in the CPE's LDM
// CHECK-NEXT: CPE 0 (row 0, column 0), cycle {{[1-9][0-9]*}}, {{.*}}not_in_ldm.c:[[#@LINE-6]]:{{.*}}, in f
// CHECK: found: an address of main memory
// CHECK: help: {{.*}}-b
#endif
