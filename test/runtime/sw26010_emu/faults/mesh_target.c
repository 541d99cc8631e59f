// RUN: %athread %s -o %t
// RUN: not %run %t 2>&1 | FileCheck %s
// A target that is the number of a CPE, not a place in the row.
#ifndef SLAVE
#include "host.h"
#else
#include <simd.h>
#include <slave.h>

void f(double *memory) {
  doublev4 v = 1.0;
  if (_MYID == 16)
    simd_putr(v, 18);
}
// CHECK: fault [mesh-target]: putr to target 18, which is no place in a row
// CHECK-NEXT: CPE 16 (row 2, column 0), cycle {{[1-9][0-9]*}}, {{.*}}mesh_target.c:[[#@LINE-3]]:{{.*}}, in f
// CHECK: expected: a column, 0 to 7, or 8 for all others of the row
#endif
