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
  athread_spawn(f, &out);
  athread_join();
  return 0;
}
// CHECK: fault [spawn-busy]: athread_spawn on CPEs that are not joined
// CHECK-NEXT: MPE, cycle {{[1-9][0-9]*}}, {{.*}}spawn_twice.c:[[#@LINE-5]]:3, in main
#endif
