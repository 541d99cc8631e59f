// RUN: %athread %s -o %t && %run %t | FileCheck %s
// Independent operations run at one a cycle and pipe. A turn ends with the branch, which takes one
// cycle more when taken ([cpe.branch.taken]).
#include "Inputs/measure.h"
#ifdef SLAVE
__thread_local doublev4 space[32];

// Seven chains of seven cycles fill pipe 0: 14 products in 14 cycles. addw, cmpeq and beq go to
// pipe 1 beside them: 14 + 1.
KERNEL sevenChains(int turns) {
  doublev4 a = 1.5, x0 = space[0], x1 = space[1], x2 = space[2], x3 = space[3], x4 = space[4],
           x5 = space[5], x6 = space[6];
  for (int i = 0; i < turns; ++i) {
    x0 *= a, x1 *= a, x2 *= a, x3 *= a, x4 *= a, x5 *= a, x6 *= a;
    x0 *= a, x1 *= a, x2 *= a, x3 *= a, x4 *= a, x5 *= a, x6 *= a;
  }
  space[0] = x0, space[1] = x1, space[2] = x2, space[3] = x3, space[4] = x4, space[5] = x5,
  space[6] = x6;
}

// Four chains only: each of two rounds waits for the one before, 7 cycles a round. The second
// round's last product issues at 7 + 3 = 10, the next turn's first can at 14.
KERNEL fourChains(int turns) {
  doublev4 a = 1.5, x0 = space[0], x1 = space[1], x2 = space[2], x3 = space[3];
  for (int i = 0; i < turns; ++i) {
    x0 *= a, x1 *= a, x2 *= a, x3 *= a;
    x0 *= a, x1 *= a, x2 *= a, x3 *= a;
  }
  space[0] = x0, space[1] = x1, space[2] = x2, space[3] = x3;
}

// Shuffles are single-cycle, so that a chain of eight takes 8 cycles, + 1.
KERNEL shuffles(int turns) {
  doublev4 x = space[0];
  for (int i = 0; i < turns; ++i) {
    x = simd_vshff(x, x, 0xB1), x = simd_vshff(x, x, 0x4E), x = simd_vshff(x, x, 0xB1);
    x = simd_vshff(x, x, 0x1B), x = simd_vshff(x, x, 0xB1), x = simd_vshff(x, x, 0x4E);
    x = simd_vshff(x, x, 0x1B), x = simd_vshff(x, x, 0x4E);
  }
  space[0] = x;
}

// Six dependent integer operations: one a cycle, the branch beside the last, + 1.
KERNEL integers(int turns) {
  long x = ((volatile long *)space)[0], y = ((volatile long *)space)[1];
  for (int i = 0; i < turns; ++i) {
    x += y, x ^= 5, x += y, x ^= 9, x += y, x ^= 33;
  }
  ((volatile long *)space)[0] = x;
}

void measured(long *cycles) {
  if (_MYID)
    return;
  cycles[0] = TURNS(sevenChains);
  cycles[1] = TURNS(fourChains);
  cycles[2] = TURNS(shuffles);
  cycles[3] = TURNS(integers);
}
#endif
// CHECK: 0: 1500
// CHECK: 1: 1400
// CHECK: 2: 900
// CHECK: 3: 700
