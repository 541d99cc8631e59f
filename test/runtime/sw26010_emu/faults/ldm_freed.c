// RUN: %athread %s -o %t
// RUN: %t 2>&1 | FileCheck %s
// RUN: not env WEFT_EMU_STRICT=1 %t
// LDM that was freed is still read, and a get goes on where nothing is allocated. The machine
// passes over both: hazards.
#ifdef SLAVE
#include <dma.h>
#include <slave.h>
__thread_local volatile int reply;

void f(long *out) {
  long *block = (long *)ldm_malloc(640), *other;
  block[3] = 3;
  ldm_free(block, 640);
  if (_MYID == 9)
    out[9] = block[3];
  other = (long *)ldm_malloc(640); /* the same bytes again: no hazard */
  other[3] = out[9];
  if (_MYID == 10) {
    reply = 0;
    athread_get(PE_MODE, out, other + 60, 256, (void *)&reply, 0, 0, 0);
    dma_wait(&reply, 1);
  }
}
// CHECK-NOT: hazard
// CHECK: hazard [ldm-freed]: a load from LDM that was freed: 8 bytes at LDM offset {{[0-9]+}}, byte 24 of ldm_malloc(640) {{.*}}ldm_freed.c:[[#@LINE-14]]:
// CHECK-NEXT: CPE 9 (row 1, column 1), cycle {{[1-9][0-9]*}}, {{.*}}ldm_freed.c:[[#@LINE-11]]:{{.*}}, in f
// CHECK: freed at {{.*}}ldm_freed.c:[[#@LINE-14]]:
// CHECK: hazard [ldm-not-allocated]: a get fills LDM where nothing is allocated: 256 bytes at LDM offset {{[0-9]+}}, byte 480 of ldm_malloc(640)
// CHECK-NEXT: CPE 10 {{.*}}ldm_freed.c:[[#@LINE-9]]:
// CHECK-NOT: hazard
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
