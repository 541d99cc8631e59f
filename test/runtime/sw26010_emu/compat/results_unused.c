// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a benchmark computes into memory from malloc and never reads is computed, and takes its
// time: on the management core as on the CPEs.
// RUN: %athread %s -o %t && %run %t | FileCheck %s
#ifdef SLAVE
#include <slave.h>

void f(long *cycles) {
  double *a = (double *)(long)ldm_malloc(8 * 512), *b = (double *)(long)ldm_malloc(8 * 512);
  unsigned long before, after;
  int i;
  for (i = 0; i < 512; i++)
    a[i] = i;
  RPCC(before);
  for (i = 0; i < 512; i++)
    b[i] = a[i] * a[i];
  RPCC(after);
  if (_MYID == 0)
    *cycles = after - before;
}
#else
#include <athread.h>
#include <stdio.h>
#include <stdlib.h>

extern SLAVE_FUN(f)();

static unsigned long rtc(void) {
  unsigned long time;
  asm("rtc %0" : "=r"(time) :);
  return time;
}

int main(void) {
  double *a = malloc(512 * sizeof(double)), *b = malloc(512 * sizeof(double));
  unsigned long before, after;
  long cycles = 0;
  int i;
  for (i = 0; i < 512; i++)
    a[i] = i;
  before = rtc();
  for (i = 0; i < 512; i++)
    b[i] = a[i] * a[i];
  after = rtc();
  athread_init();
  athread_spawn(f, &cycles);
  athread_join();
  athread_halt();
  // At least a load, a product and a store each; two of these go together at best.
  // CHECK: host 1, slave 1
  printf("host %d, slave %d\n", after - before >= 512, cycles >= 512);
  return 0;
}
#endif
