// RUN: %athread %s -o %t
// RUN: not %run %t 2>&1 | FileCheck %s
// A control register whose meaning nobody has published.
#ifndef SLAVE
#include "host.h"
#else
#include <slave.h>

void f(double *memory) {
  long value;
  asm volatile("rcsr %0, 77" : "=r"(value));
  memory[_MYID] = value;
}
// CHECK: fault [unknown-csr]: rcsr of control register 77, whose meaning is not known
// CHECK-NEXT: CPE 0 (row 0, column 0), cycle {{[1-9][0-9]*}}, {{.*}}unknown_csr.c:[[#@LINE-4]]:{{.*}}, in f
#endif
