// RUN: %athread %s -msimd -o %t && %run %t | FileCheck %s
// Arrays of numbers lie so that vectors fit: variables in LDM, locals, variables of both sides.
#ifdef SLAVE
#include <simd.h>
#include <slave.h>

__thread_local char odd = 1;
__thread_local double local[8];
double shared[8] = {1, 1, 1, 1};
extern double host[8];

void f(double *out) {
  char pad[3] = {1, 2, 3};
  double own[8] = {1, 2, 3, 4};
  float single[4] = {1, 1, 1, 1};
  doublev4 a, b, sum;
  floatv4 s;
  if (_MYID != 0)
    return;
  simd_store((doublev4)(double)odd, local);
  simd_load(a, own);
  simd_load(b, shared);
  simd_load(sum, local);
  simd_load(s, single);
  sum += a + b + (doublev4)s + *(doublev4 *)host + pad[2];
  simd_store(sum, out);
}
#else
#include <athread.h>
#include <stdio.h>

char one = 1;
double host[8] = {10, 20, 30, 40}, out[8];
extern void SLAVE_FUN(f)(double *);

int main(void) {
  athread_init();
  athread_spawn(f, out);
  athread_join();
  // CHECK: 17 28 39 50
  printf("%g %g %g %g\n", out[0], out[1], out[2], out[3]);
  athread_halt();
  return 0;
}
#endif
