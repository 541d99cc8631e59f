// RUN: %athread %s -o %t && env WEFT_EMU_SHARE_SIZE=64 %run %t | FileCheck %s
// As much memory as was asked for, and no more; what is freed comes back.
#ifdef SLAVE
void f(void) {}
#else
#include <stdio.h>
#include <stdlib.h>

void *volatile first, *volatile second;

int main(void) {
  first = malloc(40 << 20);
  second = malloc(40 << 20);
  printf("%d %d\n", first != NULL, second == NULL); // CHECK: 1 1
  free(first);
  second = malloc(40 << 20);
  printf("%d\n", second == first); // CHECK: 1
  return 0;
}
#endif
