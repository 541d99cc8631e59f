// RUN: %athread %s -msimd -o %t && %run %t | FileCheck %s
// What the vendor's compiler takes: vector types without simd.h, library functions declared with
// other types, names where types belong, the dma instruction itself, functions named as macros.
#ifdef SLAVE
#include <dma.h>
#include <math.h>
#include <slave.h>

static int helper(pointer, other);
inline int isnan(double x) { return x != x; }

void f(long *from) {
  double *ldm_malloc();
  double *room = ldm_malloc(32);
  volatile int reply = 0;
  dma_desc d = 0;
  doublev4 v;
  dma_set_op(&d, DMA_GET);
  dma_set_mode(&d, PE_MODE);
  dma_set_size(&d, 32);
  dma_set_reply(&d, &reply);
  asm("dma %0, %1, %2" : : "r"(d), "r"(from), "r"(room), "r"(&reply));
  while (reply != 1)
    ;
  simd_load(v, room);
  if (_MYID == 3)
    from[4] = (long)((double *)&v)[2] + helper(1, 2) + isnan(room[0]);
}

static int helper(int pointer, int other) { return pointer + other; }
#else
#include <athread.h>
#include <stdio.h>
union {
  double real[4];
  long whole[5];
} from = {{10.0, 20.0, 30.0, 40.0}};
extern void SLAVE_FUN(f)(long *);
int main(void) {
  athread_init();
  athread_spawn(f, from.whole);
  athread_join();
  // CHECK: 33
  printf("%ld\n", from.whole[4]);
}
#endif
