// RUN: %athread %s -o %t
// RUN: not %run %t 2>&1 | FileCheck %s
// Code that the compiler knows cannot be reached is reached.
#ifdef SLAVE
#include <slave.h>
void f(long *out) {}
#else
#include <athread.h>

__attribute__((noinline)) static int pick(int number) {
  if (number > 5)
    return 1;
  __builtin_trap();
}

int main(int argc, char **argv) {
  athread_init();
  return pick(argc);
}
// CHECK: fault [illegal-instruction]: the program reached code that cannot run
// CHECK-NEXT: MPE, cycle {{[0-9]+}}, {{.*}}no_return.c:[[#@LINE-8]]:{{.*}}, in pick
// CHECK-NEXT: called at {{.*}}no_return.c:[[#@LINE-4]]:{{.*}}, in main
#endif
