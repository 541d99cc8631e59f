// RUN: %athread %s -o %t && %run %t 2>&1 | FileCheck %s
// RUN: env WEFT_EMU_FUNCTIONAL=1 %run %t 2>&1 | FileCheck %s
// BCAST_MODE: the bytes arrive at one LDM offset in all rows of the mask and in no other; the reply
// counts for the giver alone.
#ifdef SLAVE
#include <slave.h>

__thread_local int block[64];
__thread_local volatile int reply;

void f(int **arrays) {
  int i;
  for (i = 0; i < 64; i++)
    block[i] = -1;
  reply = 0;
  athread_syn(ARRAY_SCOPE, 0xffff);
  if (_MYID == 10) {
    /* Rows 0, 2 and 7; then 16 words in blocks of two for row 3. */
    athread_get(BCAST_MODE, arrays[0], block, 128, (void *)&reply, 0x85, 0, 0);
    athread_get(BCAST_MODE, arrays[0], block + 32, 64, (void *)&reply, 0x08, 8, 8);
    while (reply != 2)
      ;
  }
  athread_syn(ARRAY_SCOPE, 0xffff);
  for (i = 0; i < 64; i++)
    arrays[1][_MYID * 65 + i] = block[i];
  arrays[1][_MYID * 65 + 64] = reply;
}
#else
#include <athread.h>
#include <stdio.h>

extern void SLAVE_FUN(f)(int **);
int in[64], out[64 * 65];

int main(void) {
  int *arrays[2] = {in, out};
  int cpe, i, wrong = 0;
  for (i = 0; i < 64; i++)
    in[i] = 1000 + i;
  athread_init();
  athread_spawn(f, arrays);
  athread_join();
  for (cpe = 0; cpe < 64; cpe++) {
    const int row = cpe / 8, *mine = out + cpe * 65;
    for (i = 0; i < 64; i++) {
      int expected = -1;
      if ((row == 0 || row == 2 || row == 7) && i < 32)
        expected = 1000 + i;
      if (row == 3 && i >= 32 && i < 48)
        expected = 1000 + (i - 32) / 2 * 4 + i % 2;
      wrong += mine[i] != expected;
    }
    wrong += mine[64] != (cpe == 10 ? 2 : 0);
  }
  // CHECK-NOT: hazard
  // CHECK: wrong: 0
  printf("wrong: %d\n", wrong);
  athread_halt();
  return 0;
}
#endif
