// RUN: %athread %s -o %t && %run %t | FileCheck %s
// slave.h brings what the vendor's does: fixed-width integers, and printf so that its address can
// be taken before any call of it.
#ifdef SLAVE
#include <slave.h>

uint64_t widest(uint32_t low) { return (uint64_t)low << 32; }

void show(uint64_t *out) {
  int (*print)(const char *, ...) = printf;
  out[_MYID] = widest(_MYID);
  if (_MYID == 63)
    print("last of %d\n", _MYID + 1);
}
#else
#include <athread.h>
#include <stdio.h>

unsigned long out[64];
extern SLAVE_FUN(show)();

int main(void) {
  athread_init();
  athread_spawn(show, out);
  athread_join();
  // CHECK: last of 64
  // CHECK: 3f00000000
  printf("%lx\n", out[63]);
  athread_halt();
}
#endif
