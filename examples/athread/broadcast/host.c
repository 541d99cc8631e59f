/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Broadcast DMA: the MPE's half. A table is fetched by every CPE on its own, and then once for all;
 * both ways must leave the same sums, and the second costs memory a 64th of the traffic. */
#include <athread.h>
#include <stdio.h>
#include <stdlib.h>

#include "broadcast.h"

/* The MPE's cycle counter. */
static unsigned long cycles_now(void) {
  unsigned long cycles;
  asm volatile("rtc %0" : "=r"(cycles));
  return cycles;
}

extern void SLAVE_FUN(fetch_each)(struct work *);
extern void SLAVE_FUN(fetch_once)(struct work *);

static double run(struct work *work, int once) {
  unsigned long start, end;
  int i;
  for (i = 0; i < CORES; i++)
    work->sums[i] = 0;
  start = cycles_now();
  if (once)
    athread_spawn(fetch_once, work);
  else
    athread_spawn(fetch_each, work);
  athread_join();
  end = cycles_now();
  return (double)(end - start);
}

int main(void) {
  static struct work work;
  double expected = 0, each, once;
  int i, good = 1;

  work.table = malloc(TABLE * sizeof(double));
  if (!work.table)
    return 1;
  for (i = 0; i < TABLE; i++)
    expected += work.table[i] = (i % 64) * 0.25;

  athread_init();
  each = run(&work, 0);
  for (i = 0; i < CORES; i++)
    good &= work.sums[i] == expected;
  once = run(&work, 1);
  for (i = 0; i < CORES; i++)
    good &= work.sums[i] == expected;
  athread_halt();

  printf("table of %d bytes, %d rounds\n", (int)(TABLE * sizeof(double)), ROUNDS);
  printf("fetched by each CPE  %10.0f cycles\n", each);
  printf("broadcast by one     %10.0f cycles, %.1f times faster\n", once, each / once);
  puts(good ? "sums are right" : "sums are WRONG");
  return !good;
}
