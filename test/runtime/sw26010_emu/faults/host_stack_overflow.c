// RUN: %athread %s -o %t && not %run %t 2>&1 | FileCheck %s
// RUN: env WEFT_EMU_HOST_STACK=128 %run %t
#ifdef SLAVE
void f(long *out) {}
#else
#include <stdio.h>

static int deep(int level) {
  volatile char frame[10000];
  frame[level % 100] = 1;
  return level ? deep(level - 1) + frame[level % 100] : 0;
}

int main(void) { return deep(10000) != 10000; }
// CHECK: fault [stack-overflow]: the MPE's stack is full
// CHECK: MPE, cycle {{[1-9][0-9]*}}, {{.*}}host_stack_overflow.c:{{[0-9]+}}:{{[0-9]+}}, in deep
// CHECK-NEXT: called at least {{[0-9]+}} times at {{.*}}host_stack_overflow.c:{{[0-9]+}}:{{[0-9]+}}, in deep
// CHECK: help: recurse less deep, or ask for a larger stack
#endif
