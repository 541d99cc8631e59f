// RUN: %athread %s -o %t
// RUN: not %run %t 2>&1 | FileCheck %s
// A message to its own sender.
#ifndef SLAVE
#include "host.h"
#else
#include <simd.h>
#include <slave.h>

void f(double *memory) {
  doublev4 v = 1.0;
  if (_MYID == 16)
    simd_putc(v, 2);
}
// CHECK: fault [mesh-self]: putc to the sender itself
// CHECK-NEXT: CPE 16 (row 2, column 0), cycle {{[1-9][0-9]*}}, {{.*}}mesh_self.c:[[#@LINE-3]]:{{.*}}, in f
#endif
