// RUN: %athread %s -msimd -o %t && not %run %t 2>&1 | FileCheck %s
// RUN: %athread %s -msimd -DPLAIN -o %t && not %run %t 2>&1 | FileCheck %s
// A vector load must be aligned; the unaligned one need not.
#ifdef SLAVE
#include <simd.h>
#include <slave.h>

__thread_local double local[12];

void f(double *out) {
  doublev4 v;
  if (_MYID != 17)
    return;
  simd_loadu(v, local + 3);
  simd_storeu(v, out + 1);
#ifdef PLAIN
#define LOAD v = *(doublev4 *)(local + 1)
#else
#define LOAD simd_load(v, local + 1)
#endif
  LOAD;
  // CHECK: fault [UNALIGN]: a load of 32 bytes
  // CHECK-NEXT: CPE 17 (row 2, column 1), {{.*}}misaligned.c:[[@LINE-2]]
  simd_store(v, out);
}
#else
#include <athread.h>

double out[12];
extern void SLAVE_FUN(f)(double *);

int main(void) {
  athread_init();
  athread_spawn(f, out);
  athread_join();
  return 0;
}
#endif
