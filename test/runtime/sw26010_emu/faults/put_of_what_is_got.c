// RUN: %athread %s -o %t
// RUN: %run %t 2>&1 | FileCheck %s --check-prefixes=CHECK,ON
// RUN: not env WEFT_EMU_STRICT=1 %run %t 2>&1 | FileCheck %s --check-prefixes=CHECK,STRICT
// A put sends LDM that a get is still filling.
#ifndef SLAVE
#include "host.h"
#else
#include <slave.h>

__thread_local double buffer[64];
__thread_local volatile int reply;

void f(double *memory) {
  if (_MYID != 0)
    return;
  reply = 0;
  athread_get(PE_MODE, memory, buffer, 512, (void *)&reply, 0, 0, 0);
  athread_put(PE_MODE, buffer, memory + 64, 512, (void *)&reply, 0, 0);
  while (reply != 2)
    ;
}
// CHECK: [dma-overlap]: a put sends LDM that a get is still filling: 512 bytes at LDM offset
// CHECK-NEXT: CPE 0 (row 0, column 0), cycle {{[1-9][0-9]*}}, {{.*}}put_of_what_is_got.c:[[#@LINE-5]]:{{.*}}, in f
// CHECK: the get under way was given by: CPE 0 (row 0, column 0), cycle {{[1-9][0-9]*}}, {{.*}}put_of_what_is_got.c:[[#@LINE-7]]:
// ON: the program ends
// STRICT-NOT: the program ends
#endif
