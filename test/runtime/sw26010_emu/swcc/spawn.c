// RUN: %athread %s -o %t && %run %t | FileCheck %s
// The shortest whole program: 64 CPEs write, the MPE reads.
#ifdef SLAVE
#include <slave.h>

void f(long *out) { out[_MYID] = 100 * _ROW + _COL; }
#else
#include <athread.h>
#include <stdio.h>

long out[64];
extern void SLAVE_FUN(f)(long *);

int main(void) {
  athread_init();
  athread_spawn(f, out);
  athread_join();
  // CHECK: 0 107 700 707
  printf("%ld %ld %ld %ld\n", out[0], out[15], out[56], out[63]);
  athread_halt();
}
#endif
