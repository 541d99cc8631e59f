// RUN: %athread %s -o %t && %run %t 2>&1 | FileCheck %s
// RUN: env WEFT_EMU_FUNCTIONAL=1 %run %t 2>&1 | FileCheck %s
// PE_MODE: contiguous and in blocks with gaps, both directions; every byte of main memory and LDM.
#ifdef SLAVE
#include <slave.h>

__thread_local unsigned char block[1024];
__thread_local volatile int reply;

/* Each CPE has 4096 bytes of `in` and of `out`. */
void f(unsigned char **arrays) {
  unsigned char *in = arrays[0] + _MYID * 4096, *out = arrays[1] + _MYID * 4096;
  unsigned char *contiguous = arrays[2] + _MYID * 1024;
  reply = 0;
  /* 256 blocks of 4 bytes, every sixteenth byte. */
  athread_get(PE_MODE, in, block, 1024, (void *)&reply, 0, 12, 4);
  while (reply != 1)
    ;
  athread_put(PE_MODE, block, contiguous, 1024, (void *)&reply, 0, 0);
  while (reply != 2)
    ;
  athread_get(PE_MODE, in + 100, block + 512, 512, (void *)&reply, 0, 0, 0);
  while (reply != 3)
    ;
  /* Back in 5 blocks of 100 bytes and one of 12, with gaps of 700. */
  athread_put(PE_MODE, block + 512, out, 500, (void *)&reply, 700, 100);
  athread_put(PE_MODE, block + 512 + 500, out + 4000, 12, (void *)&reply, 0, 0);
  while (reply != 5)
    ;
}
#else
#include <athread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern void SLAVE_FUN(f)(unsigned char **);
unsigned char in[64 * 4096], out[64 * 4096], contiguous[64 * 1024], expected[4096];

int main(void) {
  unsigned char *arrays[3] = {in, out, contiguous};
  int cpe, i, wrong = 0;
  for (i = 0; i < 64 * 4096; i++)
    in[i] = (unsigned char)(i * 7 + i / 251);
  memset(out, 99, sizeof out);
  athread_init();
  athread_spawn(f, arrays);
  athread_join();
  for (cpe = 0; cpe < 64; cpe++) {
    const unsigned char *mine = in + cpe * 4096;
    for (i = 0; i < 1024; i++)
      wrong += contiguous[cpe * 1024 + i] != mine[i / 4 * 16 + i % 4];
    memset(expected, 99, sizeof expected);
    for (i = 0; i < 500; i++)
      expected[i / 100 * 800 + i % 100] = mine[100 + i];
    for (i = 0; i < 12; i++)
      expected[4000 + i] = mine[600 + i];
    wrong += memcmp(expected, out + cpe * 4096, 4096) != 0;
  }
  // CHECK-NOT: hazard
  // CHECK: wrong: 0
  printf("wrong: %d\n", wrong);
  athread_halt();
  return 0;
}
#endif
