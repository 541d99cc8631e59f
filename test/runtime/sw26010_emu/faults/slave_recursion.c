// RUN: %athread %s -o %t
// RUN: not %run %t 2>&1 | FileCheck %s --check-prefix=LDM
// RUN: not %t 2>&1 | FileCheck %s --check-prefix=MEMORY
// RUN: not %t calls 2>&1 | FileCheck %s --check-prefix=CALLS
// A recursion without end: with arrays, in LDM (-b) and in main memory, and with calls alone.
#ifdef SLAVE
#include <slave.h>
__thread_local double table[1000];

__attribute__((noinline)) static long arrays(long level, volatile long *above) {
  volatile long own[1000];
  own[level % 1000] = above[0];
  return level ? arrays(level - 1, own) + own[level % 1000] : (long)table[0];
}
__attribute__((noinline)) static long calls(long level) {
  return level ? calls(level - 1) * 3 + level : 0;
}

void f(long *out) {
  volatile long first[4] = {1, 2, 3, 4};
  out[_MYID] = out[64] ? calls(out[65]) : arrays(out[65], first);
}
// LDM: fault [stack-overflow]: the arrays and variables of this function do not fit
// LDM-NEXT: CPE 0 {{.*}}slave_recursion.c:{{[0-9]+}}:{{.*}}in arrays
// LDM-NEXT: called at least {{[0-9]+}} times at {{.*}}slave_recursion.c:[[#@LINE-12]]:{{.*}}, in arrays
// LDM-NEXT: called at {{.*}}slave_recursion.c:[[#@LINE-5]]:{{.*}}, in f
// LDM: 80{{[0-9][0-9]}} bytes: __thread_local variables
// LDM-NEXT: {{[45][0-9][0-9][0-9][0-9]}} bytes: stack of the functions that are running
// LDM: help: make them smaller, or run without -b
// MEMORY: fault [stack-overflow]
// MEMORY-NEXT: CPE 0 {{.*}}slave_recursion.c:{{[0-9]+}}:{{.*}}in arrays
// MEMORY-NEXT: called at least {{[0-9]+}} times at {{.*}}slave_recursion.c:13:
// CALLS: fault [stack-overflow]: the CPE's calls nest too deep
// CALLS-NEXT: CPE 0 {{.*}}slave_recursion.c:{{[0-9]+}}:{{.*}}, in calls
// CALLS-NEXT: called at least {{[0-9]+}} times at {{.*}}slave_recursion.c:16:{{.*}}, in calls
#else
#include <athread.h>
long out[66];
extern void SLAVE_FUN(f)(long *);

int main(int argc, char **argv) {
  out[64] = argc > 1;
  out[65] = 100000000;
  athread_init();
  athread_spawn(f, out);
  athread_join();
  return 0;
}
#endif
