/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Latencies of a CPE, each from a loop whose turn is a chain of one thing. The CPEs' half. */
#include <simd.h>
#include <slave.h>

#include "core.h"

__thread_local double line[4] __attribute__((aligned(32)));
__thread_local void *chain[8];
__thread_local volatile int reply;
__thread_local double cycles[CASES];

static unsigned long now(void) {
  unsigned long value;
  RPCC(value);
  return value;
}

#define TIME(place, operations, ...)                                                               \
  do {                                                                                             \
    unsigned long start = now();                                                                   \
    for (i = 0; i < TURNS; i++) {                                                                  \
      __VA_ARGS__                                                                                  \
    }                                                                                              \
    cycles[place] = (double)(now() - start) / TURNS / (operations);                                \
  } while (0)

#define EIGHT(x) x x x x x x x x

/* What a loop begins with is read, and what it ends with written, so that it stays between the
 * clocks. */
__thread_local volatile double seed, scalar;
__thread_local void *volatile place;

static void arithmetic(void) {
  doublev4 a, c0, c1, c2, c3, c4, c5, c6, c7;
  double s;
  void *p;
  int i;
  simd_load(a, line);
  c0 = c1 = c2 = c3 = c4 = c5 = c6 = c7 = a;
  TIME(CHAIN, 8, EIGHT(c0 = c0 * a + a;));
  simd_store(c0, line);
  TIME(CHAINS, 8, c0 = c0 * a + a; c1 = c1 * a + a; c2 = c2 * a + a; c3 = c3 * a + a;
       c4 = c4 * a + a; c5 = c5 * a + a; c6 = c6 * a + a; c7 = c7 * a + a;);
  c0 = c0 + c1 + c2 + c3 + c4 + c5 + c6 + c7;
  simd_store(c0, line);
  TIME(DIVIDE, 8, s = seed; EIGHT(s = 3.0 / s;) scalar = s;);
  TIME(LOAD, 8, p = place; EIGHT(p = *(void **)p;) place = p;);
}

/* To and fro between CPE 0 and another of its row: half a round is one way. */
static void message(int place, int other) {
  doublev4 v = 1.0;
  int i;
  athread_syn(ARRAY_SCOPE, 0xffff);
  if (_MYID == 0)
    TIME(place, 2, simd_putr(v, other); v = simd_getr(v););
  else if (_MYID == other)
    for (i = 0; i < TURNS; i++) {
      v = simd_getr(v);
      simd_putr(v, 0);
    }
  simd_store(v, line);
}

/* All CPEs at once: each puts to its right neighbour and gets from its left one. */
static void row_exchange(void) {
  doublev4 v = 1.0;
  int i;
  athread_syn(ARRAY_SCOPE, 0xffff);
  TIME(EXCHANGE, 8, EIGHT(simd_putr(v, (_COL + 1) & 7);) EIGHT(v = simd_getr(v);));
  simd_store(v, line);
}

void measure(struct work *arguments) {
  struct work work = *arguments;
  volatile double *memory = work.memory;
  double sum = 0;
  int i;
  for (i = 0; i < 8; i++)
    chain[i] = &chain[(i + 3) % 8];
  place = &chain[0];
  for (i = 0; i < 4; i++)
    line[i] = 1.5;
  seed = 1.5;
  arithmetic();
  message(NEAR, 1);
  message(FAR, 7);
  row_exchange();
  athread_syn(ARRAY_SCOPE, 0xffff);
  TIME(SYNC_ROW, 1, athread_syn(ROW_SCOPE, 0xff););
  athread_syn(ARRAY_SCOPE, 0xffff);
  TIME(SYNC_ARRAY, 1, athread_syn(ARRAY_SCOPE, 0xffff););
  if (_MYID != 0)
    return;
  TIME(GLD, 8, EIGHT(sum += memory[i];));
  for (i = 0; i < 4; i++)
    line[i] = sum;
  TIME(GET, 1, reply = 0; athread_get(PE_MODE, work.memory, line, 32, (void *)&reply, 0, 0, 0);
       while (reply != 1););
  for (i = 0; i < CASES; i++)
    work.cycles[i] = cycles[i];
}

/* Neighbours of a row send to and fro, all at once: the emulator changes cores at each message. */
void rounds(struct work *arguments) {
  long count = arguments->messages, i;
  doublev4 v = 1.0;
  int other = _COL ^ 1;
  if (_COL & 1)
    for (i = 0; i < count; i++) {
      v = simd_getr(v);
      simd_putr(v, other);
    }
  else
    for (i = 0; i < count; i++) {
      simd_putr(v, other);
      v = simd_getr(v);
    }
  simd_store(v, line);
}
