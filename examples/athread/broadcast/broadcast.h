/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef BROADCAST_H
#define BROADCAST_H

#define CORES 64
#define TABLE 3072 /* doubles: 24 KB */
#define ROUNDS 20

struct work {
  double *table;
  double sums[CORES];
};

#endif
