// RUN: %athread %s -w -o %t && %run %t | FileCheck %s
// dma_wait and dma_barrier without the header that has them: C of old declares what it calls.
#ifdef SLAVE
#include <slave.h>

__thread_local long part[4];
__thread_local volatile int reply;

void f(long *x) {
  reply = 0;
  athread_get(PE_MODE, x + 4 * _MYID, part, sizeof part, (void *)&reply, 0, 0, 0);
  dma_wait(&reply, 1);
  part[3] *= 2;
  athread_put(PE_MODE, part, x + 4 * _MYID, sizeof part, (void *)&reply, 0, 0);
  dma_barrier();
  if (reply != 2)
    printf("CPE %d goes on too early\n", _MYID);
}
#else
#include <athread.h>
#include <stdio.h>

long x[256];
extern SLAVE_FUN(f)(long *);

int main(void) {
  int i;
  for (i = 0; i < 256; i++)
    x[i] = i;
  athread_init();
  athread_spawn(f, x);
  athread_join();
  athread_halt();
  printf("%ld %ld\n", x[254], x[255]);
  // CHECK: {{^}}254 510
  return 0;
}
#endif
