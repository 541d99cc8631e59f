// RUN: %athread %s -o %t && not %run %t 2>&1 | FileCheck %s
#ifdef SLAVE
void f(long *out) {}
#else
#include <stdlib.h>

char *volatile block;

int main(void) {
  block = (char *)malloc(4 << 20);
  free(block);
  block[1000] = 1;
  return 0;
}
// CHECK: fault [freed-memory]: a store in memory that was freed
// CHECK-NEXT: MPE, cycle {{[0-9]+}}, {{.*}}host_use_after_free.c:[[#@LINE-4]]:{{.*}}, in main
// CHECK: found: byte 1000 of a block of 4194304 bytes, allocated at {{.*}}host_use_after_free.c:[[#@LINE-7]]:{{.*}}, freed at {{.*}}host_use_after_free.c:[[#@LINE-6]]:3
#endif
