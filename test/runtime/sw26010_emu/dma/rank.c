// RUN: %athread %s -o %t && %run %t 2>&1 | FileCheck %s
// RUN: env WEFT_EMU_FUNCTIONAL=1 %run %t 2>&1 | FileCheck %s
// RANK_MODE: contiguous main memory is dealt over the row, granule by granule; the put collects.
#ifdef SLAVE
#include <slave.h>

__thread_local int block[8 * 12];
__thread_local volatile int reply;

/* A row has 8 * 96 words. Each CPE gives the transfer of 96 of them, in granules of 4: three turns.
 * What column c gives lies at block + 12 * c in all CPEs of the row. */
void f(int **arrays) {
  int i;
  reply = 0;
  athread_get(RANK_MODE, arrays[0] + _MYID * 96, block + 12 * _COL, 96 * 4, (void *)&reply, 0, 0,
              16);
  while (reply != 1)
    ;
  athread_syn(ROW_SCOPE, 0xff);
  for (i = 0; i < 96; i++)
    arrays[2][_MYID * 96 + i] = block[i];
  for (i = 0; i < 96; i++)
    block[i] += 100000;
  athread_syn(ROW_SCOPE, 0xff);
  athread_put(RANK_MODE, block + 12 * _COL, arrays[1] + _MYID * 96, 96 * 4, (void *)&reply, 0, 16);
  while (reply != 2)
    ;
}
#else
#include <athread.h>
#include <stdio.h>

extern void SLAVE_FUN(f)(int **);
int in[64 * 96], out[64 * 96], ldm[64 * 96];

int main(void) {
  int *arrays[3] = {in, out, ldm};
  int cpe, i, wrong = 0, moved = 0;
  for (i = 0; i < 64 * 96; i++)
    in[i] = i;
  athread_init();
  athread_spawn(f, arrays);
  athread_join();
  for (cpe = 0; cpe < 64; cpe++)
    for (i = 0; i < 96; i++) { /* word i of its LDM: given by column i / 12, turn i % 12 / 4 */
      int giver = cpe / 8 * 8 + i / 12, turn = i % 12 / 4, column = cpe % 8;
      wrong += ldm[cpe * 96 + i] != giver * 96 + (turn * 8 + column) * 4 + i % 4;
    }
  for (i = 0; i < 64 * 96; i++)
    moved += out[i] == 100000 + i;
  // CHECK-NOT: hazard
  // CHECK: wrong: 0, put back: 6144
  printf("wrong: %d, put back: %d\n", wrong, moved);
  athread_halt();
  return 0;
}
#endif
