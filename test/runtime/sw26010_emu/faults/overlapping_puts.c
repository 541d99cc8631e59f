// RUN: %athread %s -o %t
// RUN: %run %t 2>&1 | FileCheck %s --check-prefixes=CHECK,ON
// RUN: not env WEFT_EMU_STRICT=1 %run %t 2>&1 | FileCheck %s --check-prefixes=CHECK,STRICT
// Two CPEs put to the same main memory: strided blocks that meet in one place.
#ifndef SLAVE
#include "host.h"
#else
#include <slave.h>

__thread_local double buffer[64];
__thread_local volatile int reply;

void f(double *memory) {
  if (_ROW != 0 || _COL < 2 || _COL > 4)
    return;
  reply = 0;
  if (_MYID == 2)
    athread_put(PE_MODE, buffer, memory, 512, (void *)&reply, 192, 64);
  athread_syn(ROW_SCOPE, 0x1c);
  if (_MYID == 3) /* the last word of the other's third block */
    athread_put(PE_MODE, buffer, (char *)memory + 2 * 256 + 60, 4, (void *)&reply, 0, 0);
  if (_MYID == 4) /* in the gaps of the first */
    athread_put(PE_MODE, buffer, memory + 8, 512, (void *)&reply, 192, 64);
  while (reply != 1)
    ;
}
// CHECK: [dma-overlap]: two puts write the same main memory at the same time, from byte 0 of this one
// CHECK-NEXT: CPE 3 (row 0, column 3), cycle {{[1-9][0-9]*}}, {{.*}}overlapping_puts.c:[[#@LINE-7]]:{{.*}}, in f
// CHECK: the put under way was given by: CPE 2 (row 0, column 2), cycle {{[1-9][0-9]*}}, {{.*}}overlapping_puts.c:[[#@LINE-11]]:
// CHECK-NOT: CPE 4
// ON: the program ends
// STRICT-NOT: the program ends
#endif
