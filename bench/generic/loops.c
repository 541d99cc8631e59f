/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * The kernels of generic.weft as one would write them in C; compiled with -O3 -march=native. */

#include <complex.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef float _Complex c64;
typedef double _Complex c128;

/* Calls a function so often; what it has no parameters for stays unread in registers or on
 * the stack, as the calling conventions of x86-64 and AArch64 have it. */
typedef int function(void *, void *, void *, void *, void *, void *, void *, void *);
void repeat(long times, function *f, void *a, void *b, void *c, void *d, void *e, void *g, void *h,
            void *i) {
  for (long n = 0; n < times; ++n)
    f(a, b, c, d, e, g, h, i);
}

void stencil5(long n, long m, const double *restrict x, double *restrict y) {
  for (long i = 1; i < n - 1; ++i)
    for (long j = 1; j < m - 1; ++j)
      y[i * m + j] =
          0.25 * (x[(i - 1) * m + j] + x[(i + 1) * m + j] + x[i * m + j - 1] + x[i * m + j + 1]) -
          x[i * m + j];
  for (long j = 0; j < m; ++j) {
    y[j] = x[j];
    y[(n - 1) * m + j] = x[(n - 1) * m + j];
  }
  for (long i = 1; i < n - 1; ++i) {
    y[i * m] = x[i * m];
    y[i * m + m - 1] = x[i * m + m - 1];
  }
}

void ring5(long n, long m, const double *restrict x, double *restrict y) {
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < m; ++j)
      y[i * m + j] = 0.25 * (x[(i + n - 1) % n * m + j] + x[(i + 1) % n * m + j] +
                             x[i * m + (j + m - 1) % m] + x[i * m + (j + 1) % m]) -
                     x[i * m + j];
}

void wall5(long n, long m, const double *restrict x, double *restrict y) {
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < m; ++j)
      y[i * m + j] =
          0.25 * ((i > 0 ? x[(i - 1) * m + j] : 0) + (i < n - 1 ? x[(i + 1) * m + j] : 0) +
                  (j > 0 ? x[i * m + j - 1] : 0) + (j < m - 1 ? x[i * m + j + 1] : 0)) -
          x[i * m + j];
}

void stencil7(long n, const float *restrict x, float *restrict y) {
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < n; ++j) {
      const float *at = x + (i * n + j) * n;
      float *to = y + (i * n + j) * n;
      if (i == 0 || i == n - 1 || j == 0 || j == n - 1) {
        memcpy(to, at, n * sizeof *to);
        continue;
      }
      for (long k = 1; k < n - 1; ++k)
        to[k] = 0.5f * at[k] + 0.125f * (at[k - n * n] + at[k + n * n] + at[k - n] + at[k + n] +
                                         at[k - 1] + at[k + 1]);
      to[0] = at[0];
      to[n - 1] = at[n - 1];
    }
}

void softmax(long n, long m, const float *restrict x, float *restrict y) {
  for (long i = 0; i < n; ++i) {
    const float *at = x + i * m;
    float *to = y + i * m;
    float top = -INFINITY, sum = 0;
    for (long j = 0; j < m; ++j)
      top = at[j] > top ? at[j] : top;
    for (long j = 0; j < m; ++j)
      sum += to[j] = expf(at[j] - top);
    for (long j = 0; j < m; ++j)
      to[j] /= sum;
  }
}

void layer_norm(long n, long m, const float *restrict x, const float *restrict scale,
                const float *restrict shift, float *restrict y) {
  for (long i = 0; i < n; ++i) {
    const float *at = x + i * m;
    float mean = 0, square = 0;
    for (long j = 0; j < m; ++j)
      mean += at[j];
    mean /= m;
    for (long j = 0; j < m; ++j)
      square += (at[j] - mean) * (at[j] - mean);
    float rate = 1 / sqrtf(square / m + 1e-5f);
    for (long j = 0; j < m; ++j)
      y[i * m + j] = (at[j] - mean) * rate * scale[j] + shift[j];
  }
}

#define ROWS(name, type, start, step)                                                              \
  void name(long n, long m, const type *restrict x, type *restrict s) {                            \
    for (long i = 0; i < n; ++i) {                                                                 \
      type t = start;                                                                              \
      for (long j = 0; j < m; ++j) {                                                               \
        type v = x[i * m + j];                                                                     \
        t = step;                                                                                  \
      }                                                                                            \
      s[i] = t;                                                                                    \
    }                                                                                              \
  }

ROWS(row_sum_f32, float, 0, t + v)
ROWS(row_sum_f64, double, 0, t + v)
ROWS(row_sum_c128, c128, 0, t + v)
ROWS(row_max_f32, float, -INFINITY, v > t ? v : t)
ROWS(row_prod_f64, double, 1, t *v)

#define COLUMNS(name, type, start, step)                                                           \
  void name(long n, long m, const type *restrict x, type *restrict s) {                            \
    for (long j = 0; j < m; ++j)                                                                   \
      s[j] = start;                                                                                \
    for (long i = 0; i < n; ++i)                                                                   \
      for (long j = 0; j < m; ++j) {                                                               \
        type v = x[i * m + j], t = s[j];                                                           \
        s[j] = step;                                                                               \
      }                                                                                            \
  }

COLUMNS(column_sum_f32, float, 0, t + v)
COLUMNS(column_sum_f64, double, 0, t + v)
COLUMNS(column_sum_c128, c128, 0, t + v)
COLUMNS(column_min_f64, double, INFINITY, v < t ? v : t)

void total_f64(long n, long m, const double *restrict x, double *restrict s) {
  double t = 0;
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < m; ++j)
      t += x[i * m + j];
  *s = t;
}

