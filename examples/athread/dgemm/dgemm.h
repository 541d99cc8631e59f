/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef DGEMM_H
#define DGEMM_H

#define MESH 8
#define CORES (MESH * MESH)
/* What a CPE holds: C is M_TILE x N_TILE, A is M_TILE x K_TILE, B is K_TILE x N_TILE. */
#define M_TILE 64
#define N_TILE 32
#define K_TILE 16

/* C = A B. A and C are stored by columns, B by rows: the form in which a sum of outer products
 * reads contiguous runs of both. */
struct gemm {
  const double *a; /* a[k * m + i] */
  const double *b; /* b[k * n + j] */
  double *c;       /* c[j * m + i] */
  int m, n, k;     /* multiples of MESH times the tiles */
};

#endif
