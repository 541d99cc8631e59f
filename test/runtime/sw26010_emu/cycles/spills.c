// 34 values live through a loop. There are 29 registers ($31, $30 and $29 are taken). The factor, the
// count and the register of its test take three, the bound may be spilled itself: 34 + 4 - 29 = 9,
// and one more for the register that spilled values pass through. A spilled value costs a load and
// a store a turn, the bound a load: 9 * 2 + 1. The pointer c waits in its own slot, outside the
// loop, or is one of the ten.
// With 22 values nothing in the loop is spilled: 22 cycles and the taken branch's one.
//
// RUN: %swcc -slave -msimd --emit=asm -DVALUES=34 -c %s -o %t.s
// RUN: FileCheck %s --check-prefix=MANY < %t.s
// RUN: %swcc -slave -msimd --emit=asm -DVALUES=22 -c %s -o %t.s
// RUN: FileCheck %s --check-prefix=FEW < %t.s
// MANY: # {{[0-9]+}} bytes of code, 10 values spilled
// MANY: #<loop> {{.*}} 272 flops {{.*}} 19 spill accesses
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
