// RUN: %athread %s -o %t
// RUN: not %run %t 2>&1 | FileCheck %s
// A put cannot broadcast.
#ifndef SLAVE
#include "host.h"
#else
#include <dma.h>
#include <slave.h>

__thread_local double buffer[64];
__thread_local volatile int reply;

void f(double *memory) {
  dma_desc d = 0;
  dma_set_op(&d, DMA_PUT);
  dma_set_mode(&d, BCAST_MODE);
  dma_set_size(&d, 64);
  dma_set_mask(&d, 0xff);
  dma_set_reply(&d, &reply);
  if (_MYID == 1)
    dma(d, (long)memory, (long)buffer);
}
// CHECK: fault [DMAE1]: put in BCAST_MODE: a broadcast goes from main memory to LDM only
// CHECK-NEXT: CPE 1 (row 0, column 1), cycle {{[1-9][0-9]*}}, {{.*}}DMAE1_put_broadcast.c:[[#@LINE-3]]:{{.*}}, in f
#endif
