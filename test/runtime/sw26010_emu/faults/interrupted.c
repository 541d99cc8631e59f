// RUN: %athread %s -o %t
// RUN: env WEFT_EMU_REPORT=%t.json WEFT_EMU_TRACE=%t.pftrace WEFT_EMU_LDM_STACK=1 not --crash %t 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT --input-file %t.json
// RUN: test -s %t.pftrace
// A program that gets nowhere, and somebody ends it: where everybody stands.
#ifdef SLAVE
#include <simd.h>
#include <slave.h>
__thread_local volatile int reply;
__thread_local doublev4 message;
__attribute__((noinline)) static void work(volatile long *out) {
  for (;;)
    *out += 1;
}

void f(long *out) {
  if (_MYID == 5)
    work(out);
  if (_MYID == 6)
    while (reply != 1)
      ;
  if (_MYID == 7)
    message = simd_getr(message);
}
#else
#include <athread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
volatile long out;
extern void SLAVE_FUN(f)(volatile long *);

int main(void) {
  athread_init();
  puts("begins");
  athread_spawn(f, &out);
  while (out < 100)
    ;
  kill(getpid(), SIGTERM);
  athread_join();
  return 0;
}
// CHECK: begins
// CHECK: fault [interrupted]: the run was asked to end (SIGTERM)
// In its loop, or where it last called: what an iteration does by itself leaves no place behind.
// CHECK-DAG: CPE 5 runs, at cycle {{[1-9][0-9]*}}, {{.*}}interrupted.c:{{12:.*, in work|13:.*, in work|18:5, in f}}
// CHECK-DAG: CPE 6 waits for a change of its LDM (a reply word), since cycle {{[1-9][0-9]*}}, {{.*}}interrupted.c:20:
// CHECK-DAG: CPE 7 waits for a message from its row (getr), since cycle {{[1-9][0-9]*}}, {{.*}}interrupted.c:23:
// CHECK-DAG: MPE waits for the CPEs that it spawned{{.*}}interrupted.c:40:3, in main
// REPORT: "status": 143
// REPORT: "name": "interrupted"
#endif
