// RUN: %athread %s -o %t && not %run %t 2>&1 | FileCheck %s
#ifdef SLAVE
void f(long *out) {}
#else
#include <stdlib.h>

void *volatile block;

int main(void) {
  block = malloc(100);
  free(block);
  free(block);
  return 0;
}
// CHECK: fault [double-free]: free of a block that is free already
// CHECK-NEXT: MPE, cycle {{[0-9]+}}, {{.*}}double_free.c:[[#@LINE-4]]:3, in main
// CHECK: allocated at {{.*}}double_free.c:[[#@LINE-7]]:{{.*}}, in main, freed at {{.*}}double_free.c:[[#@LINE-6]]:3, in main
// CHECK: called at {{.*}}double_free.c:[[#@LINE-6]]:3, in main
#endif
