// RUN: %athread %s -o %t && %run %t 2>&1 | FileCheck %s --implicit-check-not=hazard
// RUN: %athread %s -DEARLY -o %t.early && %run %t.early 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: %athread %s -DBESIDE -o %t.beside && %run %t.beside 2>&1 | FileCheck %s --implicit-check-not=hazard
// RUN: %athread %s -DODD -o %t.odd && not %run %t.odd 2>&1 | FileCheck %s --check-prefix=ODD
// RUN: %athread %s -DMAIN -o %t.main && %run %t.main 2>&1 | FileCheck %s --check-prefix=MAIN
// RUN: %swcc -slave -msimd -c --emit=llvm %s -DSLAVE -o %t.ll
// RUN: sed -n '/@slave_run(/,/^}/p' %t.ll | FileCheck %s --check-prefix=CODE
// A long run without branches has a version without checks, which runs if one test for each array
// says that all it touches is plain: what is not is found as without that version, and what lies
// beside it is no matter.
#define TWICE(x, i) x(i) x((i) + 1)
#define FOUR(x, i) TWICE(x, i) TWICE(x, (i) + 2)
#define SIXTEEN(x, i) FOUR(x, i) FOUR(x, (i) + 4) FOUR(x, (i) + 8) FOUR(x, (i) + 12)
#ifdef SLAVE
#include <slave.h>

__thread_local double a[256], b[256];
__thread_local volatile int reply;

#define STEP(i) p[(i) * 3 % 64] = p[(i) * 5 % 64] * 0.5 + q[(i) * 7 % 64];

// CODE: [[FIRST:%.*]] = call i32 @weft_sw_window(
// CODE: [[SECOND:%.*]] = call i32 @weft_sw_window(
// CODE-NOT: call i32 @weft_sw_window(
// CODE: br i1 {{%.*}}, label %[[FAST:[0-9]+]], label %[[CHECKED:[0-9]+]],
// CODE: {{^}}[[CHECKED]]:
// CODE: call preserve_allcc void @__weft_check
// CODE: {{^}}[[FAST]]:
// CODE-NOT: __weft_check
// CODE: }
double __attribute__((noinline)) run(double *p, double *q) {
  SIXTEEN(STEP, 0)
  SIXTEEN(STEP, 16)
  SIXTEEN(STEP, 32)
  SIXTEEN(STEP, 48)
  return p[3] + p[9];
}

void start(double *memory) {
  double *p = a, *q = b;
  int i;
  for (i = 0; i < 256; i++)
    a[i] = i, b[i] = 100 + _MYID;
#ifdef EARLY
  reply = 0;
  athread_get(PE_MODE, memory, b + 40, 64, (void *)&reply, 0, 0, 0);
#endif
#ifdef BESIDE
  reply = 0;
  athread_get(PE_MODE, memory, b + 128, 64, (void *)&reply, 0, 0, 0);
#endif
#ifdef ODD
  p = (double *)((char *)a + 4);
#endif
#ifdef MAIN
  if (_MYID == 5)
    q = memory + 256;
#endif
  memory[_MYID] = run(p, q);
#if defined(EARLY) || defined(BESIDE)
  while (reply != 1)
    ;
#endif
}
#else
#include <athread.h>
#include <stdio.h>

double memory[512], p[64];
extern void SLAVE_FUN(start)(void *);

int main(void) {
  int i, core, wrong = 0;
  for (i = 0; i < 512; i++)
    memory[i] = 105;
  athread_init();
  athread_spawn(start, memory);
  athread_join();
  for (core = 0; core < 64; core++) {
    for (i = 0; i < 64; i++)
      p[i] = i;
    for (i = 0; i < 64; i++)
      p[i * 3 % 64] = p[i * 5 % 64] * 0.5 + 100 + core;
    wrong += memory[core] != p[3] + p[9];
  }
  // CHECK: wrong 0
  // MAIN: wrong 0
  printf("wrong %d\n", wrong);
  athread_halt();
  return 0;
}
// EARLY: hazard [ldm-under-dma]
// EARLY-NEXT: CPE {{.*}}straight_runs.c:{{3[23456]}}:{{.*}}, in run
// ODD: fault [UNALIGN]
// ODD-NEXT: CPE 0 {{.*}}straight_runs.c:{{3[23456]}}:{{.*}}, in run
#endif
