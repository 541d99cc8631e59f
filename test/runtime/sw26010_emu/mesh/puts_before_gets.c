// RUN: %athread %s -o %t && %run %t | FileCheck %s
// RUN: not env WEFT_EMU_MESH_SEND_DEPTH=6 WEFT_EMU_MESH_RECEIVE_DEPTH=7 %run %t 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SHALLOW
// Two CPEs send each other 14 messages before either receives: the two buffers on the way hold 16.
#ifdef SLAVE
#include <simd.h>
#include <slave.h>
#include <stdio.h>

#define FOURTEEN(x) x x x x x x x x x x x x x x

__thread_local double got[4] __attribute__((aligned(32)));

void f(void) {
  doublev4 v = 1.0 + _MYID;
  if (_MYID > 1)
    return;
  /* The loops written out, as such programs have them. */
  FOURTEEN(simd_putr(v, 1 - _MYID);)
  FOURTEEN(v = simd_getr(v);)
  simd_store(v, got);
  // CHECK-DAG: CPE 0 has 2
  // CHECK-DAG: CPE 1 has 1
  // SHALLOW: fault [deadlock]
  printf("CPE %d has %.0f\n", _MYID, got[0]);
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
