/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Latencies of a CPE in cycles, one a line. The MPE's half. */
#include <athread.h>
#include <stdio.h>
#include <stdlib.h>

#include "core.h"

extern void SLAVE_FUN(measure)(struct work *);

static const char *const names[CASES] = {
    "vmad_chain", "vmad_chains", "divide",     "ldm_load", "message_near", "message_far",
    "exchange",   "sync_row",    "sync_array", "gld",      "dma_get_32",
};

int main(void) {
  struct work work;
  int i;
  work.memory = calloc(4096, sizeof(double));
  work.cycles = calloc(CASES, sizeof(double));
  if (!work.memory || !work.cycles)
    return 1;
  athread_init();
  athread_spawn(measure, &work);
  athread_join();
  athread_halt();
  for (i = 0; i < CASES; i++)
    printf("%s %.2f\n", names[i], work.cycles[i]);
  /* All CPEs send 32 bytes each in the cycles of one message. */
  printf("exchange_gbs %.0f\n", 64 * 32 / work.cycles[EXCHANGE] * 1.45);
  return 0;
}
