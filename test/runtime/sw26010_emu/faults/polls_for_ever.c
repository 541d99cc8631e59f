// RUN: %athread %s -o %t
// RUN: not %run %t 2>&1 | FileCheck %s
// RUN: not env WEFT_EMU_FUNCTIONAL=1 %run %t 2>&1 | FileCheck %s
// RUN: %run %t end | FileCheck %s --check-prefix=ENDS
// The MPE asks for ever whether CPEs are done that wait for one another, and does something else
// between. One that asks for some time only is left alone.
#ifdef SLAVE
#include <slave.h>

__thread_local doublev4 message;

void f(volatile long *done) {
  if (_MYID == 7 && done[1])
    message = simd_getr(message);
  athread_syn(ARRAY_SCOPE, 0xffff);
  if (_MYID == 0)
    done[0] = 1;
}
#else
#include <athread.h>
#include <stdio.h>
#include <unistd.h>

volatile long done[2] = {0, 1};
long asked;
extern void SLAVE_FUN(f)(volatile long *);

__attribute__((noinline)) static int ready(void) {
  asked++;
  return done[0] == 1;
}

int main(int argc, char **argv) {
  athread_init();
  done[1] = argc < 2;
  athread_spawn(f, done);
  while (!ready())
    usleep(argc);
  athread_join();
  printf("asked %s\n", asked > 1 ? "often" : "once");
  return 0;
}
// CHECK: fault [deadlock]: the CPEs wait for one another, and the MPE turns in a loop that cannot help them
// CHECK-NEXT: CPE 0 (row 0, column 0), cycle {{[1-9][0-9]*}}, {{.*}}polls_for_ever.c:[[#@LINE-29]]:{{.*}}, in f
// CHECK-DAG: CPE 7 waits for a message from its row (getr), since cycle {{[1-9][0-9]*}}, {{.*}}polls_for_ever.c:[[#@LINE-31]]:
// CHECK-DAG: MPE runs, at cycle {{[1-9][0-9]*}}, {{.*}}polls_for_ever.c:{{[0-9]+}}:{{.*}}, in main
// ENDS: asked
#endif
