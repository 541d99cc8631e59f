// RUN: %athread %s -o %t && %run %t 2>&1 | FileCheck %s
// Transfers share the memory: 64 CPEs that get at the same time wait longer than one alone, a later
// transfer delays an earlier one, and the same program has the same cycles.
// RUN: %run %t > %t.first && %run %t > %t.second && cmp %t.first %t.second
#ifdef SLAVE
#include <slave.h>

__thread_local double block[2048];
__thread_local volatile int reply, other;

__attribute__((noinline)) static long get(double *memory, int bytes) {
  unsigned long begin, end;
  RPCC(begin);
  reply = 0;
  athread_get(PE_MODE, memory, block, bytes, (void *)&reply, 0, 0, 0);
  while (reply != 1)
    ;
  RPCC(end);
  return end - begin;
}

void f(double **arrays) {
  double *memory = arrays[0] + _MYID * 2048;
  long *took = (long *)arrays[1];
  unsigned long begin, end;
  athread_syn(ARRAY_SCOPE, 0xffff);
  if (_MYID == 0) {
    /* The first time its code comes from memory. */
    get(memory, 8192);
    took[0] = get(memory, 8192);
    took[1] = get(memory, 8192);
  }
  athread_syn(ARRAY_SCOPE, 0xffff);
  took[2 + _MYID] = get(memory, 8192);
  athread_syn(ARRAY_SCOPE, 0xffff);
  /* The others begin in the middle of CPE 0's transfer. */
  if (_MYID == 0)
    took[66] = get(memory, 16384);
  if (_MYID != 0) {
    RPCC(begin);
    do
      RPCC(end);
    while (end - begin < 300);
    get(memory, 16384);
  }
  athread_syn(ARRAY_SCOPE, 0xffff);
  if (_MYID == 0)
    took[67] = get(memory, 16384);
}
#else
#include <athread.h>
#include <stdio.h>
#include <stdlib.h>

extern void SLAVE_FUN(f)(double **);
double memory[64 * 2048];
long took[68];

int main(void) {
  double *arrays[2] = {memory, (double *)took};
  int i;
  long last = 0;
  athread_init();
  athread_spawn(f, arrays);
  athread_join();
  for (i = 0; i < 64; i++)
    last = took[2 + i] > last ? took[2 + i] : last;
  /* 64 times 8 KB at 26.6 GB/s is 28580 cycles. */
  // CHECK: alone twice alike 1, together slower 1
  printf("alone twice alike %d, together slower %d\n", labs(took[0] - took[1]) < 20,
         last > 8 * took[0] && last > 25000 && last < 35000);
  // CHECK: the later delays the earlier 1
  printf("the later delays the earlier %d\n", took[66] > took[67] + 100);
  for (i = 0; i < 68; i++)
    printf("%ld\n", took[i]);
  athread_halt();
  return 0;
}
#endif
