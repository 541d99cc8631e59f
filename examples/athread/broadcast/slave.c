/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Broadcast DMA: the CPEs' half. */
#include <slave.h>

#include "broadcast.h"

__thread_local double table[TABLE] __attribute__((aligned(128)));
__thread_local volatile int reply;

static void store_sum(struct work *work) {
  double sum = 0;
  int i;
  for (i = 0; i < TABLE; i++)
    sum += table[i];
  work->sums[_MYID] = sum; /* plainly to main memory: gst */
}

void fetch_each(struct work *work) {
  double *source = work->table;
  int round;
  for (round = 0; round < ROUNDS; round++) {
    reply = 0;
    athread_get(PE_MODE, source, table, sizeof table, (void *)&reply, 0, 0, 0);
    while (reply != 1)
      ;
  }
  store_sum(work);
}

void fetch_once(struct work *work) {
  double *source = work->table;
  int round;
  for (round = 0; round < ROUNDS; round++) {
    /* Nobody may still read the old table, and all must have the new one. */
    athread_syn(ARRAY_SCOPE, 0xffff);
    if (_MYID == 0) {
      reply = 0;
      athread_get(BCAST_MODE, source, table, sizeof table, (void *)&reply, 0xff, 0, 0);
      while (reply != 1)
        ;
    }
    athread_syn(ARRAY_SCOPE, 0xffff);
  }
  store_sum(work);
}
