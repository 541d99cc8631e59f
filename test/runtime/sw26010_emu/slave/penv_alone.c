// RUN: %athread %s -o %t && %run %t | FileCheck %s
// The library starts a counter by itself, whatever its event: no control register was written
// before. How many messages a CPE puts, alone and among others of the row.
#ifdef SLAVE
#include <simd.h>
#include <slave.h>

void put(unsigned long *out) {
  unsigned long puts;
  doublev4 message = 1.0;
  int i;
  penv_slave2_put_init();
  if (_MYID == 0)
    for (i = 0; i < 5; i++)
      simd_putr(message, 3);
  else if (_MYID == 3)
    for (i = 0; i < 5; i++)
      simd_getr(message);
  penv_slave2_put_count(&puts);
  out[_MYID] = puts;
}
#else
#include <athread.h>
#include <stdio.h>

unsigned long out[64];
extern void SLAVE_FUN(put)(unsigned long *);

int main(void) {
  athread_init();
  athread_spawn(put, out);
  athread_join();
  athread_halt();
  printf("%lu %lu %lu\n", out[0], out[3], out[63]);
  return 0;
}
// CHECK: {{^}}5 0 0{{$}}
#endif
