// RUN: %athread %s -o %t
// RUN: not %run %t 2>&1 | FileCheck %s
// A loop that waits for what nobody does.
#ifndef SLAVE
#include "host.h"
#else
#include <slave.h>

__thread_local volatile int reply;

void f(double *memory) {
  if (_MYID == 12)
    while (reply != 1)
      ;
}
// CHECK: fault [deadlock]: nobody can go on: each core waits for what none will do
// CHECK-NEXT: CPE 12 (row 1, column 4), cycle {{[1-9][0-9]*}}, {{.*}}spin_for_ever.c:[[#@LINE-4]]:{{.*}}, in f
// CHECK: CPE 12 waits for a change of its LDM
// CHECK: MPE waits for the CPEs that it spawned{{.*}}host.h:15
#endif
