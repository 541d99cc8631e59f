/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What host and slave agree on. */
#ifndef MEMORY_H
#define MEMORY_H

#define CORES 64
/* Bytes of one transfer at the most, and how many of them. */
#define BUFFER 24576
#define TIMES 64
#define BROADCASTS 1024
/* Of a tile that all CPEs get, in one spawn. */
#define TILES 20
#define SPAWNS 10
/* So many more of small ones that beginning and end do not count. */
#define TIMES_OF(bytes) ((bytes) * 16 * TIMES < BUFFER * TIMES ? 16 * TIMES : TIMES)
/* Doubles that a CPE copies one by one. */
#define SINGLES 2048

struct work {
  char *source;
  double *destination;
  int bytes, block, gap; /* 0, 0: contiguous */
  int cpes, puts;        /* of gets and puts */
};

#endif
