/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What host and slave agree on. */
#ifndef CORE_H
#define CORE_H

#define TURNS 200

enum { CHAIN, CHAINS, DIVIDE, LOAD, NEAR, FAR, EXCHANGE, SYNC_ROW, SYNC_ARRAY, GLD, GET, CASES };

struct work {
  double *memory, *cycles;
  long messages; /* that each CPE sends, of rounds */
};

#endif
