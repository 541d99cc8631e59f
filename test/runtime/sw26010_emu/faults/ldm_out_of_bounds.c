// RUN: %athread %s -o %t
// RUN: not %run %t 2>&1 | FileCheck %s
// A get that goes past the end of LDM.
#ifndef SLAVE
#include "host.h"
#else
#include <slave.h>

__thread_local double buffer[64];
__thread_local volatile int reply;

void f(double *memory) {
  reply = 0;
  if (_MYID == 5)
    athread_get(PE_MODE, memory, buffer, 65536, (void *)&reply, 0, 0, 0);
}
// CHECK: fault [LDME]: the transfer goes past the end of LDM
// CHECK-NEXT: CPE 5 (row 0, column 5), cycle {{[1-9][0-9]*}}, {{.*}}ldm_out_of_bounds.c:[[#@LINE-3]]:{{.*}}, in f
// CHECK: found: 65536 bytes
// CHECK-NOT: the program ends
#endif
