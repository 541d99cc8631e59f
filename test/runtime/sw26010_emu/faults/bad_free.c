// RUN: %athread %s -o %t && not %run %t 2>&1 | FileCheck %s
#ifdef SLAVE
void f(long *out) {}
#else
#include <stdlib.h>

char *volatile block;

int main(void) {
  block = (char *)malloc(100);
  free(block + 16);
  return 0;
}
// CHECK: fault [bad-free]: free of an address that malloc did not return
// CHECK-NEXT: MPE, cycle {{[0-9]+}}, {{.*}}bad_free.c:[[#@LINE-4]]:3, in main
// CHECK: found: byte 16 of a block of 100 bytes, allocated at {{.*}}bad_free.c:[[#@LINE-6]]
#endif
