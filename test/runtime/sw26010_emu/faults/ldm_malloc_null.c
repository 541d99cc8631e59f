// RUN: %athread %s -o %t && not %run %t 2>&1 | FileCheck %s
// RUN: %athread %s -DTRANSFER -o %t && not %run %t 2>&1 | FileCheck %s --check-prefix=TRANSFER
// Nobody looks whether ldm_malloc had any.
#ifdef SLAVE
#include <slave.h>
__thread_local double table[100];

void f(long *out) {
  int i;
  for (i = 0; i < 10; i++) {
    double *block = (double *)ldm_malloc(16384);
#ifdef TRANSFER
    static __thread_local volatile int reply;
    athread_get(PE_MODE, out, block + i, 8, (void *)&reply, 0, 0, 0);
    while (reply != i + 1)
      ;
    continue;
#endif
    block[i] = table[i] = out[i];
  }
}
// CHECK: fault [null-access]: a store of 8 bytes at a null pointer
// CHECK-NEXT: CPE 0 (row 0, column 0), cycle {{[1-9][0-9]*}}, {{.*}}ldm_malloc_null.c:[[#@LINE-4]]:{{.*}}, in f
// CHECK: its ldm_malloc(16384) returned null, for {{15[0-9]*}} bytes were free in one piece: CPE 0 (row 0, column 0), cycle {{[1-9][0-9]*}}, {{.*}}ldm_malloc_null.c:[[#@LINE-13]]:
// CHECK: 49152 bytes: 3 times ldm_malloc(16384) at {{.*}}ldm_malloc_null.c:[[#@LINE-14]]:
// TRANSFER: fault [dma-not-in-ldm]: athread_get's LDM side is not in the CPE's LDM
// TRANSFER: its ldm_malloc(16384) returned null, for {{15[0-9]*}} bytes were free in one piece: CPE 0
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
