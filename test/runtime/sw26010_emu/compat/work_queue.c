// RUN: %athread -O0 %s -o %t && %run %t | FileCheck %s
// RUN: %athread -O1 %s -o %t && %run %t | FileCheck %s
// RUN: %athread -O2 %s -o %t && %run %t | FileCheck %s
// RUN: %athread -O3 %s -o %t && %run %t | FileCheck %s
// Rows of a sparse matrix by an atomic counter: gld, alloca, arrays of variable length, a static
// table of functions.
typedef struct {
  int n;
  int *ptr, *col;
  double *val, *x, *y;
  int rows_done;
} csr_t;
#ifdef SLAVE
#include <slave.h>
#include <stdlib.h>
/* rows dealt by an atomic counter; x by gld; alloca and VLA; function pointers */
extern volatile int next_row;
extern csr_t g_matrix;
typedef double (*row_fn)(const csr_t *, int);
static double plain_row(const csr_t *m, int r) {
  double s = 0;
  int k;
  for (k = m->ptr[r]; k < m->ptr[r + 1]; k++)
    s += m->val[k] * m->x[m->col[k]];
  return s;
}
static double copied_row(const csr_t *m, int r) {
  int n = m->ptr[r + 1] - m->ptr[r], k;
  double val[n > 0 ? n : 1];
  int *col = alloca((n + 1) * sizeof(int));
  double s = 0;
  volatile unsigned int reply = 0;
  if (n == 0)
    return 0;
  athread_get(PE_MODE, m->val + m->ptr[r], val, n * sizeof(double), (void *)&reply, 0, 0, 0);
  athread_get(PE_MODE, m->col + m->ptr[r], col, n * sizeof(int), (void *)&reply, 0, 0, 0);
  while (reply != 2) {
  }
  for (k = 0; k < n; ++k)
    s += val[k] * m->x[col[k]];
  return s;
}
static const row_fn table[2] = {plain_row, copied_row};
__thread_local csr_t m;
void spmv(csr_t *mm) {
  long id = athread_get_id(-1);
  int r, done = 0;
  m = *mm;
  while ((r = faaw(&next_row)) < m.n) {
    m.y[r] = table[r & 1](&m, r);
    done++;
  }
  updt_addw(done, &g_matrix.rows_done);
  if (id == 63)
    printf("CPE %ld of %d\n", id, athread_get_id(-1) + 1);
}
#else
#include <athread.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
volatile int next_row = 0;
csr_t g_matrix;
extern SLAVE_FUN(spmv)(csr_t *);
int main(int argc, char **argv) {
  int n = 500, i, k, nnz = 0, bad = 0;
  csr_t *m = &g_matrix;
  m->n = n;
  m->ptr = calloc(n + 1, 4);
  m->col = malloc(n * 12 * 4);
  m->val = malloc(n * 12 * 8);
  m->x = malloc(n * 8);
  m->y = calloc(n, 8);
  for (i = 0; i < n; i++) {
    m->x[i] = 1.0 / (i + 1);
    m->ptr[i] = nnz;
    for (k = 0; k < (i * 37) % 11; k++) {
      m->col[nnz] = (i * 17 + k * 29) % n;
      m->val[nnz++] = i - k;
    }
  }
  m->ptr[n] = nnz;
  athread_init();
  athread_spawn(spmv, m);
  athread_join();
  for (i = 0; i < n; i++) {
    double s = 0;
    for (k = m->ptr[i]; k < m->ptr[i + 1]; k++)
      s += m->val[k] * m->x[m->col[k]];
    bad += fabs(s - m->y[i]) > 1e-9;
  }
  printf("spmv %s %d\n", bad ? "wrong" : "ok", m->rows_done);
  athread_halt();
  return 0;
}
// CHECK: CPE 63 of 64
// CHECK: spmv ok 500
#endif
