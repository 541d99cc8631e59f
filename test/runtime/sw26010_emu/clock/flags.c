// RUN: %athread %s -o %t && %run %t | FileCheck %s
// RUN: env WEFT_EMU_FUNCTIONAL=1 %t | FileCheck %s
// CPEs and MPE wait for one another by words of main memory that they read in loops.
#ifdef SLAVE
#include <slave.h>

extern volatile long go, done[64];

void f(long *out) {
  long turn;
  for (turn = 1; turn <= 3; turn++) {
    while (go != turn)
      ;
    out[_MYID] += turn * _MYID;
    done[_MYID] = turn;
  }
}
#else
#include <athread.h>
#include <stdio.h>

volatile long go, done[64];
long out[64];
extern void SLAVE_FUN(f)(long *);

int main(void) {
  long turn;
  int i;
  athread_init();
  athread_spawn(f, out);
  for (turn = 1; turn <= 3; turn++) {
    go = turn;
    for (i = 0; i < 64; i++)
      while (done[i] != turn)
        ;
    printf("%ld %ld\n", out[1], out[63]);
  }
  athread_join();
  // CHECK: 1 63
  // CHECK: 3 189
  // CHECK: 6 378
  return 0;
}
#endif
