// RUN: %athread %s -o %t
// RUN: %run %t 2>&1 | FileCheck %s --check-prefixes=CHECK,ON
// RUN: not env WEFT_EMU_STRICT=1 %run %t 2>&1 | FileCheck %s --check-prefixes=CHECK,STRICT
// A function ends while its put is under way.
#ifndef SLAVE
#include "host.h"
#else
#include <slave.h>

__thread_local double buffer[64];
__thread_local volatile int reply;

void f(double *memory) {
  if (_MYID == 40)
    athread_put(PE_MODE, buffer, memory, 512, (void *)&reply, 0, 0);
}
// CHECK: [reply-never-awaited]: the function ends while a put that it gave is under way
// CHECK-NEXT: CPE 40 (row 5, column 0), cycle {{[1-9][0-9]*}}, {{.*}}reply_never_awaited.c:[[#@LINE-3]]:{{.*}}, in f
// ON: the program ends
// STRICT-NOT: the program ends
#endif
