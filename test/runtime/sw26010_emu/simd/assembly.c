// RUN: %athread %s -msimd -o %t && %run %t | FileCheck %s
// Inline assembly as public programs have it: vectors, scalars, $31, several lines, digits in
// names.
#ifdef SLAVE
#include <simd.h>
#include <slave.h>

__thread_local doublev4 kept[2];

void f(double *out) {
  doublev4 a = simd_set_doublev4(1.0, -2.0, 3.0, -4.0), b, c, sum;
  double s = -2.5, t;
  intv8 w = simd_set_intv8(1, 2, 3, 4, 5, 6, 7, 8), x;
  int256 n;
  int i, words, one;
  long l;
  if (_MYID != 9)
    return;
  asm("vcpys $31, %1, %0" : "=r"(b) : "r"(a)); // |a|
  asm("vshuffle %1, %2, 0xb1, %0\n\t" // the old name of vshff
      "vmad %0, %1, %2, %0\n\t"
      : "=&r"(c)
      : "r"(a), "r"(b));
  asm("fcpys $31,%1,%0" : "=r"(t) : "r"(s));
  asm("vlog2xe %1, %2, %0" : "=r"(x) : "r"(w), "r"(simd_vsllw(w, 8)));
  asm("vextw %1, 6, %0" : "=r"(i) : "r"(x));
  asm("ldi %0, 1023($31)\n"
      "vshff %0, %0, 0, %0\n"
      "sllow %0, 4, %0"
      : "=&r"(n));
  asm("fcvtdlr %1, 5, %0" : "=r"(l) : "r"(s));
  asm("vmatch %1, %2, %0" : "=&r"(one) : "r"(w), "r"(7));
  asm("vmatch %1, %2, %0" : "=&r"(words) : "r"(w), "r"(70));
  kept[1] = a;
  asm("vldd %0, 32(%1)\n\tvaddd %0, %2, %0\n\tvstd %0, 0(%1)"
      : "=&r"(sum)
      : "r"(kept), "r"(b)
      : "memory");
  simd_store(b, out);
  simd_store(c, out + 4);
  simd_store(kept[0], out + 8);
  out[12] = t;
  out[13] = i;
  out[14] = ((long *)&n)[3];
  out[15] = l;
  out[16] = one != 0;
  out[17] = words;
}
#else
#include <athread.h>
#include <stdio.h>

double out[18] __attribute__((aligned(32)));
extern void SLAVE_FUN(f)(double *);

int main(void) {
  int i;
  athread_init();
  athread_spawn(f, out);
  athread_join();
  for (i = 0; i < 18; ++i)
    printf("%g%s", out[i], i % 4 == 3 || i == 17 ? "\n" : " ");
  // CHECK: 1 2 3 4
  // (2, 1, -4, 3) * a + |a|
  // CHECK-NEXT: 3 0 -9 -8
  // CHECK-NEXT: 2 0 6 0
  // CHECK-NEXT: 2.5 1799 16368 -3
  // CHECK-NEXT: 1 0
  athread_halt();
  return 0;
}
#endif
