// RUN: %athread %s -o %t && not %run %t 2>&1 | FileCheck %s
// More __thread_local variables than LDM has bytes: who takes how much.
#ifdef SLAVE
#include <slave.h>

__thread_local double small[100], large[7000], middle[1500];

void f(long *out) { out[0] = (long)(small[0] + large[0] + middle[0]); }
// CHECK: fault [ldm-overflow]: the __thread_local variables do not fit in a CPE's local memory
// CHECK-NEXT: MPE, cycle {{[0-9]+}}, {{.*}}ldm_overflow.c:[[#@LINE+12]]:3, in main
// CHECK: expected: 65536 bytes at most
// CHECK: 56000 bytes: large
// CHECK-NEXT: 12000 bytes: middle
// CHECK-NEXT: 800 bytes: small
#else
#include <athread.h>

long out[64];
extern void SLAVE_FUN(f)(long *);

int main(void) {
  athread_init();
  athread_spawn(f, out);
  athread_join();
  return 0;
}
#endif
