// RUN: %athread %s -o %t && not %run %t 2>&1 | FileCheck %s
// The host reads through a null pointer. What it printed before is there.
#ifdef SLAVE
void f(long *out) {}
#else
#include <stdio.h>

struct item {
  long value[4];
};
struct item *volatile item;

int main(void) {
  printf("before ");
  return (int)item->value[3];
}
// CHECK-DAG: before
// CHECK-DAG: fault [null-access]: a load at a null pointer
// CHECK-DAG: found: 0x18, that is null and 24 bytes
// CHECK-DAG: MPE, cycle {{[1-9][0-9]*}}, {{.*}}host_null.c:[[#@LINE-5]]:{{.*}}, in main
#endif
