// RUN: %athread %s -o %t && %run %t > %t.1
// RUN: env A=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa %run %t | diff - %t.1
// RUN: env -i WEFT_EMU_LDM_STACK=1 %t | diff - %t.1
// RUN: env WEFT_EMU_FUNCTIONAL=1 %t functional > %t.2
// RUN: FileCheck %s --input-file %t.1
// RUN: grep result %t.1 | diff - %t.2
// Cycles and results of a program with transfers, messages, atomics and accesses to main memory are
// the same in every run; without timing, the results are.
#ifdef SLAVE
#include <simd.h>
#include <slave.h>

__thread_local volatile unsigned long reply;
__thread_local double block[512];

void f(double *memory) {
  int i, turn;
  doublev4 v, sum = 0.0;
  volatile double *word = memory + 64 * 512 + _MYID * 2;
  for (turn = 0; turn < 8; turn++) {
    double *mine = memory + ((_MYID + turn * 7) % 64) * 512;
    reply = 0;
    athread_get(PE_MODE, mine, block, sizeof block, (void *)&reply, 0, 0, 0);
    while (reply != 1)
      ;
    for (i = 0; i < 512; i += 4) {
      simd_load(v, &block[i]);
      sum += v;
    }
    simd_putr(sum, (_COL + 1) % 8);
    sum = simd_getr(sum);
    *word += turn;
    faaw((int *)(memory + 64 * 512 + 200));
    athread_syn(ARRAY_SCOPE, 0xffff);
  }
  simd_store(sum, block);
  word[1] = block[0] + block[3];
}
#else
#include <athread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

extern void SLAVE_FUN(f)(double *);

int main(int argc, char **argv) {
  double *memory = (double *)malloc((64 * 512 + 256) * sizeof(double)), sum = 0;
  struct timespec begin, end;
  int i;
  (void)argv;
  for (i = 0; i < 64 * 512 + 256; i++)
    memory[i] = i % 97;
  *(int *)(memory + 64 * 512 + 200) = 0;
  athread_init();
  clock_gettime(CLOCK_MONOTONIC, &begin);
  athread_spawn(f, memory);
  athread_join();
  clock_gettime(CLOCK_MONOTONIC, &end);
  for (i = 0; i < 128; i++)
    sum += memory[64 * 512 + i] * (i + 1);
  // CHECK: result {{[1-9][0-9]+\.0}} 512
  printf("result %.1f %d\n", sum, *(int *)(memory + 64 * 512 + 200));
  // CHECK: time {{[1-9][0-9]+}} at 0x
  if (argc == 1)
    printf("time %ld at %p\n", end.tv_nsec - begin.tv_nsec, (void *)memory);
  return 0;
}
#endif
