// RUN: %athread %s -o %t && %run %t | FileCheck %s
// Where variables lie: one a CPE in LDM, one a CPE in main memory, one for all.
#ifdef SLAVE
#include <slave.h>

struct pair {
  double a;
  int b;
};
__thread_local struct pair both = {1.5, 7};
__thread_local int table[4] = {1, 2, 3, 4};
__thread_local int *into = &table[2];
__thread_local_fix static long counter = 100;
// Constants beside variables, as tables stand in public code; one kernel's variables.
__thread_local_fix const float weights[4] __attribute__((aligned(32))) = {0.5f, 0.25f, 2.0f, 8.0f};
__thread_local const int *const first = &table[0];
extern __thread_local int later;
__thread_kernel("f") int steps = 3, later = 9;
__thread long mine = 5;
static long shared = 50;
extern long hosts;

void f(long *out) {
  *into += _MYID;
  counter++;
  mine += _MYID;
  static __thread_local const int turns[4] = {1, 0, 3, 2};
  if (_MYID == 63) {
    shared++;
    hosts++;
  }
  out[_MYID] = (long)both.a * 1000000 + both.b * 100000 + table[2] * 1000 + counter;
  out[128 + _MYID] = *first * 10000 + turns[_MYID & 3] * 1000 + steps++ * 100 + later * 10 +
                     (long)weights[2 + (_MYID & 1)];
  out[64 + _MYID] = mine * 100000 + shared;
}
#else
#include <athread.h>
#include <stdio.h>

long out[192], hosts = 1;
extern void SLAVE_FUN(f)(long *);

int main(void) {
  athread_init();
  athread_spawn(f, out);
  athread_join();
  printf("%ld %ld\n", out[0], out[63]);   // CHECK: 1703101 1766101
  athread_spawn(f, out);
  athread_join();
  printf("%ld %ld\n", out[0], out[63]);   // CHECK: 1703102 1829102
  printf("%ld %ld\n", out[64], out[127]); // CHECK: 500051 13100052
  printf("%ld %ld\n", out[128], out[191]); // CHECK: 11492 12498
  printf("%ld\n", hosts);                 // CHECK: 3
  return 0;
}
#endif
