// RUN: %athread %s -msimd -o %t && not %run %t 2>&1 | FileCheck %s
// A sum of 1024 bits in four parts. The carry register is each CPE's own; more than eight bits of
// it are a fault.
#ifdef SLAVE
#include <simd.h>
#include <slave.h>

void f(unsigned long *out) {
  uint256 ones = simd_set_uint256(-1, -1, -1, -1), zero = 0, part;
  int i;
  if (_MYID == 1)
    part = simd_uaddo_carry(ones, ones); // none of CPE 0's
  if (_MYID != 0)
    return;
  part = simd_uaddo_carry(ones, simd_set_uint256(1, 0, 0, 0));
  out[0] = simd_ctpopow(part);
  for (i = 1; i < 4; ++i) {
    part = simd_uaddo_take_carry(i < 3 ? ones : zero, zero);
    out[i] = simd_ctpopow(part) + 10 * (unsigned)simd_vextw0((intv8)part);
  }
}

void g(unsigned long *out) {
  uint256 ones = simd_set_uint256(-1, -1, -1, -1);
  int i;
  for (i = 0; i < 200 && _MYID == 7; ++i)
    ones = simd_uaddo_carry(ones, ones);
}
#else
#include <athread.h>
#include <stdio.h>

unsigned long out[4];
extern void SLAVE_FUN(f)(unsigned long *);
extern void SLAVE_FUN(g)(unsigned long *);

int main(void) {
  athread_init();
  athread_spawn(f, out);
  athread_join();
  // The ones roll over into the last part, which becomes 1.
  // CHECK: 0 0 0 11
  printf("%lu %lu %lu %lu\n", out[0], out[1], out[2], out[3]);
  fflush(stdout);
  athread_spawn(g, out);
  athread_join();
  // CHECK: fault [carry-overflow]: the carry register CA overflows
  // CHECK-NEXT: CPE 7 (row 0, column 7)
  // CHECK: found: 128
  return 0;
}
#endif
