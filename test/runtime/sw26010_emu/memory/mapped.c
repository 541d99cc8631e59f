// RUN: %athread %s -o %t && %run %t | FileCheck %s
// Memory that the program maps itself is main memory too.
#ifdef SLAVE
#include <slave.h>

void f(long *out) { out[_MYID] += _MYID; }
#else
#include <athread.h>
#include <stdio.h>
#include <sys/mman.h>

extern void SLAVE_FUN(f)(long *);

int main(void) {
  long *out = (long *)mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  out[63] = 1000;
  athread_init();
  athread_spawn(f, out);
  athread_join();
  printf("%ld %ld\n", out[1], out[63]); // CHECK: 1 1063
  return 0;
}
#endif
