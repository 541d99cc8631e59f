// RUN: %athread %s -o %t && not %run %t 2>&1 | FileCheck %s
#ifdef SLAVE
void f(long *out) { *out = 1; }
#else
#include <athread.h>

long out;
extern void SLAVE_FUN(f)(long *);

int main(void) {
  athread_spawn(f, &out);
  athread_join();
  return 0;
}
// CHECK: fault [athread-not-initialised]: athread_spawn before athread_init
// CHECK-NEXT: MPE, {{.*}}not_initialised.c:[[#@LINE-5]]:3, in main
#endif
