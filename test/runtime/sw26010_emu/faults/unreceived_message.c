// RUN: %athread %s -o %t
// RUN: %run %t 2>&1 | FileCheck %s --check-prefixes=CHECK,ON
// RUN: not env WEFT_EMU_STRICT=1 %run %t 2>&1 | FileCheck %s --check-prefixes=CHECK,STRICT
// A message that nobody takes.
#ifndef SLAVE
#include "host.h"
#else
#include <simd.h>
#include <slave.h>

void f(double *memory) {
  doublev4 v = 1.0;
  if (_MYID == 10)
    simd_putc(v, 7);
}
// CHECK: [unreceived-message]: 1 message is left in its column buffer when its function has ended
// CHECK-NEXT: CPE 58 (row 7, column 2), cycle {{[1-9][0-9]*}}, {{.*}}host.h:15
// CHECK: the first was sent by: CPE 10 (row 1, column 2), cycle {{[1-9][0-9]*}}, {{.*}}unreceived_message.c:[[#@LINE-4]]:
// ON: the program ends
// STRICT-NOT: the program ends
#endif
