// RUN: %athread %s -o %t
// RUN: not %run %t 2>&1 | FileCheck %s
// The program ends without athread_join.
#ifdef SLAVE
#include <slave.h>

void f(double *memory) { memory[_MYID] = 1; }
#else
#include <athread.h>

extern void SLAVE_FUN(f)(double *);
double memory[64];

int main(void) {
  athread_init();
  athread_spawn(f, memory);
  return 0;
}
// CHECK: fault [join-missing]: the program ends while CPEs that it spawned were never joined
// CHECK-NEXT: MPE, cycle {{[1-9][0-9]*}}
// CHECK: spawned by: CPE 0 (row 0, column 0), cycle {{[1-9][0-9]*}}, {{.*}}join_missing.c:[[#@LINE-5]]
#endif
