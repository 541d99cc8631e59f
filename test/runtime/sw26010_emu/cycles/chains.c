// RUN: %athread %s -o %t && %run %t | FileCheck %s
// A chain of dependent operations runs at one a latency ([cpe.fp] 7, [cpe.multiply] 8,
// [cpe.divide_double] 34, [cpe.load] 4). Counting, testing and branching (addw, cmpeq, beq) run
// beside it and take less than the chain does.
#include "Inputs/measure.h"
#ifdef SLAVE
__thread_local double scalar;
__thread_local doublev4 vector;
__thread_local long whole;
__thread_local void *cell;

KERNEL scalarProduct(int turns) {
  double x = scalar, a = 1.5;
  for (int i = 0; i < turns; ++i)
    x *= a;
  scalar = x;
}
KERNEL vectorProduct(int turns) {
  doublev4 x = vector, a = 1.5;
  for (int i = 0; i < turns; ++i)
    x *= a;
  vector = x;
}
KERNEL fused(int turns) {
  doublev4 x = vector, a = 1.5, b = 0.25;
  for (int i = 0; i < turns; ++i)
    x = simd_vmad(x, a, b);
  vector = x;
}
KERNEL twoInTurn(int turns) {
  double x = scalar, a = 1.5;
  for (int i = 0; i < turns; ++i)
    x = (x + a) * (x - 3.0);
  scalar = x;
}
KERNEL integerProduct(int turns) {
  long x = whole, a = x | 3;
  for (int i = 0; i < turns; ++i)
    x *= a;
  whole = x;
}
KERNEL quotient(int turns) {
  double x = scalar, a = scalar + 2;
  for (int i = 0; i < turns; ++i)
    x = a / x;
  scalar = x;
}
KERNEL follow(int turns) {
  cell = &cell;
  void **at = &cell;
  for (int i = 0; i < turns; ++i)
    at = *(void *volatile *)at;
  cell = at;
}

void measured(long *cycles) {
  if (_MYID)
    return;
  cycles[0] = TURNS(scalarProduct);
  cycles[1] = TURNS(vectorProduct);
  cycles[2] = TURNS(fused);
  cycles[3] = TURNS(twoInTurn);
  cycles[4] = TURNS(integerProduct);
  cycles[5] = TURNS(quotient);
  cycles[6] = TURNS(follow);
}
#endif
// CHECK: 0: 700
// CHECK: 1: 700
// CHECK: 2: 700
// Sum and difference issue one after the other, the product waits for the second:
// 1 + 7 + 7.
// CHECK: 3: 1500
// CHECK: 4: 800
// CHECK: 5: 3400
// CHECK: 6: 400
