// RUN: %athread %s -o %t && not %run %t 2>&1 | FileCheck %s
#ifdef SLAVE
void f(long *out) { *out = 1; }
#else
#include <athread.h>

long out;
extern void SLAVE_FUN(f)(long *);

int main(void) {
  athread_init();
  athread_spawn(f, &out);
  athread_halt();
  return 0;
}
// CHECK: fault [join-missing]: athread_halt while CPEs
// CHECK-NEXT: MPE, cycle {{[1-9][0-9]*}}, {{.*}}halt_without_join.c:[[#@LINE-4]]:3, in main
#endif
