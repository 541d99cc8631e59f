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

static long rally(int other) {
  unsigned long start, middle, end;
  play(other, _COL == 0, 1);
  RPCC(start);
  play(other, _COL == 0, 100);
  RPCC(middle);
  play(other, _COL == 0, 200);
  RPCC(end);
  return (end - middle) - (middle - start);
}

void measured(long *cycles) {
  if (_ROW)
    return;
  if (_COL == 0) {
    cycles[0] = rally(1);
    cycles[1] = rally(7);
  }
  if (_COL == 1 || _COL == 7)
    rally(0);
}
#endif
// CHECK: 0: 2200
// CHECK: 1: 2400