void dot_f32(long n, const float *restrict x, const float *restrict y, float *restrict s) {
  float t = 0;
  for (long i = 0; i < n; ++i)
    t += x[i] * y[i];
  *s = t;
}

#define TRANSPOSE(name, type)                                                                      \
  void name(long n, long m, const type *restrict x, type *restrict y) {                            \
    for (long i = 0; i < n; ++i)                                                                   \
      for (long j = 0; j < m; ++j)                                                                 \
        y[j * n + i] = x[i * m + j];                                                               \
  }

TRANSPOSE(transpose_f32, float)
TRANSPOSE(transpose_f64, double)
TRANSPOSE(transpose_c128, c128)

/* What a transpose cannot beat. */
void copy(long bytes, const void *restrict x, void *restrict y) { memcpy(y, x, bytes); }

void chain(long n, const double *restrict a, const double *restrict b, double *restrict y) {
  for (long i = 0; i < n; ++i) {
    double c = a[i] < b[i] ? a[i] * b[i] + 1 : sqrt(fabs(a[i]));
    y[i] = c > 0.5 && c < 2 ? 3 * c - b[i] : (c > a[i] ? c : a[i]) / 7;
  }
}

void complex_chain(long n, const c128 *restrict a, const c128 *restrict b, c128 *restrict y) {
  for (long i = 0; i < n; ++i)
    y[i] = (a[i] * b[i] + 2 * I * conj(a[i])) * 0.5;
}

void waves(long n, const float *restrict a, const float *restrict b, float *restrict y) {
  for (long i = 0; i < n; ++i) {
    float u = a[i] * b[i] + 0.5f, v = expf(-u * u);
    y[i] = v / (1 + v) - sqrtf(fabsf(u));
  }
}

void every_second(long n, const double *restrict x, double *restrict y) {
  for (long i = 0; i < n; ++i)
    y[i] = x[2 * i] + x[2 * i + 1];
}

void rolled(long n, long m, const double *restrict x, double *restrict y) {
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < m; ++j)
      y[i * m + j] = x[(i + 1) % n * m + (j + 3) % m] - x[i * m + j];
}

void gathered(long n, long m, const double *restrict x, const int64_t *restrict idx,
              double *restrict y) {
  (void)n;
  for (long i = 0; i < m; ++i)
    y[i] = x[idx[i]];
}

void gathered_rows(long n, long m, long k, const float *restrict x, const int32_t *restrict idx,
                   float *restrict y) {
  (void)n;
  for (long i = 0; i < m; ++i)
    for (long j = 0; j < k; ++j)
      y[i * k + j] = x[idx[i] * k + j];
}

void histogram(long n, long m, const double *restrict base, const int32_t *restrict idx,
               const double *restrict v, double *restrict y) {
  memcpy(y, base, n * sizeof *y);
  for (long i = 0; i < m; ++i)
    y[idx[i]] += v[i];
}

void scattered_rows(long n, long m, long k, const float *restrict base, const int32_t *restrict idx,
                    const float *restrict v, float *restrict y) {
  memcpy(y, base, n * k * sizeof *y);
  for (long i = 0; i < m; ++i)
    for (long j = 0; j < k; ++j)
      y[idx[i] * k + j] += v[i * k + j];
}

#define PRODUCT(name, type)                                                                        \
  void name(long n, const type *restrict a, const type *restrict b, type *restrict c) {            \
    for (long i = 0; i < n; ++i) {                                                                 \
      for (long j = 0; j < n; ++j)                                                                 \
        c[i * n + j] = 0;                                                                          \
      for (long k = 0; k < n; ++k)                                                                 \
        for (long j = 0; j < n; ++j)                                                               \
          c[i * n + j] += a[i * n + k] * b[k * n + j];                                             \
    }                                                                                              \
  }

PRODUCT(product_f32, float)
PRODUCT(product_f64, double)
PRODUCT(product_c64, c64)

void matvec_f64(long n, long m, const double *restrict a, const double *restrict v,
                double *restrict w) {
  for (long i = 0; i < n; ++i) {
    double t = 0;
    for (long j = 0; j < m; ++j)
      t += a[i * m + j] * v[j];
    w[i] = t;
  }
}

void rows_product_f32(long n, long m, long k, const float *restrict a, const float *restrict b,
                      float *restrict c) {
  for (long i = 0; i < n; ++i) {
    for (long j = 0; j < m; ++j)
      c[i * m + j] = 0;
    for (long l = 0; l < k; ++l)
      for (long j = 0; j < m; ++j)
        c[i * m + j] += a[i * k + l] * b[l * m + j];
  }
}

void gram_f32(long n, long m, const float *restrict x, float *restrict g) {
  for (long j = 0; j < m * m; ++j)
    g[j] = 0;
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < m; ++j)
      for (long l = 0; l < m; ++l)
        g[j * m + l] += x[i * m + j] * x[i * m + l];
}

void window_max_f32(long n, long m, const float *restrict x, float *restrict y) {
  for (long c = 0; c < n; ++c)
    for (long i = 0; i < m; ++i)
      for (long j = 0; j < m; ++j) {
        const float *at = x + ((c * 2 * m + 2 * i) * 2 * m + 2 * j);
        float above = at[0] > at[1] ? at[0] : at[1];
        float below = at[2 * m] > at[2 * m + 1] ? at[2 * m] : at[2 * m + 1];
        y[(c * m + i) * m + j] = above > below ? above : below;
      }
}

void plane_sum_f32(long n, long m, const float *restrict x, float *restrict s) {
  for (long c = 0; c < n; ++c) {
    float t = 0;
    for (long i = 0; i < m * m; ++i)
      t += x[c * m * m + i];
    s[c] = t;
  }
}
