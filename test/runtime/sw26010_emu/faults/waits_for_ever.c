// RUN: %athread %s -o %t && not %run %t 2>&1 | FileCheck %s
// A spin on a word of LDM that nobody will write, and the MPE that waits for it.
#ifdef SLAVE
#include <slave.h>

__thread_local volatile int reply;

void f(long *out) {
  if (_MYID == 6)
    while (reply != 1)
      ;
}
// CHECK: fault [deadlock]: nobody can go on: each core waits for what none will do
// CHECK-NEXT: CPE 6 (row 0, column 6), cycle {{[1-9][0-9]*}}, {{.*}}waits_for_ever.c:[[#@LINE-4]]:{{.*}}, in f
// CHECK-DAG: CPE 6 waits for a change of its LDM
// CHECK-DAG: MPE waits for the CPEs that it spawned{{.*}}waits_for_ever.c:[[#@LINE+10]]:3, in main
#else
#include <athread.h>

long out;
extern void SLAVE_FUN(f)(long *);

int main(void) {
  athread_init();
  athread_spawn(f, &out);
  athread_join();
  return 0;
}
#endif
