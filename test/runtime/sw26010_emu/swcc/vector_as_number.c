// RUN: %athread %s -msimd -o %t && %run %t | FileCheck %s
// RUN: not %swcc -slave -DSLAVE -DWRONG -c %s -o %t.o 2> %t.err
// RUN: FileCheck %s --check-prefix=WRONG < %t.err
// Where a number is wanted a vector stands for its lane 0, as its register does.
#ifdef SLAVE
#include <simd.h>
#include <slave.h>

typedef double real;
#define ADD(to, vector) to += vector
static real first(doublev4 v) { return v; }
static float same(float x) { return x; }

void f(double *out) {
  doublev4 v = simd_set_doublev4(1, 2, 3, 4);
  floatv4 s = simd_set_floatv4(0.5f, 6, 7, 8);
  intv8 w = simd_set_intv8(9, 10, 11, 12, 13, 14, 15, 16);
  real x = v * 2.0, sum = 100;
  int i = w;
  if (_MYID != 0)
    return;
  sum += v + v;
  ADD(sum, v * 10.0);
  out[0] = sum;
  out[1] = first(v * 3.0) + x;
  out[2] = same(s) + i;
#ifdef WRONG
  out[3] = &v; // WRONG: vector_as_number.c:[[@LINE]]:{{[0-9]+}}: error
#endif
}
#else
#include <athread.h>
#include <stdio.h>

double out[4];
extern void SLAVE_FUN(f)(double *);

int main(void) {
  athread_init();
  athread_spawn(f, out);
  athread_join();
  // CHECK: 112 5 9.5
  printf("%g %g %g\n", out[0], out[1], out[2]);
  athread_halt();
  return 0;
}
#endif
