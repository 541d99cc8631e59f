// RUN: %athread %s -o %t
// RUN: not %run %t 2>&1 | FileCheck %s
// More __thread variables than a private segment has room for.
#ifndef SLAVE
#include "host.h"
#else
#include <slave.h>

__thread double table[3000000];

void f(double *memory) { memory[_MYID] = table[_MYID]; }
// CHECK: fault [private-overflow]: the __thread variables do not fit in a CPE's private segment
// CHECK-NEXT: MPE, cycle {{[0-9]+}}, {{.*}}host.h:{{[0-9]+}}:3, in main
// CHECK: found: 24000000 bytes
#endif
