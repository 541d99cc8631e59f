// RUN: %athread %s -o %t && not %run %t 2>&1 | FileCheck %s
// An event that the emulator does not model is told by its name where the counter is started.
#ifdef SLAVE
#include <slave.h>

void f(void *unused) {
  asm volatile("wcsr %0, 5" : : "r"(0x11L << 59));
  asm volatile("wcsr %0, 8" : : "r"(1L));
}
#else
#include <athread.h>

extern void SLAVE_FUN(f)(void *);

int main(void) {
  athread_init();
  athread_spawn(f, 0);
  athread_join();
  return 0;
}
// CHECK: fault [unknown-counter]: performance counter 0 is started with an event that the emulator does not model
// CHECK-NEXT: CPE 0 {{.*}}unknown_counter.c:[[#@LINE-14]]:
// CHECK: found: event 0x11 (jmp_pred_fail)
#endif
