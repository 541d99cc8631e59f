// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vectors that public code declares volatile, and the compiler's own names for messages.
// RUN: %athread %s -o %t && %run %t | FileCheck %s
#ifdef SLAVE
#include <simd.h>
#include <slave.h>

__thread_local volatile doublev4 kept;
__thread_local volatile intv8 words;

void f(double *out) {
  volatile doublev4 v;
  double here[4] __attribute__((aligned(32))) = {_MYID, 2, 3, 4};
  simd_load(v, here);
  simd_loadu(kept, here);
  kept = simd_vmad(v, v, kept); // 4 + 2 and so on
  if (_COL == 0)
    simd_putr(kept, 8);
  else
    simd_getr(kept);
  words = _MYID * 10;
  if (_ROW == 0)
    __builtin_sw64_putC(words, 8);
  else
    words = __builtin_sw64_getxC(words);
  if (_COL == 0)
    __builtin_sw64_putR(words, 8);
  else
    words = __builtin_sw64_getxR(words);
  simd_store(kept, here);
  out[2 * _MYID] = here[0] + here[3] * 1000;
  out[2 * _MYID + 1] = ((int *)&words)[7];
}
#else
#include <athread.h>
#include <stdio.h>

double out[128];
extern SLAVE_FUN(f)();

int main(void) {
  athread_init();
  athread_spawn(f, out);
  athread_join();
  printf("%g %g\n", out[0], out[1]);     // CHECK: 20000 0
  printf("%g %g\n", out[22], out[23]);   // CHECK: 20072 0
  printf("%g %g\n", out[126], out[127]); // CHECK: 23192 0
  return 0;
}
#endif
