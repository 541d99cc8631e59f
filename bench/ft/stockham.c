// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NPB FT in plain serial C, as a peer to measure against: every one-dimensional transform is a
// radix-2 Stockham FFT over a block of lines that is copied into a small buffer and back, as the
// benchmark describes it. BLOCK is the number of lines at a time: 1 as in the serial C++ version,
// 32 as in the Fortran one.
//
// The timed region is `ft_run`: the forward transform and all iterations.

#include "checksum.h"

#include <math.h>
#include <stdlib.h>

#ifndef BLOCK
#define BLOCK 1
#endif
#ifndef LONGEST
#define LONGEST 1024
#endif

typedef struct {
  int nx, ny, nz;
  cplx *roots; // exp(i*pi*j/2^l) at 2^l + j
  double *damping;
  cplx *spectrum, *field;
  cplx line[LONGEST * BLOCK], other[LONGEST * BLOCK];
} State;

static int wave(int i, int n) { return i < n / 2 ? i : i - n; }

void ft_free(State *s) {
  if (!s)
    return;
  free(s->roots);
  free(s->damping);
  free(s->spectrum);
  free(s->field);
  free(s);
}

// Tables and arrays; NULL where there is no memory or a length is too long.
State *ft_new(int nx, int ny, int nz) {
  const double pi = 3.14159265358979323846;
  if (nx > LONGEST || ny > LONGEST || nz > LONGEST)
    return NULL;
  size_t total = (size_t)nx * ny * nz;
  State *s = calloc(1, sizeof *s);
  if (!s)
    return NULL;
  s->nx = nx, s->ny = ny, s->nz = nz;
  s->roots = malloc(LONGEST * sizeof(cplx));
  s->damping = malloc(total * sizeof(double));
  s->spectrum = malloc(total * sizeof(cplx));
  s->field = malloc(total * sizeof(cplx));
  if (!s->roots || !s->damping || !s->spectrum || !s->field) {
    ft_free(s);
    return NULL;
  }
  for (int half = 1; half < LONGEST; half *= 2)
    for (int j = 0; j < half; ++j)
      s->roots[half + j] = (cplx){cos(pi * j / half), sin(pi * j / half)};
  double *out = s->damping;
  for (int z = 0; z < nz; ++z)
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x) {
        double kx = wave(x, nx), ky = wave(y, ny), kz = wave(z, nz);
        *out++ = exp(-4e-6 * pi * pi * (kx * kx + ky * ky + kz * kz));
      }
  for (size_t i = 0; i < total; ++i)
    s->spectrum[i] = s->field[i] = (cplx){0, 0};
  return s;
}

// One stage: butterflies of elements n/2 apart go to places `done` apart.
static void stage(int sign, int done, int n, const cplx *roots, const cplx *restrict x,
                  cplx *restrict y) {
  int groups = n / (2 * done);
  for (int i = 0; i < groups; ++i) {
    cplx u = roots[groups + i];
    if (sign < 0)
      u.im = -u.im;
    const cplx *x0 = x + (size_t)i * done * BLOCK;
    const cplx *x1 = x0 + (size_t)(n / 2) * BLOCK;
    cplx *y0 = y + (size_t)i * 2 * done * BLOCK;
    cplx *y1 = y0 + (size_t)done * BLOCK;
    for (int k = 0; k < done * BLOCK; ++k) {
      cplx a = x0[k], b = x1[k];
      double re = a.re - b.re, im = a.im - b.im;
      y0[k] = (cplx){a.re + b.re, a.im + b.im};
      y1[k] = (cplx){u.re * re - u.im * im, u.re * im + u.im * re};
    }
  }
}

// BLOCK lines of length n; the result is in the buffer that is returned.
static cplx *lines(State *s, int sign, int n) {
  cplx *x = s->line, *y = s->other;
  for (int done = 1; done < n; done *= 2) {
    stage(sign, done, n, s->roots, x, y);
    cplx *t = x;
    x = y, y = t;
  }
  return x;
}

// `count` lines of n elements `stride` apart, beginning `apart` from each other.
static void transform(State *s, int sign, int n, size_t stride, int count, size_t apart,
                      const cplx *in, cplx *out) {
  for (int first = 0; first < count; first += BLOCK) {
    const cplx *from = in + first * apart;
    cplx *to = out + first * apart;
    for (int k = 0; k < n; ++k)
      for (int b = 0; b < BLOCK; ++b)
        s->line[k * BLOCK + b] = from[k * stride + b * apart];
    const cplx *y = lines(s, sign, n);
    for (int k = 0; k < n; ++k)
      for (int b = 0; b < BLOCK; ++b)
        to[k * stride + b * apart] = y[k * BLOCK + b];
  }
}

static void along_x(State *s, int sign, const cplx *in, cplx *out) {
  for (int z = 0; z < s->nz; ++z) {
    size_t at = (size_t)z * s->ny * s->nx;
    transform(s, sign, s->nx, 1, s->ny, s->nx, in + at, out + at);
  }
}

static void along_y(State *s, int sign, const cplx *in, cplx *out) {
  for (int z = 0; z < s->nz; ++z) {
    size_t at = (size_t)z * s->ny * s->nx;
    transform(s, sign, s->ny, s->nx, s->nx, 1, in + at, out + at);
  }
}

static void along_z(State *s, int sign, const cplx *in, cplx *out) {
  for (int y = 0; y < s->ny; ++y) {
    size_t at = (size_t)y * s->nx;
    transform(s, sign, s->nz, (size_t)s->ny * s->nx, s->nx, 1, in + at, out + at);
  }
}

static void evolve(State *s) {
  size_t total = (size_t)s->nx * s->ny * s->nz;
  for (size_t i = 0; i < total; ++i) {
    cplx v = {s->spectrum[i].re * s->damping[i], s->spectrum[i].im * s->damping[i]};
    s->spectrum[i] = s->field[i] = v;
  }
}

// The timed part. Lengths are powers of two, and each count of lines a multiple of BLOCK.
void ft_run(State *s, int niter, const cplx *u, cplx *sums) {
  along_x(s, +1, u, s->spectrum);
  along_y(s, +1, s->spectrum, s->spectrum);
  along_z(s, +1, s->spectrum, s->spectrum);
  for (int t = 0; t < niter; ++t) {
    evolve(s);
    along_z(s, -1, s->field, s->field);
    along_y(s, -1, s->field, s->field);
    along_x(s, -1, s->field, s->field);
    sums[t] = checksum(s->field, s->nx, s->ny, s->nz);
  }
}
