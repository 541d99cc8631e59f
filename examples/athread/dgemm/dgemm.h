/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef DGEMM_H
#define DGEMM_H

#define MESH 8
#define CORES (MESH * MESH)
/* What a CPE holds: C is M_TILE x N_TILE, A is M_TILE x K_TILE, B is K_TILE x N_TILE. */
#define M_TILE 64
#define N_TILE 64
#define K_TILE 26
/* What the mesh makes at a time. */
#define M_BLOCK (MESH * M_TILE)
#define N_BLOCK (MESH * N_TILE)

/* C = A B, all stored by columns: BLAS's dgemm("N", "N", ...) with alpha = 1, beta = 0. */
struct gemm {
  int m, n, k;     /* m >= M_BLOCK, n >= N_BLOCK, k >= K_TILE */
  const double *a; /* a[k * lda + m] */
  const double *b; /* b[n * ldb + k] */
  double *c;       /* c[n * ldc + m] */
  int lda, ldb, ldc;
};

#endif
