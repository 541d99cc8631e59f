// RUN: %athread %s -o %t
// RUN: %run %t 2>&1 | FileCheck %s --check-prefixes=CHECK,ON
// RUN: not env WEFT_EMU_STRICT=1 %run %t 2>&1 | FileCheck %s --check-prefixes=CHECK,STRICT
// Who of two senders is first depends on timing alone.
#ifndef SLAVE
#include "host.h"
#else
#include <simd.h>
#include <slave.h>

__thread_local double got[4] __attribute__((aligned(32)));

void f(double *memory) {
  doublev4 v = 1.0;
  if (_MYID == 2)
    simd_putr(v, 0);
  if (_MYID == 5)
    simd_putr(v, 0);
  if (_MYID == 0) {
    v = simd_getr(v);
    v = simd_getr(v);
    simd_store(v, got);
  }
}
// CHECK: [unordered-senders]: which of two senders' messages comes first into the row buffer of CPE 0 (row 0, column 0)
// CHECK-NEXT: CPE {{2|5}} (row 0, column {{2|5}}), cycle {{[1-9][0-9]*}}, {{.*}}unordered_senders.c:{{16|18}}:{{.*}}, in f
// CHECK: the other sender: CPE {{2|5}} (row 0, column {{2|5}}), cycle {{[1-9][0-9]*}}, {{.*}}unordered_senders.c:
// ON: the program ends
// STRICT-NOT: the program ends
#endif
