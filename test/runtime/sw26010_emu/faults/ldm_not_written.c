// RUN: %athread %s -o %t
// RUN: %run %t 2>&1 | FileCheck %s --check-prefixes=CHECK,ON
// RUN: not env WEFT_EMU_STRICT=1 %run %t 2>&1 | FileCheck %s --check-prefixes=STRICT
// What ldm_malloc gave is read, and sent, before anything was written there; and the ways to write
// it that are none of that.
#ifdef SLAVE
#include <dma.h>
#include <slave.h>
#include <string.h>
typedef struct {
  double value[3];
  long unused[20];
} Item;
__thread_local volatile int reply;
__thread_local Item copy;

__attribute__((noinline)) static double sum(const double *from, int n) {
  double all = 0;
  for (int i = 0; i < n; i++)
    all += from[i];
  return all;
}

void f(double *memory) {
  double *block = (double *)ldm_malloc(640);
  double *other = (double *)ldm_malloc(640);
  Item *item = (Item *)ldm_malloc(sizeof(Item));
  int i;
  reply = 0;
  if (_MYID == 0) { /* all of these are right */
    athread_get(PE_MODE, memory, block, 640, (void *)&reply, 0, 0, 0);
    dma_wait(&reply, 1);
    memset(other, 0, 320);
    for (i = 40; i < 80; i++)
      other[i] = i;
    item->value[0] = sum(block, 80) + sum(other, 80);
    copy = *item;
    memory[600] = copy.value[0];
  }
  if (_MYID == 1)
    memory[601] = sum(block + 8, 8);
  if (_MYID == 3) {
    athread_put(PE_MODE, other, memory + 800, 640, (void *)&reply, 0, 0);
    dma_wait(&reply, 1);
  }
}
// CHECK-NOT: hazard
// CHECK: hazard [ldm-not-written]: a load from LDM that nothing was written to: 8 bytes at LDM offset {{[0-9]+}}, byte 64 of ldm_malloc(640) {{.*}}ldm_not_written.c:[[#@LINE-23]]:
// CHECK-NEXT: CPE 1 (row 0, column 1), cycle {{[1-9][0-9]*}}, {{.*}}ldm_not_written.c:[[#@LINE-29]]:{{.*}}, in sum
// CHECK: hazard [ldm-not-written]: a put sends LDM that nothing was written to: 640 bytes at LDM offset {{[0-9]+}}, byte 0 of ldm_malloc(640) {{.*}}ldm_not_written.c:[[#@LINE-24]]:
// CHECK-NEXT: CPE 3 (row 0, column 3), cycle {{[1-9][0-9]*}}, {{.*}}ldm_not_written.c:[[#@LINE-8]]:{{.*}}, in f
// CHECK-NOT: hazard
// ON: sum 2380
// STRICT: fault [ldm-not-written]
// STRICT-NOT: sum 2380
#else
#include <athread.h>
#include <stdio.h>

double memory[1024];
extern void SLAVE_FUN(f)(double *);

int main(void) {
  athread_init();
  athread_spawn(f, memory);
  athread_join();
  printf("sum %g\n", memory[600]);
  return 0;
}
#endif
