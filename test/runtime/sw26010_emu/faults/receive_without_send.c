// RUN: %athread %s -o %t
// RUN: not %run %t 2>&1 | FileCheck %s
// A CPE receives what nobody sends.
#ifndef SLAVE
#include "host.h"
#else
#include <simd.h>
#include <slave.h>

__thread_local double got[4] __attribute__((aligned(32)));

void f(double *memory) {
  doublev4 v = 1.0;
  if (_MYID == 33) {
    v = simd_getr(v);
    simd_store(v, got);
  }
}
// CHECK: fault [deadlock]: nobody can go on: each core waits for what none will do
// CHECK-NEXT: CPE 33 (row 4, column 1), cycle {{[1-9][0-9]*}}, {{.*}}receive_without_send.c:[[#@LINE-5]]:{{.*}}, in f
// CHECK: CPE 33 waits for a message from its row (getr)
#endif
