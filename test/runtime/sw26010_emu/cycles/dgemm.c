// The inner loop of public DGEMMs: 16 vmad, 4 getr, 4 getc, subw and bgt. Written in the order of
// issue, one pipe-1 instruction beside a vmad, it takes 16 cycles and the taken branch's one, kept
// in order or not; that is 94.1 % of peak, what swDNN reports. With all messages first, in order,
// they take 8 cycles and the products 16 more (the first beside the last message), while subw and
// bgt issue beside products: 24 with the branch; the published figure is 26.
//
// RUN: %swcc -slave -msimd -DORDERED -DSCHEDULED --emit=asm -c %s -o %t.s
// RUN: FileCheck %s --check-prefix=BEST < %t.s
// RUN: %swcc -slave -msimd -DSCHEDULED --emit=asm -c %s -o %t.s
// RUN: FileCheck %s --check-prefix=BEST < %t.s
// RUN: %swcc -slave -msimd -DORDERED --emit=asm -c %s -o %t.s
// RUN: FileCheck %s --check-prefix=PLAIN < %t.s
// BEST: #<loop> 17 cycles a turn: 26 instructions, pipe 0 16, pipe 1 10, 10 cycles issue two, 128 flops (94.1 % of peak), bound by pipe 0
// PLAIN: #<loop> 24 cycles a turn: 26 instructions
#include <simd.h>
#include <slave.h>
#ifdef ORDERED
#define KEEP __attribute__((annotate("weft_ordered")))
#else
#define KEEP
#endif
#define LOAD(i) doublev4 c##i = c[i];
#define STORE(i) c[i] = c##i;
#define ALL(X)                                                                                     \
  X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15)
#define M(c, a, b) c = simd_vmad(a, b, c)

KEEP void gemm(doublev4 *c, int k) {
  ALL(LOAD)
  doublev4 a0, a1, a2, a3, b0, b1, b2, b3;
#ifdef SCHEDULED
  simd_getr(a0), simd_getc(b0), simd_getr(a1), simd_getc(b1), simd_getr(a2), simd_getc(b2);
  for (; k > 0; k--) {
    M(c0, a0, b0), simd_getc(b3);
    M(c4, a0, b1), simd_getr(a3);
    M(c8, a0, b2), M(c1, a1, b0), M(c5, a1, b1), M(c6, a2, b1), M(c12, a0, b3), M(c9, a1, b2);
    M(c13, a1, b3), simd_getr(a0);
    M(c2, a2, b0), simd_getr(a1);
    M(c3, a3, b0), simd_getc(b0);
    M(c7, a3, b1);
    M(c10, a2, b2), simd_getc(b1);
    M(c14, a2, b3), simd_getr(a2);
    M(c11, a3, b2), simd_getc(b2);
    M(c15, a3, b3);
  }
#else
  for (; k > 0; k--) {
    simd_getr(a0), simd_getr(a1), simd_getr(a2), simd_getr(a3);
    simd_getc(b0), simd_getc(b1), simd_getc(b2), simd_getc(b3);
    M(c0, a0, b0), M(c1, a1, b0), M(c2, a2, b0), M(c3, a3, b0);
    M(c4, a0, b1), M(c5, a1, b1), M(c6, a2, b1), M(c7, a3, b1);
    M(c8, a0, b2), M(c9, a1, b2), M(c10, a2, b2), M(c11, a3, b2);
    M(c12, a0, b3), M(c13, a1, b3), M(c14, a2, b3), M(c15, a3, b3);
  }
#endif
  ALL(STORE)
}
