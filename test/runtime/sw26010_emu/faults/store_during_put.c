// RUN: %athread %s -o %t
// RUN: %run %t 2>&1 | FileCheck %s --check-prefixes=CHECK,ON
// RUN: not env WEFT_EMU_STRICT=1 %run %t 2>&1 | FileCheck %s --check-prefixes=CHECK,STRICT
// A CPE stores to main memory that another CPE's put is writing.
#ifndef SLAVE
#include "host.h"
#else
#include <slave.h>

__thread_local double buffer[4096];
__thread_local volatile int reply;

void f(double *memory) {
  if (_ROW != 0 || _COL > 1)
    return;
  reply = 0;
  if (_MYID == 0)
    athread_put(PE_MODE, buffer, memory, sizeof buffer, (void *)&reply, 0, 0);
  athread_syn(ROW_SCOPE, 0x03);
  if (_MYID == 1)
    memory[4000] = 1;
  if (_MYID == 0)
    while (reply != 1)
      ;
}
// CHECK: [memory-under-dma]: main memory is used while a put still writes it
// CHECK-NEXT: CPE 1 (row 0, column 1), cycle {{[1-9][0-9]*}}, {{.*}}store_during_put.c:[[#@LINE-6]]:{{.*}}, in f
// CHECK: the put was given by: CPE 0 (row 0, column 0), cycle {{[1-9][0-9]*}}, {{.*}}store_during_put.c:[[#@LINE-10]]:
// ON: the program ends
// STRICT-NOT: the program ends
#endif
