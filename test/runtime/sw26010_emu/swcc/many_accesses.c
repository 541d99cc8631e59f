// RUN: %athread %s -o %t && %run %t 2>&1 | FileCheck %s
// RUN: %athread %s -DPAST_END -o %t.end && not %run %t.end 2>&1 | FileCheck %s --check-prefix=END
// RUN: %athread %s -DODD -o %t.odd && not %run %t.odd 2>&1 | FileCheck %s --check-prefix=ODD
// RUN: %athread %s -DEARLY -o %t.early && %run %t.early 2>&1 | FileCheck %s --check-prefix=EARLY
// A function with more accesses than are checked in place: the others are checked by calls, which
// leave every register as it was, charge main memory and name the place of a fault.
#define TWICE(x, i) x(i) x((i) + 1)
#define FOUR(x, i) TWICE(x, i) TWICE(x, (i) + 2)
#define EIGHT(x, i) FOUR(x, i) FOUR(x, (i) + 4)
#define SIXTEEN(x, i) EIGHT(x, i) EIGHT(x, (i) + 8)
#ifdef SLAVE
#include <simd.h>
#include <slave.h>

__thread_local double a[256], b[64] __attribute__((aligned(32)));
__thread_local volatile int reply;

#define LOAD(i) doublev4 v##i = *(doublev4 *)(b + (4 * (i) + n) % 64);
#define LOADS LOAD(0) LOAD(1) LOAD(2) LOAD(3) LOAD(4) LOAD(5) LOAD(6) LOAD(7) LOAD(8) LOAD(9)
// One access to LDM, one to main memory.
#define STEP(i) a[(i) * 3 % 97 + n] += memory[i];

void f(double *memory, int n) {
  int i;
  for (i = 0; i < 64; i++)
    a[i] = i;
  for (i = 0; i < 64; i++)
    b[i] = 100 * i + _MYID;
  LOADS
  SIXTEEN(STEP, 0)
  SIXTEEN(STEP, 16)
  SIXTEEN(STEP, 32)
  SIXTEEN(STEP, 48)
#ifdef PAST_END
  a[n + 40] = ((volatile double *)memory)[1 << 29];
#endif
#ifdef ODD
  a[n + 41] = *(double *)((long)a + n + 4);
#endif
#ifdef EARLY
  reply = 0;
  athread_get(PE_MODE, memory, b, sizeof b, (void *)&reply, 0, 0, 0);
  a[n + 42] = b[n + 8];
  while (reply != 1)
    ;
#endif
  // What was loaded before all these checks is still in registers.
  v0 = v0 + v1 + v2 + v3 + v4 + v5 + v6 + v7 + v8 + v9;
  simd_store(v0, b);
  memory[64 + _MYID] = b[0] + b[1] + b[2] + b[3];
  memory[128 + _MYID] = a[9];
}

struct Work {
  double *memory;
  int n;
};
void start(struct Work *work) { f(work->memory, work->n); }
#else
#include <athread.h>
#include <stdio.h>

double memory[192] __attribute__((aligned(32)));
struct {
  double *memory;
  int n;
} work = {memory, 0};
extern void SLAVE_FUN(start)(void *);

int main(void) {
  int i, wrong = 0;
  for (i = 0; i < 64; i++)
    memory[i] = i / 4.0;
  athread_init();
  athread_spawn(start, &work);
  athread_join();
  // Elements 0 to 39 of b: 100 times their sum, and the core's number 40 times. a[9] = 9 +
  // memory[3].
  for (i = 0; i < 64; i++)
    wrong += memory[64 + i] != 100.0 * 780 + 40 * i || memory[128 + i] != 9.75;
  // CHECK: wrong 0
  printf("wrong %d\n", wrong);
  athread_halt();
  return 0;
}
// END: fault [
// END-NEXT: CPE 0 (row 0, column 0), cycle {{[1-9][0-9]*}}, {{.*}}many_accesses.c:[[#@LINE-52]]:{{.*}}, in f
// ODD: fault [UNALIGN]
// ODD-NEXT: CPE 0 (row 0, column 0), cycle {{[1-9][0-9]*}}, {{.*}}many_accesses.c:[[#@LINE-51]]:{{.*}}, in f
// EARLY: hazard [ldm-under-dma]
// EARLY-NEXT: CPE {{.*}}many_accesses.c:[[#@LINE-48]]:{{.*}}, in f
#endif
