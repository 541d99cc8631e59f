/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef TRANSPOSE_H
#define TRANSPOSE_H

#define MESH 8
#define CORES (MESH * MESH)
/* Order of the matrix a CPE holds; a multiple of 4. */
#define TILE 32

struct work {
  const double *in;
  double *out;
  int n; /* order of the matrix, a multiple of MESH * TILE */
};

#endif
