// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is timed is called from C: a call from Python would cost more than a short transform.

#include <string.h>

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

/// All contestants take three pointers: (plan, input, output) or (input, output, scratch).
typedef int function(void *, void *, void *);

void repeat(long times, function *f, void *a, void *b, void *c) {
  for (long n = 0; n < times; ++n)
    f(a, b, c);
}

void copy(long bytes, const void *from, void *to, long times) {
  for (long n = 0; n < times; ++n) {
    memcpy(to, from, bytes);
    __asm__ volatile("" : : "r"(to) : "memory");
  }
}

/// Fused multiply-adds on full vectors, 24 of them in flight; returns their operations.
/// Single precision has twice the lanes and the same rate of instructions.
double multiply_adds(long times) {
#if defined(__AVX512F__)
  enum { chains = 24, lanes = 8 };
  __m512d sums[chains];
  __m512d factor = _mm512_set1_pd(0.5), term = _mm512_set1_pd(1.0);
  for (int k = 0; k < chains; ++k)
    sums[k] = _mm512_set1_pd(k);
  for (long n = 0; n < times; ++n) {
#pragma GCC unroll 24
    for (int k = 0; k < chains; ++k)
      sums[k] = _mm512_fmadd_pd(sums[k], factor, term);
  }
  __m512d total = sums[0];
  for (int k = 1; k < chains; ++k)
    total = _mm512_add_pd(total, sums[k]);
  volatile double keep = _mm512_reduce_add_pd(total);
  (void)keep;
#else
  enum { chains = 12, lanes = 4 };
  typedef double vector __attribute__((vector_size(8 * lanes)));
  vector sums[chains];
  vector factor = {0.5, 0.5, 0.5, 0.5}, term = {1, 1, 1, 1};
  for (int k = 0; k < chains; ++k)
    sums[k] = (vector){k, k, k, k};
  for (long n = 0; n < times; ++n) {
#pragma GCC unroll 12
    for (int k = 0; k < chains; ++k)
      sums[k] = sums[k] * factor + term;
  }
  volatile double keep = 0;
  for (int k = 0; k < chains; ++k)
    keep += sums[k][0] + sums[k][1] + sums[k][2] + sums[k][3];
#endif
  return 2.0 * chains * lanes * (double)times;
}

/// What is timed of a kernel that has two inputs.
typedef int kernel(const void *, const void *, void *, void *);

void repeat_two(long times, kernel *f, void *a, void *b, void *c, void *d) {
  for (long n = 0; n < times; ++n)
    f(a, b, c, d);
}

/// Rows of complex numbers `a` times those of `b`; if `same`, all times the one row that `b` has.
#define MULTIPLY(name, real)                                                                       \
  static void name(long rows, long columns, int same, real *restrict a, const real *restrict b) {  \
    for (long i = 0; i < rows; ++i)                                                                \
      for (long j = 0; j < columns; ++j) {                                                         \
        real *x = &a[2 * (i * columns + j)];                                                       \
        const real *y = &b[2 * (same ? j : i * columns + j)];                                      \
        real re = x[0] * y[0] - x[1] * y[1];                                                       \
        x[1] = x[0] * y[1] + x[1] * y[0];                                                          \
        x[0] = re;                                                                                 \
      }                                                                                            \
  }
MULTIPLY(multiply_double, double)
MULTIPLY(multiply_single, float)

/// A filter as one writes it around a library: a transform there, products with `h`, one back.
struct filter {
  function *there;
  void *there_plan;
  function *back;
  void *back_plan;
  void *x, *spectrum, *y;
  const void *h;
  long rows, columns;
  int same, is_double;
};

void filter(long times, const struct filter *f) {
  for (long n = 0; n < times; ++n) {
    f->there(f->there_plan, f->x, f->spectrum);
    if (f->is_double)
      multiply_double(f->rows, f->columns, f->same, f->spectrum, f->h);
    else
      multiply_single(f->rows, f->columns, f->same, f->spectrum, f->h);
    f->back(f->back_plan, f->spectrum, f->y);
  }
}
