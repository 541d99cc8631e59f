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
__thread long mine = 5;
static long shared = 50;
extern long hosts;

void f(long *out) {
  *into += _MYID;
  counter++;
  mine += _MYID;
  if (_MYID == 63) {
    shared++;
    hosts++;
  }
  out[_MYID] = (long)both.a * 1000000 + both.b * 100000 + table[2] * 1000 + counter;
  out[64 + _MYID] = mine * 100000 + shared;
}
#else
#include <athread.h>
#include <stdio.h>

long out[128], hosts = 1;
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
  printf("%ld\n", hosts);                 // CHECK: 3
  return 0;
}
#endif
