// RUN: %athread %s -o %t && %run %t | FileCheck %s
// Instructions of different pipes issue in one cycle; those of one pipe do not.
#include "Inputs/measure.h"
#ifdef SLAVE
__thread_local doublev4 space[16];

// Eight vldd and eight vmad. The vendor's compiler schedules for a machine that loads twice a cycle
// and so puts all loads first: they take cycles 0 to 7 of pipe 1, where the pointer, addw and cmpeq
// go to pipe 0 beside them; the products take cycles 8 to 15 of pipe 0, beq beside the last, and 1
// for taking the branch: 17.
KERNEL productsOfLoads(int turns) {
  doublev4 a = 1.5, x0 = a, x1 = a, x2 = a, x3 = a, x4 = a, x5 = a, x6 = a, x7 = a;
  const doublev4 *at = space;
  for (int i = 0; i < turns; ++i, at = (const doublev4 *)((long)at ^ 256)) {
    x0 = simd_vmad(at[0], a, x0), x1 = simd_vmad(at[1], a, x1), x2 = simd_vmad(at[2], a, x2);
    x3 = simd_vmad(at[3], a, x3), x4 = simd_vmad(at[4], a, x4), x5 = simd_vmad(at[5], a, x5);
    x6 = simd_vmad(at[6], a, x6), x7 = simd_vmad(at[7], a, x7);
  }
  space[0] = x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7;
}

// Eight stores have one pipe: 8 cycles, the branch and 1 for taking it. addw and cmpeq go to pipe 0.
KERNEL stores(int turns) {
  volatile doublev4 *to = space;
  doublev4 a = space[8];
  for (int i = 0; i < turns; ++i) {
    to[0] = a, to[1] = a, to[2] = a, to[3] = a, to[4] = a, to[5] = a, to[6] = a, to[7] = a;
  }
}

// Twelve independent integer additions: two a cycle, 6 cycles. addw, cmpeq and beq are three more
// instructions: 15 in 8 cycles, and 1 for the branch taken.
KERNEL integers(int turns) {
  volatile long *from = (volatile long *)space;
  long a = from[0], b = from[1], c = from[2], d = from[3], e = from[4], f = from[5];
  for (int i = 0; i < turns; ++i) {
    a += 3, b += a, c ^= 5, d ^= c, e += 7, f += e;
    a ^= 1, b ^= 2, c += 9, d += 11, e ^= 4, f ^= 8;
  }
  from[0] = a + b + c + d + e + f;
}

void measured(long *cycles) {
  if (_MYID)
    return;
  cycles[0] = TURNS(productsOfLoads);
  cycles[1] = TURNS(stores);
  cycles[2] = TURNS(integers);
}
#endif
// CHECK: 0: 1700
// CHECK: 1: 1000
// CHECK: 2: 900
