// RUN: %athread %s -o %t
// RUN: not %run %t 2>&1 | FileCheck %s
// Sent along the row, expected from the column.
#ifndef SLAVE
#include "host.h"
#else
#include <simd.h>
#include <slave.h>

__thread_local double got[4] __attribute__((aligned(32)));

void f(double *memory) {
  doublev4 v = 1.0;
  if (_MYID == 1)
    simd_putr(v, 4);
  if (_MYID == 4) {
    v = simd_getc(v);
    simd_store(v, got);
  }
}
// CHECK: fault [deadlock]: nobody can go on: each core waits for what none will do
// CHECK-NEXT: CPE 4 (row 0, column 4), cycle {{[1-9][0-9]*}}, {{.*}}wrong_way.c:[[#@LINE-5]]:{{.*}}, in f
// CHECK: CPE 4 waits for a message from its column (getc)
// CHECK: CPE 4 has 1 received in its row buffer, the first from CPE 1, sent at {{.*}}wrong_way.c:[[#@LINE-9]]:
#endif
