// RUN: %athread %s -o %t
// RUN: not %run %t 2>&1 | FileCheck %s
// updt with an operation that nobody has published.
#ifndef SLAVE
#include "host.h"
#else
#include <slave.h>
#include <simd.h>

void f(double *memory) {
  int256 update = simd_set_int256(5, 1, 0, 0);
  asm volatile("updt %0, 0(%1)" : : "r"(update), "r"(memory) : "memory");
}
// CHECK: fault [unknown-update]: updt of an operation that is not known
// CHECK-NEXT: CPE 0 (row 0, column 0), cycle {{[1-9][0-9]*}}, {{.*}}unknown_update.c:[[#@LINE-3]]:{{.*}}, in f
// CHECK-NEXT: expected: lane 0 of the register is 4 (adds lane 1) or 6 (subtracts it)
// CHECK-NEXT: found: lane 0 is 5
#endif
