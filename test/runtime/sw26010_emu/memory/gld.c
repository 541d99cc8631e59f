// RUN: %athread %s -o %t && %run %t | FileCheck %s
// Loads and stores of CPEs to main memory: 120 cycles for a load that nobody disturbs, and 1.5 GB/s
// for all together.
#ifdef SLAVE
#include <slave.h>

void one(double *memory) {
  unsigned long begin, end;
  double value;
  if (_MYID)
    return;
  RPCC(begin);
  value = *(volatile double *)memory;
  RPCC(end);
  memory[1] = value + 1;
  memory[2] = (double)(end - begin);
}

void stream(double *memory) {
  volatile double *from = memory + _MYID * 512, *to = memory + 32768 + _MYID * 512;
  int i;
  for (i = 0; i < 512; i++)
    to[i] = from[i];
}
#else
#include <athread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

extern void SLAVE_FUN(one)(double *), SLAVE_FUN(stream)(double *);

int main(void) {
  double *memory = (double *)malloc(65536 * sizeof(double));
  clock_t begin, empty;
  int i, wrong = 0;
  double rate;
  for (i = 0; i < 65536; i++)
    memory[i] = i;
  athread_init();
  memory[0] = 41;
  begin = clock();
  athread_spawn(one, memory);
  athread_join();
  empty = clock() - begin;
  printf("%g\n", memory[1]);                                 // CHECK: 42
  printf("%d\n", memory[2] >= 120 && memory[2] <= 140);      // CHECK: 1
  begin = clock();
  athread_spawn(stream, memory);
  athread_join();
  rate = 2.0 * 32768 * 8 / (double)(clock() - begin - empty) / 1000;
  for (i = 3; i < 32768; i++)
    wrong += memory[i + 32768] != i;
  printf("%d %d\n", wrong, rate > 1.3 && rate < 1.6); // CHECK: 0 1
  return 0;
}
#endif
