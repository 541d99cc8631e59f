// RUN: %athread %s -o %t
// RUN: not %run %t 2>&1 | FileCheck %s
// A CPE asks again and again for a message that nobody sends.
#ifndef SLAVE
#include "host.h"
#else
#include <slave.h>

void f(double *memory) {
  int empty = 1;
  if (_MYID == 30)
    while (empty)
      asm volatile("rcsr %0, 0x35" : "=r"(empty));
}
// CHECK: fault [deadlock]: nobody can go on: each core waits for what none will do
// CHECK-NEXT: CPE 30 (row 3, column 6), cycle {{[1-9][0-9]*}}, {{.*}}poll_for_ever.c:[[#@LINE-3]]:{{.*}}, in f
#endif
