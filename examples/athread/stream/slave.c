/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* STREAM through DMA: the CPEs' half. Each CPE walks its own 1/64 of the arrays: get, wait,
 * compute, put, wait. */
#include <simd.h>
#include <slave.h>

#include "stream.h"

__thread_local double in_a[BUFFER] __attribute__((aligned(32)));
__thread_local double in_b[BUFFER] __attribute__((aligned(32)));
__thread_local volatile int got, sent;
__thread_local struct stream s;

/* The result takes the place of the first operand: two buffers, and so longer transfers. */
static void compute(int n) {
  double *out = in_a;
  doublev4 scalar = s.scalar, x, y;
  int i;
  /* A transfer of fewer than four doubles has no whole vector. */
  if (n % 4) {
    for (i = 0; i < n; i++)
      out[i] = s.kernel == COPY    ? in_a[i]
               : s.kernel == SCALE ? s.scalar * in_a[i]
               : s.kernel == ADD   ? in_a[i] + in_b[i]
                                   : in_a[i] + s.scalar * in_b[i];
    return;
  }
  switch (s.kernel) {
  case COPY:
    for (i = 0; i < n; i += 4) {
      simd_load(x, &in_a[i]);
      simd_store(x, &out[i]);
    }
    break;
  case SCALE:
    for (i = 0; i < n; i += 4) {
      simd_load(x, &in_a[i]);
      x = simd_vmuld(scalar, x);
      simd_store(x, &out[i]);
    }
    break;
  case ADD:
    for (i = 0; i < n; i += 4) {
      simd_load(x, &in_a[i]);
      simd_load(y, &in_b[i]);
      x = simd_vaddd(x, y);
      simd_store(x, &out[i]);
    }
    break;
  case TRIAD:
    for (i = 0; i < n; i += 4) {
      simd_load(x, &in_a[i]);
      simd_load(y, &in_b[i]);
      x = simd_vmad(scalar, y, x);
      simd_store(x, &out[i]);
    }
    break;
  }
}

void run_stream(struct stream *arguments) {
  long step, first, done;
  int bytes;

  got = 0;
  athread_get(PE_MODE, arguments, &s, sizeof s, (void *)&got, 0, 0, 0);
  while (got != 1)
    ;
  bytes = s.chunk * 8;
  /* Doubles in memory from one transfer to the next. */
  step = s.block ? (long)s.chunk * (s.block + s.gap) / s.block : s.chunk;
  first = (long)_MYID * (s.per_core / s.chunk) * step;

  for (done = 0; done < s.per_core; done += s.chunk, first += step) {
    got = 0;
    athread_get(PE_MODE, s.a + first, in_a, bytes, (void *)&got, 0, s.gap, s.block);
    if (s.kernel == ADD || s.kernel == TRIAD) {
      athread_get(PE_MODE, s.b + first, in_b, bytes, (void *)&got, 0, s.gap, s.block);
      while (got != 2)
        ;
    } else {
      while (got != 1)
        ;
    }
    compute(s.chunk);
    sent = 0;
    athread_put(PE_MODE, in_a, s.c + first, bytes, (void *)&sent, s.gap, s.block);
    while (sent != 1)
      ;
  }
}
