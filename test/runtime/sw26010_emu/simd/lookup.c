// RUN: %athread %s -msimd -o %t && %run %t | FileCheck %s
// Eight words of a table in LDM, by byte offsets.
#ifdef SLAVE
#include <simd.h>
#include <slave.h>

__thread_local int before[3];
__thread_local int table[100];

void f(int *out) {
  intv8 offsets = simd_set_intv8(0, 4, 396, 40, 40, 8, 200, 100), base, found;
  int i;
  for (i = 0; i < 100; ++i)
    table[i] = 1000 * _MYID + i;
  base = (intv8)(int)(long)table;
  simd_lookup(offsets, base, found);
  simd_store(found, out + 8 * _MYID);
}
#else
#include <athread.h>
#include <stdio.h>

int out[512] __attribute__((aligned(32)));
extern void SLAVE_FUN(f)(int *);

int main(void) {
  int *last = out + 504;
  athread_init();
  athread_spawn(f, out);
  athread_join();
  // CHECK: 0 1 99 10
  printf("%d %d %d %d\n", out[0], out[1], out[2], out[3]);
  // CHECK-NEXT: 63010 63002 63050 63025
  printf("%d %d %d %d\n", last[4], last[5], last[6], last[7]);
  athread_halt();
  return 0;
}
#endif
