/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What host and slave agree on. */
#ifndef MEMORY_H
#define MEMORY_H

#define CORES 64
/* Bytes of one transfer at the most, and how many of them. */
#define BUFFER 24576
#define TIMES 64
#define BROADCASTS 1024
/* Doubles that a CPE copies one by one. */
#define SINGLES 2048

struct work {
  char *source;
  double *destination;
  int bytes, block, gap; /* 0, 0: contiguous */
};

#endif
