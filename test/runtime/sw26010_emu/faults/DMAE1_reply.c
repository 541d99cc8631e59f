// RUN: %athread %s -o %t
// RUN: not %run %t 2>&1 | FileCheck %s
// A reply word that is not aligned to 4 bytes.
#ifndef SLAVE
#include "host.h"
#else
#include <slave.h>

__thread_local double buffer[64];
__thread_local char words[16] __attribute__((aligned(8)));

void f(double *memory) {
  if (_MYID == 8)
    athread_get(PE_MODE, memory, buffer, 64, words + 2, 0, 0, 0);
}
// CHECK: fault [DMAE1]: get in PE_MODE: the reply word is not aligned
// CHECK-NEXT: CPE 8 (row 1, column 0), cycle {{[1-9][0-9]*}}, {{.*}}DMAE1_reply.c:[[#@LINE-3]]:{{.*}}, in f
// CHECK: expected: an LDM address that is a multiple of 4
#endif
