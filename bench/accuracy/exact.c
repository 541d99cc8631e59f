// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transforms in 128-bit floating point, 113 bits of mantissa, and how far others are from them.

#include <quadmath.h>
#include <stdlib.h>
#include <string.h>

typedef __float128 quad;
typedef struct {
  quad re, im;
} complex_quad;

void widen_doubles(long count, const double *from, quad *to) {
  for (long n = 0; n < count; ++n)
    to[n] = from[n];
}

void widen_floats(long count, const float *from, quad *to) {
  for (long n = 0; n < count; ++n)
    to[n] = from[n];
}

/// The L2 norm of (scale * exact - got) over that of (scale * exact).
double error_of_doubles(long count, const quad *exact, double scale_by, const double *got) {
  quad wrong = 0, norm = 0;
  for (long n = 0; n < count; ++n) {
    quad value = exact[n] / (quad)scale_by, difference = value - (quad)got[n];
    wrong += difference * difference;
    norm += value * value;
  }
  return (double)(norm > 0 ? sqrtq(wrong / norm) : sqrtq(wrong));
}

double error_of_floats(long count, const quad *exact, double scale_by, const float *got) {
  quad wrong = 0, norm = 0;
  for (long n = 0; n < count; ++n) {
    quad value = exact[n] / (quad)scale_by, difference = value - (quad)got[n];
    wrong += difference * difference;
    norm += value * value;
  }
  return (double)(norm > 0 ? sqrtq(wrong / norm) : sqrtq(wrong));
}

/// y[k] = sum over j of x[j * stride] * roots[j * k], by the smallest prime factor first.
/// `turn` is the distance in `roots` of this length's own roots.
static void transform(long length, const complex_quad *x, long stride, complex_quad *y,
                      const complex_quad *roots, long whole, complex_quad *scratch) {
  if (length == 1) {
    y[0] = x[0];
    return;
  }
  long radix = 2;
  while (length % radix != 0)
    ++radix;
  long part = length / radix, turn = whole / length;
  for (long q = 0; q < radix; ++q)
    transform(part, x + q * stride, stride * radix, scratch + q * part, roots, whole, y + q * part);
  for (long k = 0; k < length; ++k) {
    complex_quad sum = {0, 0};
    for (long q = 0; q < radix; ++q) {
      complex_quad a = scratch[q * part + k % part], w = roots[q * k % length * turn];
      sum.re += a.re * w.re - a.im * w.im;
      sum.im += a.re * w.im + a.im * w.re;
    }
    y[k] = sum;
  }
}

/// Each of `lines` lines of `length` complex numbers; 0 is success.
int exact_transform(long lines, long length, int sign, const complex_quad *x, complex_quad *y) {
  complex_quad *roots = malloc(2 * length * sizeof *roots);
  if (!roots)
    return 1;
  for (long k = 0; k < length; ++k) {
    // From the nearest quarter of the circle: small angles have small errors.
    long quarter = (4 * k + length / 2) / length;
    quad angle = M_PIq * (quad)(4 * k - quarter * length) / (quad)(2 * length);
    quad c = cosq(angle), s = sinq(angle);
    quad re[] = {c, -s, -c, s}, im[] = {s, c, -s, -c};
    roots[k].re = re[quarter % 4];
    roots[k].im = sign * im[quarter % 4];
  }
  for (long line = 0; line < lines; ++line)
    transform(length, x + line * length, 1, y + line * length, roots, length, roots + length);
  free(roots);
  return 0;
}
