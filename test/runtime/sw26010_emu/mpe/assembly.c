// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host code reads its cycle counter with `rtc`; what the MPE does not know here is refused.
// RUN: %swcc -host -c %s -o %t.o && %swcc -hybrid %t.o -o %t && %t | FileCheck %s
// RUN: not %swcc -host -DWRONG -c %s -o %t.wrong.o 2>&1 | FileCheck %s --check-prefix=WRONG
#include <stdio.h>

static unsigned long now(void) {
  unsigned long cycles;
  asm volatile("rtc %0" : "=r"(cycles) : : "memory");
  asm volatile("memb\n\t");
  return cycles;
}

int main(void) {
  unsigned long first = now(), second;
  volatile int i;
  for (i = 0; i < 1000; i++)
    ;
  second = now();
  // A turn of the loop is some instructions: more than one cycle, less than ten.
  // CHECK: 1
  printf("%d\n", second - first > 1000 && second - first < 10000);
#ifdef WRONG
  // WRONG: assembly.c:[[#@LINE+1]]:3: error: inline assembly that host code cannot have here: 'vldd $0, 0($1)'
  asm("vldd %0, 0(%1)" : "=r"(first) : "r"(&second));
#endif
  return 0;
}
