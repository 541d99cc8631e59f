// RUN: %athread %s -o %t && %run %t > %t.out 2>&1 && FileCheck %s --input-file %t.out
// RUN: not env WEFT_EMU_STRICT=1 %t
// A hazard: the run goes on, and the whole block is free again.
#ifdef SLAVE
#include <slave.h>

void f(long *out) {
  size_t all = get_allocatable_size();
  char *block = (char *)ldm_malloc(6400);
  ldm_free(block, 3200);
  out[_MYID] = get_allocatable_size() == all;
}
// CHECK: hazard [ldm-free-size]: ldm_free with another size than ldm_malloc; the whole block is freed
// CHECK-NEXT: CPE 0 {{.*}}ldm_free_size.c:[[#@LINE-4]]:3, in f
// CHECK: expected: 6400 bytes, as allocated
// CHECK-NEXT: found: 3200 bytes
// CHECK-NEXT: allocated{{.*}}ldm_free_size.c:[[#@LINE-8]]
#else
#include <athread.h>
#include <stdio.h>

long out[64];
extern void SLAVE_FUN(f)(long *);

int main(void) {
  athread_init();
  athread_spawn(f, out);
  athread_join();
  // CHECK: freed 1
  printf("freed %ld\n", out[63]);
  return 0;
}
#endif
