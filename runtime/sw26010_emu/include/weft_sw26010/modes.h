/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What slave.h and dma.h share: the modes of transfers. */
#ifndef WEFT_SW26010_MODES_H
#define WEFT_SW26010_MODES_H

/* Who takes part in a transfer. */
typedef enum {
  PE_MODE = 0,    /* this CPE */
  BCAST_MODE = 1, /* all CPEs of the rows in the mask get the same data */
  ROW_MODE = 2,
  BROW_MODE = 3,
  RANK_MODE = 4 /* the CPEs of a row get contiguous memory in turn, bsize bytes each */
} dma_mode;

#endif /* WEFT_SW26010_MODES_H */
