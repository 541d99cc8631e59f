// RUN: %athread %s -o %t
// RUN: env WEFT_EMU_MESH_SEND_DEPTH=7 WEFT_EMU_MESH_RECEIVE_DEPTH=7 %run %t 2>&1 | FileCheck %s --check-prefix=DEEP
// RUN: not env WEFT_EMU_MESH_SEND_DEPTH=6 WEFT_EMU_MESH_RECEIVE_DEPTH=7 %run %t 2>&1 | FileCheck %s --check-prefix=SHALLOW
// RUN: not env WEFT_EMU_MESH_SEND_DEPTH=9 %run %t 2>&1 | FileCheck %s --check-prefix=TOO
// Two CPEs put 14 messages each before they get: this needs room for 14, at both ends together.
#ifdef SLAVE
#include <simd.h>
#include <slave.h>

__thread_local double kept[4] __attribute__((aligned(32)));

void f(void) {
  doublev4 v = 1.0;
  int i;
  if (_MYID != 24 && _MYID != 31)
    return;
  for (i = 0; i < 14; i++)
    simd_putr(v, _MYID == 24 ? 7 : 0);
  for (i = 0; i < 14; i++)
    v = simd_getr(v);
  simd_store(v, kept);
}
#else
#include <athread.h>
#include <stdio.h>

extern void SLAVE_FUN(f)(void);

int main(void) {
  athread_init();
  athread_spawn(f, 0);
  athread_join();
  // DEEP: through
  // SHALLOW: fault [deadlock]
  // SHALLOW: CPE 24 has 7 received in its row buffer, the first from CPE 31, {{.*}}; 6 put and not sent
  // TOO: WEFT_EMU_MESH_SEND_DEPTH: a buffer of register communication holds 1 to 8 messages
  puts("through");
  athread_halt();
  return 0;
}
#endif
