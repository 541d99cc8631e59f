// RUN: %athread %s -o %t && not %run %t 2>&1 | FileCheck %s
#ifdef SLAVE
#include <slave.h>

void f(long *out) {
  char *block = (char *)ldm_malloc(64);
  if (_MYID == 2) {
    ldm_free(block, 64);
    ldm_free(block, 64);
  }
}
// CHECK: fault [ldm-free]: ldm_free of a block that is free already
// CHECK-NEXT: CPE 2 (row 0, column 2), cycle {{[1-9][0-9]*}}, {{.*}}ldm_free_wrong.c:[[#@LINE-4]]:5, in f
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
