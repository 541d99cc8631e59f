// RUN: %athread %s -o %t && %run %t | FileCheck %s
// Two CPEs of a row send a message to and fro. A way takes 8 cycles to the neighbour
// ([mesh.near_latency]), 9 to the far half of the row. The one that answers does so a cycle after its
// getr ([cpe.get.latency]). The other has the loop in between: addw beside its getr, cmpeq, beq, a
// taken branch, bne on who is first, and putr: 5 cycles after. 2 * 8 + 1 + 5 and 2 * 9 + 1 + 5.
#include "Inputs/measure.h"
#ifdef SLAVE
__attribute__((noinline)) static void play(int other, int first, int turns) {
  doublev4 ball = 1.0;
  for (int i = 0; i < turns; ++i) {
    if (first)
      simd_putr(ball, other);
    simd_getr(ball);
    if (!first)
      simd_putr(ball, other);
  }
}

__attribute__((noinline)) static long lasts(int other, int turns) {
  unsigned long start, end;
  RPCC(start);
  play(other, _COL == 0, turns);
  RPCC(end);
  return end - start;
}

__attribute__((noinline)) static long rally(int other) {
  lasts(other, 100);
  return -lasts(other, 100) + lasts(other, 200);
}

void measured(long *cycles) {
  if (_ROW)
    return;
  // The second time all of it is in the instruction caches of both.
  for (int time = 0; time < 2; ++time) {
    if (_COL == 0) {
      cycles[0] = rally(1);
      cycles[1] = rally(7);
    }
    if (_COL == 1 || _COL == 7)
      rally(0);
  }
}
#endif
// CHECK: 0: 2200
// CHECK: 1: 2400
