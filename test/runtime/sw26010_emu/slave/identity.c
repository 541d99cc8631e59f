// RUN: %athread %s -o %t && %run %t | FileCheck %s
// Each CPE's number, row and column, in every way that a program can ask.
#ifdef SLAVE
#include <slave.h>

void f(long *wrong) {
  long id, row, column, cycles, later;
  int self = athread_get_id(-1);
  asm volatile("rcsr %0, 0" : "=r"(id));
  asm volatile("rcsr %0, 1" : "=r"(row));
  asm volatile("rcsr %0, 2" : "=r"(column));
  asm volatile("rcsr %0, 4" : "=r"(cycles));
  RPCC(later);
  wrong[self] = (id != self) + (_MYID != self) * 2 + (row != self / 8 || _ROW != row) * 4 +
                (column != self % 8 || _COL != column) * 8 + (athread_get_core(-1) != self) * 16 +
                (athread_get_id(17) != 17) * 32 + (athread_get_id(64) != -22) * 64 +
                (_CGN != 0 || _PEN != self) * 128 + !(cycles < later && later < cycles + 100) * 256 +
                (RTC() < later) * 512;
}
#else
#include <athread.h>
#include <stdio.h>

long wrong[64];
extern void SLAVE_FUN(f)(long *);

int main(void) {
  long all = 0;
  int i;
  for (i = 0; i < 64; i++)
    wrong[i] = -1;
  athread_init();
  athread_spawn(f, wrong);
  athread_join();
  for (i = 0; i < 64; i++)
    all |= wrong[i];
  printf("%ld\n", all); // CHECK: {{^}}0{{$}}
  return 0;
}
#endif
