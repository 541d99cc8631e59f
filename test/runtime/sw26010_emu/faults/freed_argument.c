// RUN: %athread %s -o %t
// RUN: not %run %t 2>&1 | FileCheck %s
// The host frees the argument while CPEs read it.
#ifdef SLAVE
#include <dma.h>
#include <slave.h>

__thread_local double block[64];
__thread_local volatile int reply;

void f(double *memory) {
  athread_get(PE_MODE, memory, block, sizeof block, (void *)&reply, 0, 0, 0);
  dma_wait(&reply, 1);
}
// CHECK: fault [freed-memory]: the source of a get of 512 bytes in memory that was freed
// CHECK-NEXT: CPE 0 (row 0, column 0), cycle {{[1-9][0-9]*}}, {{.*}}freed_argument.c:[[#@LINE-4]]:{{.*}}, in f
// CHECK: allocated at {{.*}}freed_argument.c:[[#@LINE+10]]{{.*}}freed {{.*}}freed_argument.c:[[#@LINE+13]]
#else
#include <athread.h>
#include <stdlib.h>

extern void SLAVE_FUN(f)(double *);

int main(void) {
  double *memory;
  athread_init();
  memory = (double *)malloc(64 * sizeof(double));
  memory[0] = 1;
  athread_spawn(f, memory);
  free(memory);
  athread_join();
  return 0;
}
#endif
