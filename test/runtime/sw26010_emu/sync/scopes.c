// RUN: %athread %s -o %t && %run %t 2>&1 | FileCheck %s
// RUN: env WEFT_EMU_FUNCTIONAL=1 %run %t 2>&1 | FileCheck %s --check-prefix=WRONG
// Who waits for whom in each scope, and until when.
#ifdef SLAVE
#include <slave.h>

static void work(long cycles) {
  unsigned long begin, end;
  RPCC(begin);
  do
    RPCC(end);
  while (end - begin < cycles);
}

void f(long *took) {
  unsigned long now;
  int mask;
  /* The slowest of each row is column 7, and of each column row 7. */
  athread_syn(ARRAY_SCOPE, 0xffff);
  RPCC(now);
  took[_MYID] = now;
  work(200 * (_ROW + _COL));
  athread_syn(ROW_SCOPE, 0xff);
  RPCC(now);
  took[64 + _MYID] = now;
  athread_syn(ARRAY_SCOPE, 0xffff);
  work(200 * (_ROW + _COL));
  athread_syn(COL_SCOPE, 0xff);
  RPCC(now);
  took[128 + _MYID] = now;
  athread_syn(ARRAY_SCOPE, 0xffff);
  /* The halves of each row apart. */
  work(200 * _COL);
  mask = _COL < 4 ? 0x0f : 0xf0;
  athread_syn(ROW_SCOPE, mask);
  RPCC(now);
  took[192 + _MYID] = now;
  athread_syn(ARRAY_SCOPE, 0xffff);
  /* The square of rows 0 to 3 and columns 0 to 1: the low byte is for the column. */
  if (_ROW < 4 && _COL < 2) {
    work(200 * (_ROW + _COL));
    athread_syn(ARRAY_SCOPE, 0x030f);
  }
  RPCC(now);
  took[256 + _MYID] = now;
  /* By the instructions; sync is the column's. */
  athread_syn(ARRAY_SCOPE, 0xffff);
  work(200 * _ROW);
  asm volatile("sync %0\n\t" ::"r"(0xff) : "memory");
  RPCC(now);
  took[320 + _MYID] = now;
  asm volatile("synr %0\n\t" ::"r"(0xff) : "memory");
  took[384 + _MYID] = athread_syn(7, 0xff);
}
#else
#include <athread.h>
#include <stdio.h>

extern void SLAVE_FUN(f)(long *);
long took[7 * 64];

/* Whether the CPEs a and b left a phase at the same time. */
static int together(int phase, int a, int b) { return took[phase * 64 + a] == took[phase * 64 + b]; }

int main(void) {
  int i, wrong = 0;
  athread_init();
  athread_spawn(f, took);
  athread_join();
  for (i = 0; i < 64; i++) {
    const int row = i / 8, column = i % 8;
    wrong += !together(0, 0, i);
    wrong += !together(1, row * 8, i) || (row > 0 && together(1, i - 8, i));
    wrong += !together(2, column, i) || (column > 0 && together(2, i - 1, i));
    wrong += !together(3, row * 8 + column / 4 * 4, i) || (column == 4 && together(3, i - 1, i));
    if (row < 4 && column < 2)
      wrong += !together(4, 0, i);
    wrong += !together(5, column, i);
  }
  // CHECK: wrong: 0
  // CHECK: the row's slowest decides: 1
  // CHECK: an unknown scope: -22
  // WRONG: wrong:
  printf("wrong: %d\n", wrong);
  printf("the row's slowest decides: %d\n",
         took[64] - took[0] >= 1400 && took[64] - took[0] < 1500);
  printf("an unknown scope: %ld\n", took[384]);
  athread_halt();
  return 0;
}
#endif
