// RUN: %athread %s -o %t
// RUN: not %run %t 2>&1 | FileCheck %s
// An index that leaves LDM.
#ifndef SLAVE
#include "host.h"
#else
#include <slave.h>

__thread_local double table[8];

void f(double *memory) {
  if (_MYID == 60)
    memory[0] = table[8192 + _COL];
}
// CHECK: fault [ldm-out-of-bounds]: a load of 8 bytes outside LDM
// CHECK-NEXT: CPE 60 (row 7, column 4), cycle {{[1-9][0-9]*}}, {{.*}}load_past_ldm.c:[[#@LINE-3]]:{{.*}}, in f
// CHECK: expected: an offset from 0 to 65528
// CHECK: found: {{[0-9]+}} bytes after the end of the LDM of CPE 60 (row 7, column 4)
#endif
