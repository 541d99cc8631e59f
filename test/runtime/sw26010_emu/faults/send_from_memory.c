// RUN: %athread %s -o %t
// RUN: not %run %t 2>&1 | FileCheck %s
// A load that sends along the row, of a vector in main memory.
#ifndef SLAVE
#include "host.h"
#else
#include <slave.h>

void f(double *memory) {
  doublev4 v;
  if (_MYID == 5) {
    simd_loadr(v, memory);
    memory[0] = v[0];
  }
}
// CHECK: fault [load-and-send-outside-ldm]: vldr from an address outside the CPE's LDM
// CHECK-NEXT: CPE 5 (row 0, column 5), cycle {{[1-9][0-9]*}}, {{.*}}send_from_memory.c:[[#@LINE-5]]:{{.*}}, in f
#endif
