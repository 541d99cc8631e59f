// RUN: %athread %s -o %t
// RUN: not %run %t 2>&1 | FileCheck %s
// A vector is loaded from an address that is no multiple of its size.
#ifndef SLAVE
#include "host.h"
#else
#include <simd.h>
#include <slave.h>

__thread_local double buffer[64] __attribute__((aligned(32)));

void f(double *memory) {
  doublev4 v;
  double *odd = buffer + 1 + _COL;
  simd_load(v, odd);
  simd_store(v, buffer);
  memory[_MYID] = buffer[0];
}
// CHECK: fault [UNALIGN]: a load of 32 bytes at an address that is not aligned to its size
// CHECK-NEXT: CPE 0 (row 0, column 0), cycle {{[1-9][0-9]*}}, {{.*}}unaligned_vector.c:[[#@LINE-5]]:{{.*}}, in f
#endif
