// RUN: %athread %s -o %t
// RUN: not %run %t 2>&1 | FileCheck %s
// Two CPEs of a row synchronise with different masks.
#ifndef SLAVE
#include "host.h"
#else
#include <slave.h>

void f(double *memory) {
  if (_MYID == 0)
    athread_syn(ROW_SCOPE, 0x03);
  if (_MYID == 1)
    athread_syn(ROW_SCOPE, 0x07);
}
// CHECK: fault [deadlock]: nobody can go on: each core waits for what none will do
// CHECK-NEXT: CPE 0 (row 0, column 0), cycle {{[1-9][0-9]*}}, {{.*}}mask_mismatch.c:[[#@LINE-5]]:{{.*}}, in f
// CHECK: CPE 0 synchronises with mask 0x03, still without CPE 1 (which is in a row synchronisation with mask 0x07): {{.*}}mask_mismatch.c:[[#@LINE-6]]:
// CHECK: CPE 1 synchronises with mask 0x07, still without CPE 0 (which is in a row synchronisation with mask 0x03), CPE 2 (its function has ended): {{.*}}mask_mismatch.c:[[#@LINE-5]]:
#endif
