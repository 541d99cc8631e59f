// RUN: %swcc -slave -msimd --emit=asm -c %s -o %t.s && FileCheck %s < %t.s
// A line is told with the file of its function: what is inlined from that file counts where it was
// written, what is inlined from another, as simd.h, where it was called.
#include <simd.h>
#include <slave.h>

__thread_local double a[8] __attribute__((aligned(32)));

static inline __attribute__((always_inline)) doublev4 twice(const double *p) {
  doublev4 v;
  simd_load(v, p);
  return simd_vaddd(v, v);
}

// CHECK-LABEL: {{^}}lines:
// CHECK: vldd {{.*}} line [[#@LINE-5]]
// CHECK: vaddd {{.*}} line [[#@LINE-5]]
// CHECK: vmuld {{.*}} line [[#@LINE+4]]
// CHECK: vstd {{.*}} line [[#@LINE+4]]
void lines(void) {
  doublev4 x = twice(a);
  x = simd_vmuld(x, x);
  simd_store(x, a + 4);
}
