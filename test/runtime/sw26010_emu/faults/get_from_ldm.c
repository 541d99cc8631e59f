// RUN: %athread %s -o %t
// RUN: not %run %t 2>&1 | FileCheck %s
// A get whose source is LDM.
#ifndef SLAVE
#include "host.h"
#else
#include <slave.h>

__thread_local double from[8], to[8];
__thread_local volatile int reply;

void f(double *memory) {
  if (_MYID == 20)
    athread_get(PE_MODE, from, to, sizeof to, (void *)&reply, 0, 0, 0);
}
// CHECK: fault [dma-not-in-memory]: the main-memory side of a transfer is an address of LDM
// CHECK-NEXT: CPE 20 (row 2, column 4), cycle {{[1-9][0-9]*}}, {{.*}}get_from_ldm.c:[[#@LINE-3]]:{{.*}}, in f
// CHECK: found: CPE 20 (row 2, column 4)'s LDM, offset {{[0-9]+}}
#endif
