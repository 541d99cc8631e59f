// RUN: %athread %s -o %t && %run %t 2>&1 | FileCheck %s
// RUN: env WEFT_EMU_FUNCTIONAL=1 %run %t 2>&1 | FileCheck %s
// Descriptors: every field where the machine has it, and transfers by them.
#ifdef SLAVE
#include <dma.h>
#include <slave.h>
#include <stdio.h>

__thread_local dma_desc shared;
__thread_local double block[64];
__thread_local volatile unsigned long long_reply; /* the low word counts */
__thread_local volatile int reply;

void f(double *memory) {
  dma_desc d = 0;
  unsigned int word[4];
  int i;
  if (_MYID == 0) {
    dma_set_size(&d, 0xabcdef);
    dma_set_bsize(&d, 0x12345);
    dma_set_op(&d, DMA_BARRIER);
    dma_set_mode(&d, RANK_MODE);
    dma_set_mask(&d, 0x5a);
    dma_set_stepsize(&d, 0x89abcdef);
    dma_set_reply(&d, &reply);
    for (i = 0; i < 4; i++)
      word[i] = ((unsigned int *)&d)[i];
    // CHECK: 00abcdef 45012345 5a00 89abcdef reply 1
    printf("%08x %08x %04x %08x reply %d\n", word[0], word[1], word[2] >> 16, word[3],
           (word[2] & 0xffff) == ((unsigned long)&reply & 0xffff));
    dma_descriptor_init(&d, &reply);
    // CHECK: 00000100 01000000 0000 00000000
    for (i = 0; i < 4; i++)
      word[i] = ((unsigned int *)&d)[i];
    printf("%08x %08x %04x %08x\n", word[0], word[1], word[2] >> 16, word[3]);
  }

  long_reply = 0;
  reply = 0;
  dma_descriptor_init(&shared, (int *)&long_reply);
  dma_set_size(&shared, sizeof block);
  dma(shared, (long)(memory + _MYID * 64), (long)block);
  dma_wait(&long_reply, 1);
  for (i = 0; i < 64; i++)
    block[i] = -block[i];
  dma_set_op(&shared, DMA_PUT);
  dma_set_reply(&shared, &reply);
  /* Two puts of 32 numbers each; the fence waits for both. */
  dma_set_size(&shared, sizeof block / 2);
  dma(shared, memory + _MYID * 64, block);
  dma(shared, memory + _MYID * 64 + 32, block + 32);
  dma_barrier();
  if (reply != 2 || long_reply != 1)
    printf("replies of CPE %d: %d %lu\n", _MYID, reply, long_reply);
}
#else
#include <athread.h>
#include <stdio.h>

extern void SLAVE_FUN(f)(double *);
double memory[64 * 64];

int main(void) {
  int i, wrong = 0;
  for (i = 0; i < 64 * 64; i++)
    memory[i] = i;
  athread_init();
  athread_spawn(f, memory);
  athread_join();
  for (i = 0; i < 64 * 64; i++)
    wrong += memory[i] != -i;
  // CHECK-NOT: {{hazard|replies}}
  // CHECK: wrong: 0
  printf("wrong: %d\n", wrong);
  athread_halt();
  return 0;
}
#endif
