// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NPB FT's complex numbers and its checksum: 1024 elements of the field.

#ifndef WEFT_BENCH_FT_CHECKSUM_H
#define WEFT_BENCH_FT_CHECKSUM_H

#include <stddef.h>

typedef struct {
  double re, im;
} cplx;

static inline cplx checksum(const cplx *field, int nx, int ny, int nz) {
  cplx sum = {0, 0};
  double total = (double)nx * ny * nz;
  for (int j = 1; j <= 1024; ++j) {
    size_t x = j % nx, y = 3 * j % ny, z = 5 * j % nz;
    cplx v = field[(z * ny + y) * nx + x];
    sum.re += v.re, sum.im += v.im;
  }
  return (cplx){sum.re / total, sum.im / total};
}

#endif // WEFT_BENCH_FT_CHECKSUM_H
