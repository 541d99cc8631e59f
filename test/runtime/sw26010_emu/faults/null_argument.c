// RUN: %athread %s -o %t
// RUN: not %run %t 2>&1 | FileCheck %s
// A function that needs an argument is given none.
#ifdef SLAVE
#include <slave.h>

struct work {
  long unused, n;
};
__thread_local long n;

void f(struct work *work) { n = work->n; }
// CHECK: fault [null-access]: a load of 8 bytes at a null pointer
// CHECK-NEXT: CPE 0 (row 0, column 0), cycle {{[1-9][0-9]*}}, {{.*}}null_argument.c:[[#@LINE-2]]:{{.*}}, in f
#else
#include <athread.h>

extern void SLAVE_FUN(f)(void *);

int main(void) {
  athread_init();
  athread_spawn(f, 0);
  athread_join();
  return 0;
}
#endif
