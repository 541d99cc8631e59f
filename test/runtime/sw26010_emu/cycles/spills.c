// 34 values live through a loop. There are 29 registers ($31, $30 and $29 are taken); the factor,
// the count, its bound and the result of its test take four, which leaves 25: nine values are
// spilled, and a tenth, for the register that those are loaded into in turn. The pointer c, which
// the loop does not use, gives way first or is one of them. A spilled value costs a load and a store
// a turn. With 24 values nothing in the loop is spilled: 24 cycles and the taken branch's one.
//
// RUN: %swcc -slave -msimd --emit=asm -DVALUES=34 -c %s -o %t.s
// RUN: FileCheck %s --check-prefix=MANY < %t.s
// RUN: %swcc -slave -msimd --emit=asm -DVALUES=24 -c %s -o %t.s
// RUN: FileCheck %s --check-prefix=FEW < %t.s
// MANY: # {{[0-9]+}} bytes of code, 1{{[01]}} values spilled
// MANY: #<loop> {{.*}} 272 flops {{.*}} 20 spill accesses
// MANY: vldd $[[A:[0-9]+]],[[PLACE:[0-9]+]]($sp){{.*}}spill
// MANY: vmad $[[A]],{{.*}},$[[A]]
// MANY: vstd $[[A]],[[PLACE]]($sp){{.*}}spill
// FEW: 0 values spilled
// FEW: #<loop> 25 cycles a turn: 27 instructions, pipe 0 24, pipe 1 3, {{.*}} 192 flops {{.*}} bound by pipe 0
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
