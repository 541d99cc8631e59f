// RUN: %athread %s -o %t
// RUN: not %run %t 2>&1 | FileCheck %s
// Two CPEs send to each other more than the buffers hold, and neither receives.
#ifndef SLAVE
#include "host.h"
#else
#include <simd.h>
#include <slave.h>

__thread_local double got[4] __attribute__((aligned(32)));

void f(double *memory) {
  int i;
  doublev4 v = 1.0;
  if (_MYID != 1 && _MYID != 6)
    return;
  for (i = 0; i < 20; i++)
    simd_putr(v, _MYID == 1 ? 6 : 1);
  for (i = 0; i < 20; i++)
    v = simd_getr(v);
  simd_store(v, got);
}
// CHECK: fault [deadlock]: nobody can go on: each core waits for what none will do
// CHECK-NEXT: CPE 1 (row 0, column 1), cycle {{[1-9][0-9]*}}, {{.*}}mutual_puts.c:[[#@LINE-6]]:{{.*}}, in f
// CHECK-DAG: CPE 1 waits for room in the row buffer of a receiver of its putr{{.*}}, from CPE 6 (row 0, column 6), {{.*}}mutual_puts.c:[[#@LINE-7]]:
// CHECK-DAG: CPE 6 waits for room in the row buffer of a receiver of its putr{{.*}}, from CPE 1 (row 0, column 1), {{.*}}mutual_puts.c:[[#@LINE-8]]:
// CHECK-DAG: CPE 1 has 8 received in its row buffer, the first from CPE 6, sent at {{.*}}mutual_puts.c:[[#@LINE-9]]:{{.*}}; 8 put and not sent
#endif
