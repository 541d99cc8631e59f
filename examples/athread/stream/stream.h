/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What host and slave agree on. */
#ifndef STREAM_H
#define STREAM_H

#define CORES 64
/* Doubles of one LDM buffer; there are two. */
#define BUFFER 3072

enum kernel { COPY, SCALE, ADD, TRIAD, KERNELS };

struct stream {
  double *a, *b, *c;
  double scalar;
  long per_core;  /* doubles that a CPE handles, gaps not counted */
  int chunk;      /* doubles of one transfer */
  int block, gap; /* bytes of a contiguous run and of the gap behind it; 0, 0: contiguous */
  int kernel;
};

#endif
