/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Latencies of a CPE in cycles, one a line. The MPE's half.
 *
 *   core             all of them
 *   core COUNT       instead, each CPE sends COUNT messages to and fro: for the emulator's speed
 */
#include <athread.h>
#include <stdio.h>
#include <stdlib.h>

#include "core.h"

extern void SLAVE_FUN(measure)(struct work *);
extern void SLAVE_FUN(rounds)(struct work *);

static const char *const names[CASES] = {
    "vmad_chain", "vmad_chains", "divide",     "ldm_load", "message_near", "message_far",
    "exchange",   "sync_row",    "sync_array", "gld",      "dma_get_32",
};

int main(int argc, char **argv) {
  struct work work;
  int i;
  work.memory = calloc(4096, sizeof(double));
  work.cycles = calloc(CASES, sizeof(double));
  if (!work.memory || !work.cycles)
    return 1;
  athread_init();
  if (argc > 1) {
    work.messages = atol(argv[1]);
    athread_spawn(rounds, &work);
    athread_join();
    athread_halt();
    return 0;
  }
  athread_spawn(measure, &work);
  athread_join();
  athread_halt();
  for (i = 0; i < CASES; i++)
    printf("%s %.2f\n", names[i], work.cycles[i]);
  /* All CPEs send 32 bytes each in the cycles of one message. */
  printf("exchange_gbs %.0f\n", 64 * 32 / work.cycles[EXCHANGE] * 1.45);
  return 0;
}
