// RUN: %athread %s -o %t && not %run %t 2>&1 | FileCheck %s
// RUN: not %run %t wait 2>&1 | FileCheck %s --check-prefix=WAIT
// A helper that several places call, one inlined and one not: which call it was.
#ifdef SLAVE
#include <slave.h>
__thread_local double buffer[8];
__thread_local volatile int reply;
static inline void add(double *from) { buffer[0] += *from; }
__attribute__((noinline)) static void both(double *one, double *other) {
  add(one);
  add(other);
}
__attribute__((noinline)) static void await(int count) {
  while (reply != count)
    ;
}

void f(double **argument) {
  double own = 0;
  if (argument[1]) {
    await(0);
    await(1);
  }
  both(argument[0], argument[0]);
  both(argument[0],
       _MYID == 2 ? argument[1] : argument[0]);
}
// CHECK: fault [null-access]: a load of 8 bytes at a null pointer
// CHECK-NEXT: CPE 2 (row 0, column 2), cycle {{[1-9][0-9]*}}, {{.*}}called_from.c:[[#@LINE-21]]:{{.*}}, in add
// CHECK-NEXT: called at {{.*}}called_from.c:[[#@LINE-19]]:3, in both
// CHECK-NEXT: called at {{.*}}called_from.c:[[#@LINE-6]]:3, in f
// CHECK: its function was spawned at {{.*}}called_from.c:[[#@LINE+16]]:3, in run
// WAIT: fault [deadlock]: nobody can go on: each core waits for what none will do
// WAIT: CPE 0-63 wait for a change of its LDM (a reply word), since cycle {{[0-9]+}}, {{.*}}called_from.c:14:{{.*}}, in await
// WAIT-NEXT: called at {{.*}}called_from.c:22:5, in f
// WAIT: MPE waits for the CPEs that it spawned, since cycle {{[0-9]+}}, {{.*}}called_from.c:[[#@LINE+13]]:3, in run
// WAIT-NEXT: called at {{.*}}called_from.c:[[#@LINE+17]]:3, in main
#else
#include <athread.h>
static double number;
extern void SLAVE_FUN(f)(double **);

__attribute__((noinline)) static void run(double *other) {
  double *argument[2];
  argument[0] = &number;
  argument[1] = other;
  athread_init();
  athread_spawn(f, argument);
  athread_join();
}

int main(int argc, char **argv) {
  number = argc;
  run(argc > 1 ? &number : 0);
  return 0;
}
#endif
