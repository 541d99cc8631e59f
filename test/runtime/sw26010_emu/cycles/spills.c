// More values live through a loop than there are registers: 29 ($31, $30 and $29 are taken), of which
// the factor and the count take two. With n values n + 2 - 29 have to wait in memory. They pass
// through registers of their own, a load, a product-sum and a store each turn: one register would
// do, but a value is 4 + 7 + 1 cycles in it. What comes closest to a product-sum a cycle gives such
// values 4 registers (n = 30) or 7 (n = 32, 34 and 40), so that n + 2 - 29 + 4 or 7 wait. Each costs a
// load and a store a turn; the bound waits too and costs a load:
//   n = 30: 7 values, 15 accesses;  32: 12, 25;  34: 14, 29;  40: 20, 41.
// Pipe 0 has n product-sums, the count and its test: n + 2 cycles if reloads come in time. At the
// end of a turn its last stores wait 7 cycles for their values:
//   n = 30: the last of them is made at 27, stored at 34, then the branch, two cycles with the way
//   back: 37. One register for all would be 7 * 12 = 84.
//   n = 34: the last is made at 35 (one cycle waits for the value reloaded last) and stored at 42,
//   behind it the reload for the next turn, the branch and its two: 46. One register: 8 * 12 = 96.
// With 22 values nothing in the loop is spilled: 22 cycles and the taken branch's one.
//
// RUN: %swcc -slave -msimd --emit=asm -DVALUES=30 -c %s -o %t.s
// RUN: FileCheck %s --check-prefix=V30 < %t.s
// RUN: %swcc -slave -msimd --emit=asm -DVALUES=32 -c %s -o %t.s
// RUN: FileCheck %s --check-prefix=V32 < %t.s
// RUN: %swcc -slave -msimd --emit=asm -DVALUES=34 -c %s -o %t.s
// RUN: FileCheck %s --check-prefixes=V34,MANY < %t.s
// RUN: %swcc -slave -msimd --emit=asm -DVALUES=40 -c %s -o %t.s
// RUN: FileCheck %s --check-prefix=V40 < %t.s
// RUN: %swcc -slave -msimd --emit=asm -DVALUES=22 -c %s -o %t.s
// RUN: FileCheck %s --check-prefix=FEW < %t.s
// V30: #<loop> 37 cycles a turn: {{.*}} 240 flops {{.*}} 15 spill accesses
// V32: #<loop> {{.*}} 256 flops {{.*}} 25 spill accesses
// V34: #<loop> 46 cycles a turn: 66 instructions, pipe 0 36, pipe 1 30, {{.*}} 29 spill accesses
// V40: #<loop> {{.*}} 320 flops {{.*}} 41 spill accesses
// MANY: vldd $[[A:[0-9]+]],[[PLACE:[0-9]+]]($sp){{.*}}spill
// MANY: vmad $[[A]],{{.*}},$[[A]]
// MANY: vstd $[[A]],[[PLACE]]($sp){{.*}}spill
// FEW: 0 values spilled
// FEW: #<loop> 23 cycles a turn: 25 instructions, pipe 0 22, pipe 1 3, {{.*}} 176 flops {{.*}} bound by pipe 0
#include <simd.h>
void sums(doublev4 *c, doublev4 a, int turns) {
  doublev4 x[VALUES];
#pragma clang loop unroll(full)
  for (int i = 0; i < VALUES; ++i)
    x[i] = c[i];
  for (int turn = 0; turn < turns; ++turn)
#pragma clang loop unroll(full)
    for (int i = 0; i < VALUES; ++i)
      x[i] = simd_vmad(x[i], a, a);
#pragma clang loop unroll(full)
  for (int i = 0; i < VALUES; ++i)
    c[i] = x[i];
}
