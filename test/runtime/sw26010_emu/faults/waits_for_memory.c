// RUN: %athread %s -o %t && not %run %t 2>&1 | FileCheck %s
// MPE and CPEs read words of main memory in loops that none of them will write.
#ifdef SLAVE
#include <slave.h>

extern volatile long flag;

void f(long *out) {
  while (flag != _MYID + 2)
    ;
}
#else
#include <athread.h>

volatile long flag;
long out;
extern void SLAVE_FUN(f)(long *);

int main(void) {
  athread_init();
  athread_spawn(f, &out);
  while (flag == 0)
    ;
  athread_join();
  return 0;
}
// CHECK: fault [deadlock]: nobody can go on: each core waits for what none will do
// CHECK-DAG: CPE 0-63 wait for a change of main memory{{.*}}cycle {{[1-9][0-9]*}}, {{.*}}waits_for_memory.c:9:{{.*}}, in f
// CHECK-DAG: MPE waits for a change of main memory{{.*}}cycle {{[1-9][0-9]*}}, {{.*}}waits_for_memory.c:22:{{.*}}, in main
#endif
