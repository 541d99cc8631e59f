// RUN: %athread %s -o %t && %run %t | FileCheck %s
// enter64, spawn64, join64, leave64; the function by its whole name, and by a pointer.
#ifdef SLAVE
#include <slave.h>

void f(long *out) { out[_MYID] += _MYID; }
void g(long *out) { out[_MYID] += 1000; }
#else
#include <athread.h>
#include <stdio.h>

long out[64];
extern SLAVE_FUN(f)();
extern void slave_g(long *);

int main(void) {
  void *pointer = (void *)slave_g;
  athread_init();
  athread_enter64();
  athread_spawn64(SLAVE_FUN(f), &out);
  athread_join64();
  __real_athread_spawn(pointer, out);
  athread_join();
  athread_leave64();
  athread_halt();
  printf("%ld %ld\n", out[0], out[63]); // CHECK: 1000 1063
  return 0;
}
#endif
