// Loops of two turns count in no register that scalar evolution follows: accesses that differ by constants share
// the pointer all the same.
//
// RUN: %swcc -slave -msimd --emit=asm -c %s -o %t.s
// RUN: FileCheck %s < %t.s
#include <slave.h>

__thread_local float own[2048], by[64], sums[1024];

// CHECK-LABEL: scaled:
// CHECK:      flds {{.*}},0([[P:[$][0-9]+]])
// CHECK-NEXT: flds {{.*}},260([[P]])
// CHECK-NEXT: flds {{.*}},532([[P]])
// CHECK-NEXT: flds {{.*}},788([[P]])
// CHECK:      fsts
void scaled(long n) {
  for (long s = 0; s < n; ++s)
    for (long i = 0; i < 16; i += 8)
      for (long j = 0; j < 52; j += 4) {
        float x = by[j];
        sums[i * 52 + j] += own[(i * 8 + s) * 8] * x + own[(i * 8 + s) * 8 + 65] * x +
                            own[(i * 8 + s) * 8 + 133] * x + own[(i * 8 + s) * 8 + 197] * x;
      }
}
