// RUN: %athread -O0 %s -o %t && %run %t | FileCheck %s
// RUN: %athread -O1 %s -o %t && %run %t | FileCheck %s
// RUN: %athread -O2 %s -o %t && %run %t | FileCheck %s
// RUN: %athread -O3 %s -o %t && %run %t | FileCheck %s
// Transforms of 64 points, four at a time: transposes by shuffles, tables of the host by gld,
// vectors in structures.
#ifdef SLAVE
/* 64-point complex FFTs in LDM, four at a time; twiddles in a static table from the host by gld */
#include "math.h"
#include "simd.h"
#include "slave.h"
#define N 64
#define LOGN 6
typedef struct {
  doublev4 re, im;
} cv4;
typedef struct {
  double *re, *im;
  int batch;
} fft_arg;
extern double g_cos[N / 2], g_sin[N / 2];
__thread_local double tc[N / 2], ts[N / 2];
__thread_local int initialised = 0;
static inline int reverse(int x) {
  int r = 0, b;
  for (b = 0; b < LOGN; b++) {
    r = r << 1 | (x & 1);
    x >>= 1;
  }
  return r;
}
static void butterfly(cv4 *a, cv4 *b, double c, double s) {
  doublev4 vc = c, vs = simd_set_doublev4(s, s, s, s);
  cv4 t;
  t.re = simd_vmsd(b->re, vc, b->im * vs);
  t.im = simd_vmad(b->re, vs, b->im * vc);
  b->re = a->re - t.re;
  b->im = a->im - t.im;
  a->re = a->re + t.re;
  a->im = a->im + t.im;
}
/* four rows of doubles to columns and back: by shuffles */
static void transpose(doublev4 *r) {
  doublev4 t0 = simd_vshff(r[1], r[0], 0x44), t1 = simd_vshff(r[1], r[0], 0xee);
  doublev4 t2 = simd_vshff(r[3], r[2], 0x44), t3 = simd_vshff(r[3], r[2], 0xee);
  /* t0 = (r1_1 r1_0 r0_1 r0_0) */
  r[0] = simd_vshff(t2, t0, 0x88);
  r[1] = simd_vshff(t2, t0, 0xdd);
  r[2] = simd_vshff(t3, t1, 0x88);
  r[3] = simd_vshff(t3, t1, 0xdd);
}
void fft(fft_arg *arg) {
  fft_arg a = *arg;
  cv4 x[N];
  double line[4][N];
  int i, j, b, len, part, k;
  int *tab = 0;
  volatile int reply;
  if (!initialised) {
    for (i = 0; i < N / 2; i++) {
      tc[i] = g_cos[i];
      ts[i] = g_sin[i];
    }
    initialised = 1;
  }
  for (b = _MYID * 4; b < a.batch; b += 256) {
    for (part = 0; part < 2; part++) {
      reply = 0;
      for (i = 0; i < 4; i++)
        athread_get(PE_MODE, (part ? a.im : a.re) + (b + i) * N, line[i], sizeof line[i],
                    (void *)&reply, 0, 0, 0);
      while (reply < 4)
        ;
      for (i = 0; i < N; i += 4) {
        doublev4 r[4];
        for (j = 0; j < 4; j++)
          simd_load(r[j], &line[j][i]);
        transpose(r);
        for (j = 0; j < 4; j++) {
          if (part)
            x[reverse(i + j)].im = r[j];
          else
            x[reverse(i + j)].re = r[j];
        }
      }
    }
    for (len = 2; len <= N; len *= 2)
      for (i = 0; i < N; i += len)
        for (j = 0; j < len / 2; j++)
          butterfly(&x[i + j], &x[i + j + len / 2], tc[j * (N / len)], ts[j * (N / len)]);
    for (part = 0; part < 2; part++) {
      for (i = 0; i < N; i += 4) {
        doublev4 r[4];
        for (j = 0; j < 4; j++)
          r[j] = part ? x[i + j].im : x[i + j].re;
        transpose(r);
        for (j = 0; j < 4; j++)
          simd_store(r[j], &line[j][i]);
      }
      reply = 0;
      for (i = 0; i < 4; i++)
        athread_put(PE_MODE, line[i], (part ? a.im : a.re) + (b + i) * N, sizeof line[i],
                    (void *)&reply, 0, 0);
      while (reply < 4)
        ;
    }
  }
}
#else
#include <athread.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#define N 64
typedef struct {
  double *re, *im;
  int batch;
} fft_arg;
double g_cos[N / 2], g_sin[N / 2];
extern SLAVE_FUN(fft)(fft_arg *);
int main() {
  int B = 300, i, b, k, bad = 0;
  double *re = malloc(B * N * 8), *im = malloc(B * N * 8), *r0 = malloc(B * N * 8);
  for (i = 0; i < N / 2; i++) {
    g_cos[i] = cos(2 * M_PI * i / N);
    g_sin[i] = -sin(2 * M_PI * i / N);
  }
  for (i = 0; i < B * N; i++) {
    r0[i] = re[i] = sin(i * 0.1) + (i % 7);
    im[i] = 0;
  }
  athread_init();
  fft_arg a = {re, im, B};
  athread_spawn(fft, &a);
  athread_join();
  for (b = 0; b < B; b += 37)
    for (k = 0; k < N; k++) {
      double sr = 0, si = 0;
      for (i = 0; i < N; i++) {
        sr += r0[b * N + i] * cos(2 * M_PI * i * k / N);
        si -= r0[b * N + i] * sin(2 * M_PI * i * k / N);
      }
      bad += fabs(sr - re[b * N + k]) > 1e-9 || fabs(si - im[b * N + k]) > 1e-9;
    }
  printf("fft %s\n", bad ? "wrong" : "ok");
  return 0;
}
// CHECK: fft ok
#endif
