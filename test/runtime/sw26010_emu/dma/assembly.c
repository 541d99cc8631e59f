// RUN: %athread %s -o %t && %run %t 2>&1 | FileCheck %s
// The instruction dma in inline assembly, as macros of public programs have it.
#ifdef SLAVE
#include <dma.h>
#include <slave.h>

__thread_local double block[32];

#define give(desc, mem, ldm, reply)                                                                \
  asm("dma %0, %1, %2\n\t" : : "r"(desc), "r"(mem), "r"(ldm), "r"(&reply) : "memory")

void f(double *memory) {
  volatile int reply = 0;
  dma_desc get = 0, put = 0;
  int i;
  dma_set_op(&get, DMA_GET);
  dma_set_mode(&get, PE_MODE);
  dma_set_reply(&get, &reply);
  dma_set_size(&get, sizeof block);
  dma_set_op(&put, DMA_PUT);
  dma_set_reply(&put, &reply);
  dma_set_size(&put, sizeof block);
  give(get, memory + _MYID * 32, block, reply);
  while (reply != 1) {
  };
  asm volatile("memb\n\t");
  for (i = 0; i < 32; i++)
    block[i] *= 3;
  give(put, memory + _MYID * 32, block, reply);
  while (reply != 2) {
  };
  asm volatile("memb");
}
#else
#include <athread.h>
#include <stdio.h>

extern void SLAVE_FUN(f)(double *);
double memory[64 * 32];

int main(void) {
  int i, wrong = 0;
  for (i = 0; i < 64 * 32; i++)
    memory[i] = i;
  athread_init();
  athread_spawn(f, memory);
  athread_join();
  for (i = 0; i < 64 * 32; i++)
    wrong += memory[i] != 3 * i;
  // CHECK-NOT: {{hazard|fault}}
  // CHECK: wrong: 0
  printf("wrong: %d\n", wrong);
  athread_halt();
  return 0;
}
#endif
