// RUN: %athread %s -o %t && %run %t 2>&1 | FileCheck %s
// A message is there after 8 cycles, after 9 from half a row away; one arrives every cycle; a CPE
// that asks waits just so long.
#ifdef SLAVE
#include <simd.h>
#include <slave.h>

__thread_local double kept[4] __attribute__((aligned(32)));

/* 64 messages there and back. */
static long rounds(int partner, int first) {
  unsigned long begin, end;
  doublev4 v = 1.0;
  int i;
  RPCC(begin);
  for (i = 0; i < 64; i++)
    if (first) {
      simd_putr(v, partner);
      v = simd_getr(v);
    } else {
      v = simd_getr(v);
      simd_putr(v, partner);
    }
  RPCC(end);
  simd_store(v, kept);
  return end - begin;
}

static void once(long *took) {
  unsigned long begin, end;
  doublev4 v = 1.0;
  int i;
  if (_ROW != 0)
    return;
  if (_COL == 0)
    took[0] = rounds(3, 1);
  if (_COL == 3)
    rounds(0, 0);
  athread_syn(ROW_SCOPE, 0xff);
  if (_COL == 0)
    took[1] = rounds(4, 1);
  if (_COL == 4)
    rounds(0, 0);
  athread_syn(ROW_SCOPE, 0xff);
  if (_COL == 7)
    took[2] = rounds(2, 1);
  if (_COL == 2)
    rounds(7, 0);
  athread_syn(ROW_SCOPE, 0xff);
  /* A stream. */
  RPCC(begin);
  if (_COL == 1)
    for (i = 0; i < 256; i++)
      simd_putr(v, 2);
  if (_COL == 2)
    for (i = 0; i < 256; i++)
      v = simd_getr(v);
  RPCC(end);
  simd_store(v, kept);
  if (_COL == 2)
    took[3] = end - begin;
}

/* The second time all of it is in the instruction caches. */
void f(long *took) {
  int i;
  for (i = 0; i < 2; i++)
    once(took);
}
#else
#include <athread.h>
#include <stdio.h>

extern void SLAVE_FUN(f)(long *);
long took[4];

int main(void) {
  athread_init();
  athread_spawn(f, took);
  athread_join();
  /* There and back is at most twice 11 cycles from register to register, and a loop. */
  // CHECK: far less near: 2 0
  printf("far less near: %ld %ld\n", (took[1] - took[0]) / 64, (took[2] - took[1]) / 64);
  // CHECK: a round is plausible: 1
  printf("a round is plausible: %d (%ld)\n", took[0] >= 64 * 16 && took[0] <= 64 * 32,
         took[0] / 64);
  /* A loop of a message, a count and a branch: a few cycles, not a latency. */
  // CHECK: a stream does not wait for latencies: 1
  printf("a stream does not wait for latencies: %d (%ld)\n", took[3] < 256 * 8, took[3]);
  athread_halt();
  return 0;
}
#endif
