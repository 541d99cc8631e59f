// Places beyond what a displacement reaches: what it has no bits for goes to the pointer, which all
// accesses near each other share.
//
// RUN: %swcc -slave -msimd --emit=asm -c %s -o %t.s
// RUN: FileCheck %s < %t.s
#include <slave.h>
#include <simd.h>

__thread_local double own[6144];

// CHECK-LABEL: sums:
// CHECK:      <loop>
// CHECK-NOT:  spill
// CHECK:      {{[0-9-]+}}([[P:[$][0-9]+]])
// CHECK-COUNT-9: ([[P]])
// CHECK:      ldi {{.*}}64([[P]])
double sums(long n) {
  double sum = 0;
  for (long i = 0; i < n; ++i) {
    double *at = own + 8 * i;
    sum += at[4500] + at[4501] * at[4502] + at[4503] * at[4504] + at[4505] * at[4506] +
           at[4507] * at[4508] + at[4509];
  }
  return sum;
}
