/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rates of main memory that STREAM does not show. The MPE's half.
 *
 *   memory reads BLOCK GAP   each CPE gets blocks with gaps, about 24 KB at a time
 *   memory gets BYTES CPES   that many CPEs get BYTES at a time, one after the other
 *   memory puts BYTES CPES   the same, putting
 *   memory tiles BLOCK GAP BYTES  all CPEs get the same blocks again and again; with spawn and join
 *   memory broadcast BYTES   one CPE gets for all; the rate is the memory's side
 *   memory singles           each CPE copies double by double, without DMA
 */
#include <athread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "memory.h"

extern void SLAVE_FUN(reads)(struct work *);
extern void SLAVE_FUN(tiles)(struct work *);
extern void SLAVE_FUN(alone)(struct work *);
extern void SLAVE_FUN(broadcasts)(struct work *);
extern void SLAVE_FUN(singles)(struct work *);

static double seconds(void) {
  struct timeval now;
  gettimeofday(&now, NULL);
  return now.tv_sec + now.tv_usec * 1e-6;
}

int main(int argc, char **argv) {
  struct work work;
  const char *what = argc > 1 ? argv[1] : "";
  double start, bytes = 0, time;
  long size;

  memset(&work, 0, sizeof work);
  if (!strcmp(what, "reads") && argc == 4) {
    work.block = atoi(argv[2]);
    work.gap = atoi(argv[3]);
    if (work.block < 8 || work.block > BUFFER || work.gap < 0)
      return 2;
    work.bytes = BUFFER / work.block * work.block;
  } else if (!strcmp(what, "tiles") && argc == 5) {
    work.block = atoi(argv[2]);
    work.gap = atoi(argv[3]);
    work.bytes = atoi(argv[4]);
    if (work.block < 8 || work.bytes < work.block || work.bytes > BUFFER || work.gap < 0)
      return 2;
  } else if ((!strcmp(what, "gets") || !strcmp(what, "puts")) && argc == 4) {
    work.bytes = atoi(argv[2]);
    work.cpes = atoi(argv[3]);
    work.puts = what[0] == 'p';
    if (work.bytes < 8 || work.bytes > BUFFER || work.cpes < 1 || work.cpes > CORES)
      return 2;
  } else if (!strcmp(what, "broadcast") && argc == 3) {
    work.bytes = atoi(argv[2]);
    if (work.bytes < 8 || work.bytes > BUFFER)
      return 2;
  } else if (strcmp(what, "singles")) {
    fprintf(stderr, "usage: memory reads BLOCK GAP | tiles BLOCK GAP BYTES | gets BYTES CPES | "
                    "puts BYTES CPES | broadcast BYTES | singles\n");
    return 2;
  }
  size = work.block ? (long)BUFFER / work.block * (work.block + work.gap) : BUFFER;
  size *= (long)CORES * TIMES;
  work.source = calloc(size + 8L * CORES * SINGLES, 1);
  work.destination = malloc(8L * CORES * SINGLES);
  if (!work.source || !work.destination)
    return 1;

  athread_init();
  start = seconds();
  if (!strcmp(what, "reads")) {
    athread_spawn(reads, &work);
    bytes = (double)CORES * TIMES * work.bytes;
  } else if (!strcmp(what, "tiles")) {
    int i;
    for (i = 0; i < SPAWNS; i++) {
      if (i)
        athread_join();
      athread_spawn(tiles, &work);
    }
    bytes = (double)SPAWNS * TILES * CORES * work.bytes;
  } else if (work.cpes) {
    athread_spawn(alone, &work);
    bytes = (double)work.cpes * TIMES_OF(work.bytes) * work.bytes;
  } else if (!strcmp(what, "broadcast")) {
    athread_spawn(broadcasts, &work);
    bytes = (double)BROADCASTS * work.bytes;
  } else {
    athread_spawn(singles, &work);
    bytes = 16.0 * CORES * SINGLES;
  }
  athread_join();
  time = seconds() - start;
  athread_halt();
  printf("%s %.1f MB/s\n", what, bytes / time * 1e-6);
  return 0;
}
