// 12 values that only the outer loop reads, 20 that the inner one does: the inner loop is charged its
// 20 product-sums and the taken branch, no spill. With the factor, the count, its bound and its test
// the inner loop has 24, so that 5 registers are left: 3 of the 12 stay, with the outer count and its
// bound, and 9 wait around it. The outer loop's own part has 12 + 20 + 4 = 36: 7 of the 20 wait
// around that. So before the inner loop 9 are stored, and 7 and the bound reloaded; behind it 7 are
// stored, and 9 and what the outer loop counts with reloaded. When whole ranges were spilled, a turn
// of the outer loop took 88 cycles beside the inner one; now 20 + 7 + 11 + 13.
//
// RUN: %swcc -slave -msimd --emit=asm -c %s -o %t.s
// RUN: FileCheck %s < %t.s
// CHECK: .L2_around:
// CHECK-COUNT-9: vstd {{.*}} spill
// CHECK: # 20 cycles, of which branch 1
// CHECK-COUNT-8: ld{{.*}}($sp) {{.*}} spill
// CHECK: # 7 cycles
// CHECK: #<loop> 21 cycles a turn: 23 instructions, pipe 0 20, pipe 1 3, {{.*}} 160 flops (95.2 % of peak), bound by pipe 0
// CHECK-NOT: spill
// CHECK: # 21 cycles, of which branch 1
// CHECK-COUNT-7: vstd {{.*}} spill
// CHECK: # 11 cycles, of which branch 5
// CHECK-COUNT-11: ($sp) {{.*}} spill
// CHECK: # 13 cycles
#include <simd.h>
void around(doublev4 *c, doublev4 *d, doublev4 a, int outer, int inner) {
  doublev4 x[12], y[20];
#pragma clang loop unroll(full)
  for (int i = 0; i < 12; ++i)
    x[i] = c[i];
#pragma clang loop unroll(full)
  for (int i = 0; i < 20; ++i)
    y[i] = d[i];
  for (int turn = 0; turn < outer; ++turn) {
#pragma clang loop unroll(full)
    for (int i = 0; i < 12; ++i)
      x[i] = simd_vmad(x[i], a, a);
    for (int step = 0; step < inner; ++step)
#pragma clang loop unroll(full)
      for (int i = 0; i < 20; ++i)
        y[i] = simd_vmad(y[i], a, a);
  }
#pragma clang loop unroll(full)
  for (int i = 0; i < 12; ++i)
    c[i] = x[i];
#pragma clang loop unroll(full)
  for (int i = 0; i < 20; ++i)
    d[i] = y[i];
}
