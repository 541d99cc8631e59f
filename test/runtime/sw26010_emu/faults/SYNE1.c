// RUN: %athread %s -o %t
// RUN: not %run %t 2>&1 | FileCheck %s
// A synchronisation whose mask leaves out the caller.
#ifndef SLAVE
#include "host.h"
#else
#include <slave.h>

void f(double *memory) {
  athread_syn(ROW_SCOPE, 0x0f);
}
// CHECK: fault [SYNE1]: the mask of a row synchronisation does not name the caller
// CHECK-NEXT: CPE 4 (row 0, column 4), cycle {{[1-9][0-9]*}}, {{.*}}SYNE1.c:[[#@LINE-3]]:{{.*}}, in f
// CHECK: expected: bit 4 set
// CHECK: found: 0x0f
#endif
