/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rates of main memory that STREAM does not show. The CPEs' half. */
#include <slave.h>

#include "memory.h"

__thread_local char buffer[BUFFER] __attribute__((aligned(128)));
__thread_local volatile int reply;

static void get(dma_mode mode, char *from, const struct work *work) {
  reply = 0;
  athread_get(mode, from, buffer, work->bytes, (void *)&reply, 0xff, work->gap, work->block);
  while (reply != 1)
    ;
}

void reads(struct work *arguments) {
  struct work work = *arguments;
  long pitch = (long)work.bytes / work.block * (work.block + work.gap);
  char *from = work.source + _MYID * TIMES * pitch;
  int i;
  for (i = 0; i < TIMES; i++, from += pitch)
    get(PE_MODE, from, &work);
}

void tiles(struct work *arguments) {
  struct work work = *arguments;
  int i;
  for (i = 0; i < TILES; i++)
    get(PE_MODE, work.source, &work);
}

void alone(struct work *arguments) {
  struct work work = *arguments;
  int i, times = TIMES_OF(work.bytes);
  char *place = work.source + (long)_MYID * times * work.bytes;
  if (_MYID >= work.cpes)
    return;
  for (i = 0; i < times; i++, place += work.bytes) {
    if (!work.puts) {
      get(PE_MODE, place, &work);
      continue;
    }
    reply = 0;
    athread_put(PE_MODE, buffer, place, work.bytes, (void *)&reply, 0, 0);
    while (reply != 1)
      ;
  }
}

void broadcasts(struct work *arguments) {
  struct work work = *arguments;
  int i;
  for (i = 0; i < BROADCASTS; i++) {
    athread_syn(ARRAY_SCOPE, 0xffff);
    if (_MYID == 0)
      get(BCAST_MODE, work.source + (long)(i % TIMES) * work.bytes, &work);
    athread_syn(ARRAY_SCOPE, 0xffff);
  }
}

void singles(struct work *work) {
  double *from = (double *)work->source + _MYID * SINGLES;
  double *to = work->destination + _MYID * SINGLES;
  int i;
  for (i = 0; i < SINGLES; i++)
    to[i] = from[i];
}
