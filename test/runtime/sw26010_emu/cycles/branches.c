// RUN: %athread %s -o %t && %run %t | FileCheck %s
// What branches, inner loops and calls add.
#include "Inputs/measure.h"
#ifdef SLAVE
__thread_local long words[64];

// Turns alternate; the branch is mispredicted every other time, which is charged as half of
// [cpe.branch.mispredicted] (2 of 5) to both ways.
//   test:     stl, and, beside each other; bne: 2, and 1 for the loop's taken branch
//   not odd:  2 for the branch; stl and addl, cmpeq, beq: 3; together 5
//   odd:      3 for the taken branch; stl, br: 2; then the above, entered by a taken br: 1 + 3
// Two turns: (3 + 5) + (3 + 5 + 4) = 20.
KERNEL even(int turns) {
  volatile long *to = words;
  for (int i = 0; i < turns; ++i) {
    to[0] = i;
    if (i & 1)
      to[1] = i;
    to[2] = i;
  }
}

// Inner loop: stl and addl, ldi and cmpeq, beq: 3, and 1 for the taken branch. Outer loop: the
// pointer's and count's start beside each other, in the first cycle of which no more issues: 0, and
// 1 for its own taken branch; leaving the inner loop is mispredicted, 5; addl, cmpeq, beq depend on
// each other: 3. 4 * 4 + 1 + 5 + 3 = 25.
KERNEL nest(int turns) {
  volatile long *to = words;
  for (int i = 0; i < turns; ++i)
#pragma clang loop unroll(disable)
    for (int j = 0; j < 4; ++j)
      to[j] = i;
}

// The call: bsr 1, and 1 for going there; memb and ret, one after the other on pipe 1: 2 and
// 1; ldih and ldi of the global pointer, addw and cmpeq beside them, beq: 3 and 1. Together 9.
__attribute__((noinline)) void nothing(void) { __asm__ volatile("memb"); }
KERNEL calls(int turns) {
  for (int i = 0; i < turns; ++i)
    nothing();
}

void measured(long *cycles) {
  if (_MYID)
    return;
  cycles[0] = TURNS(even);
  cycles[1] = TURNS(nest);
  cycles[2] = TURNS(calls);
}
#endif
// CHECK: 0: 1000
// CHECK: 1: 2500
// CHECK: 2: 900
