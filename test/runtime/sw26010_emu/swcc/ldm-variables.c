// RUN: %athread %s -o %t && %run %t | FileCheck %s
// Variables of a CPE: in LDM, private in main memory, shared by all.
#ifdef SLAVE
#include <slave.h>

extern long out[64][6];
__thread_local int count = 3;
__thread_local static double table[4] = {1.0, 2.0, 3.0};
// The address of another LDM variable: the same place in each CPE's own memory.
__thread_local double *second = &table[1];
__thread_local_fix struct {
  char pad;
  double **to;
} chain = {1, &second};
__thread long private = 7;
static int shared = 100;
__thread_local volatile unsigned long words[2] = {5, 6};

void f(void) {
  count += _MYID;
  private += count;
  if (_MYID == 63)
    shared++;
  table[1] += _MYID;
  out[_MYID][0] = count;
  out[_MYID][1] = private;
  out[_MYID][2] = (long)*second;
  out[_MYID][3] = (long)**chain.to;
  out[_MYID][4] = words[1] + sizeof words;
  // The low bits of an LDM address are an offset, equal on all CPEs.
  out[_MYID][5] = (long)(unsigned short)(long)&table[1] - (unsigned short)(long)&table[0];
}

void g(void) { out[_MYID][0] = count + shared; }
#else
#include <athread.h>
#include <stdio.h>

long out[64][6];
extern void SLAVE_FUN(f)(void), SLAVE_FUN(g)(void);

int main(void) {
  athread_init();
  athread_spawn(f, 0);
  athread_join();
  // CHECK: 3 10 2 2 22 8
  // CHECK: 66 73 65 65 22 8
  for (int i = 0; i < 64; i += 63)
    printf("%ld %ld %ld %ld %ld %ld\n", out[i][0], out[i][1], out[i][2], out[i][3], out[i][4],
           out[i][5]);
  // LDM keeps its contents from one spawn to the next.
  athread_spawn(g, 0);
  athread_join();
  // CHECK: 104 167
  printf("%ld %ld\n", out[0][0], out[63][0]);
}
#endif
