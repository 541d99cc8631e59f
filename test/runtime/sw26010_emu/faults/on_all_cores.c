// RUN: %athread %s -o %t && not %run %t 2>&1 | FileCheck %s
// RUN: not %run %t 2>&1 | FileCheck %s --check-prefix=ONCE
// Most CPEs meet the same fault: told once, with who else. What they would print is not there.
#ifdef SLAVE
#include <slave.h>
#include <stdio.h>

void f(long *out) {
  if (_MYID % 8 == 7) {
    printf("CPE %d ends\n", _MYID);
    return;
  }
  *(volatile int *)(out[64] + 8) = 1;
}
// CHECK: fault [null-access]: a store of 4 bytes at a null pointer
// CHECK-NEXT: CPE 0 (row 0, column 0), cycle {{[1-9][0-9]*}}, {{.*}}on_all_cores.c:[[#@LINE-3]]:{{.*}}, in f
// CHECK: the same on 55 other CPEs (1-6, 8-14, 16-22, 24-30, 32-38, 40-46, 48-54, 56-62) within 20000 cycles
// ONCE-COUNT-1: fault [
// ONCE-NOT: fault [
// ONCE-NOT: CPE {{[0-9]+}} ends
#else
#include <athread.h>
long out[65];
extern void SLAVE_FUN(f)(long *);

int main(void) {
  athread_init();
  athread_spawn(f, out);
  athread_join();
  return 0;
}
#endif
