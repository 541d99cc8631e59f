// RUN: %athread %s -o %t && %run %t 2>&1 | FileCheck %s
// Senders to one buffer that are ordered: by a message from one to the next, by synchronisation, by
// an atomic sum, by join and spawn. No hazard.
#ifdef SLAVE
#include <simd.h>
#include <slave.h>

__thread_local double kept[4] __attribute__((aligned(32)));

static void to_zero(double value) {
  doublev4 v = value;
  simd_putr(v, 0);
}

static void take(double value, long *wrong) {
  doublev4 v;
  v = simd_getr(v);
  simd_store(v, kept);
  if (kept[0] != value)
    ++*wrong;
}

void f(long *words) {
  long *wrong = words, *turn = words + 1;
  doublev4 v = 1.0;
  int i;
  if (_ROW != 0)
    return;
  /* By a chain of messages: 1 sends and then tells 2. */
  if (_COL == 1) {
    to_zero(1);
    simd_putr(v, 2);
  }
  if (_COL == 2) {
    v = simd_getr(v);
    to_zero(2);
  }
  if (_COL == 0) {
    take(1, wrong);
    take(2, wrong);
  }
  /* By synchronisation. */
  for (i = 1; i < 8; i++) {
    athread_syn(ROW_SCOPE, 0xff);
    if (_COL == i)
      to_zero(10 + i);
    if (_COL == 0)
      take(10 + i, wrong);
  }
  athread_syn(ROW_SCOPE, 0xff);
  /* By an atomic count in main memory. */
  if (_COL == 3) {
    to_zero(20);
    faal(turn);
  }
  if (_COL == 4) {
    while (faal(turn + 1) >= 0 && *(volatile long *)turn == 0)
      ;
    faal(turn);
    to_zero(21);
  }
  if (_COL == 0) {
    take(20, wrong);
    take(21, wrong);
  }
}

/* From one function to the next: the same receiver, another sender. */
void g(long *words) {
  if (_MYID == 5)
    to_zero(30);
  if (_MYID == 0)
    take(30, words);
}
#else
#include <athread.h>
#include <stdio.h>

extern void SLAVE_FUN(f)(long *);
extern void SLAVE_FUN(g)(long *);
long words[3];

int main(void) {
  athread_init();
  athread_spawn(f, words);
  athread_join();
  athread_spawn(g, words);
  athread_join();
  // CHECK-NOT: hazard
  // CHECK: wrong: 0
  printf("wrong: %ld\n", words[0]);
  athread_halt();
  return 0;
}
#endif
