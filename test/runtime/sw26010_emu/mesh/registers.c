// RUN: %athread %s -o %t && %run %t 2>&1 | FileCheck %s
// Control registers of messages: 0x34 and 0x35 nothing received, 0x36 no room to put.
#ifdef SLAVE
#include <simd.h>
#include <slave.h>
#include <stdio.h>

__thread_local double kept[4] __attribute__((aligned(32)));

static int csr(int which) {
  int value;
  if (which == 0x34)
    asm volatile("rcsr %0, 0x34" : "=r"(value));
  else if (which == 0x35)
    asm volatile("rcsr %0, 0x35" : "=r"(value));
  else
    asm volatile("rcsr %0, 0x36" : "=r"(value));
  return value != 0;
}

void f(void) {
  doublev4 v = 1.0;
  int puts = 0, gets = 0, before, full;
  if (_MYID == 8) {
    before = csr(0x34) * 100 + csr(0x35) * 10 + csr(0x36);
    while (!csr(0x36)) {
      simd_putc(v, 3);
      puts++;
    }
    full = csr(0x36);
    athread_syn(COL_SCOPE, 0x0a);
    simd_putc(v, 3);
    // CHECK-DAG: sender: before 110, 16 puts until full 1
    printf("sender: before %d, %d puts until full %d\n", before, puts, full);
  }
  if (_MYID == 24) {
    athread_syn(COL_SCOPE, 0x0a);
    before = csr(0x34) * 10 + csr(0x35);
    for (gets = 0; gets < 17; gets++)
      v = simd_getc(v);
    simd_store(v, kept);
    // CHECK-DAG: receiver: before 10, after 11
    printf("receiver: before %d, after %d\n", before, csr(0x34) * 10 + csr(0x35));
  }
}
#else
#include <athread.h>

extern void SLAVE_FUN(f)(void);

int main(void) {
  athread_init();
  athread_spawn(f, 0);
  athread_join();
  athread_halt();
  return 0;
}
#endif
