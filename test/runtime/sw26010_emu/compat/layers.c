// RUN: %athread -O0 %s -o %t && %run %t | FileCheck %s
// RUN: %athread -O1 %s -o %t && %run %t | FileCheck %s
// RUN: %athread -O2 %s -o %t && %run %t | FileCheck %s
// RUN: %athread -O3 %s -o %t && %run %t | FileCheck %s
// Layers of a network in single precision: normalisation, pooling by comparisons, softmax;
// structures by pointer, one buffer for all, static tables, functions by kind.
typedef struct LayerParam_st {
  float *in, *out;
  int rows, n, kind;
  float slope;
} LayerParam;
#ifdef SLAVE
/* layers of a network in single precision: batch norm, relu, max pool, softmax */
#include <math.h>
#include <simd.h>
#include <slave.h>
__thread_local LayerParam p;
__thread_local volatile unsigned long get_reply, put_reply;
#define BUF 1024
__thread_local float buf[BUF] __attribute__((aligned(32)));
__thread_local float res[BUF] __attribute__((aligned(32)));
static const float kEps[4] = {1e-5f, 1e-5f, 1e-5f, 1e-5f};
typedef enum { BN_RELU, MAXPOOL, LEAKY, SOFTMAX } kind_t;
static void get(void *s, void *d, int n) {
  get_reply = 0;
  athread_get(PE_MODE, s, d, n, (void *)&get_reply, 0, 0, 0);
  while (get_reply != 1)
    ;
}
static void put(void *s, void *d, int n) {
  put_reply = 0;
  athread_put(PE_MODE, s, d, n, (void *)&put_reply, 0, 0);
  while (put_reply != 1)
    ;
}

static void bn_relu(int n) {
  floatv4 v, mean = 0.0f, var = 0.0f, zero = simd_set_floatv4(0.f, 0.f, 0.f, 0.f), eps, cmp;
  float tmp[4] __attribute__((aligned(32)));
  int i;
  for (i = 0; i < n; i += 4) {
    simd_load(v, buf + i);
    mean += v;
  }
  simd_store(mean, tmp);
  float m = (tmp[0] + tmp[1] + tmp[2] + tmp[3]) / n;
  mean = simd_set_floatv4(m, m, m, m);
  for (i = 0; i < n; i += 4) {
    simd_load(v, buf + i);
    v = simd_vsubs(v, mean);
    var = simd_vmas(v, v, var);
  }
  float s = simd_vextf0(var) + simd_vextf1(var) + simd_vextf2(var) + simd_vextf3(var);
  simd_loadu(eps, (float *)kEps);
  var = simd_vinsf0(s / n, var);
  var = simd_vcpyf(var);
  var = simd_vsqrts(simd_vadds(var, eps));
  for (i = 0; i < n; i += 4) {
    simd_load(v, buf + i);
    v = simd_vdivs(v - mean, var);
    cmp = simd_vfcmplt(v, zero);
    v = simd_vseleq(cmp, v, zero);
    simd_store(v, res + i);
  }
}
static int maxpool(int n) {
  int i;
  for (i = 0; i + 8 <= n; i += 8) {
    floatv4 a, b, d;
    simd_load(a, &buf[i]);
    simd_load(b, &buf[i + 4]);
    d = a - b;
    a = simd_vsellt(d, b, a);
    /* pairs within */
    b = simd_vshff(a, a, 0xb1);
    a = simd_vselle(a - b, b, a);
    b = simd_vshff(a, a, 0x4e);
    a = simd_vselle(simd_vsubs(a, b), b, a);
    res[i / 8] = simd_vextf2(a);
  }
  return n / 8;
}
static void softmax(int n) {
  float top = -INFINITY, sum = 0;
  int i;
  for (i = 0; i < n; i++)
    top = fmaxf(top, buf[i]);
  for (i = 0; i < n; i++)
    sum += res[i] = expf(buf[i] - top);
  for (i = 0; i < n; i++)
    res[i] /= sum;
}
void layer(LayerParam *para) {
  int id = athread_get_id(-1), i, out;
  get(para, &p, sizeof(p));
  for (i = id; i < p.rows; i += 64) {
    get(p.in + i * p.n, buf, p.n * sizeof(float));
    out = p.n;
    switch ((kind_t)p.kind) {
    case BN_RELU:
      bn_relu(p.n);
      break;
    case MAXPOOL:
      out = maxpool(p.n);
      break;
    case LEAKY: {
      int k;
      for (k = 0; k < p.n; k++)
        res[k] = buf[k] > 0 ? buf[k] : p.slope * buf[k];
    } break;
    case SOFTMAX:
      softmax(p.n);
      break;
    }
    put(res, p.out + i * p.n, out * sizeof(float));
  }
}
#else
#include "athread.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
extern SLAVE_FUN(layer)(LayerParam *);
int main() {
  int rows = 100, n = 256, kind, i, k;
  float *in = malloc(rows * n * 4), *out = malloc(rows * n * 4);
  for (i = 0; i < rows * n; i++)
    in[i] = sinf(i * 0.37f) * 3;
  athread_init();
  for (kind = 0; kind < 4; kind++) {
    LayerParam p = {in, out, rows, n, kind, 0.1f};
    double worst = 0;
    athread_spawn(layer, &p);
    athread_join();
    for (i = 0; i < rows; i++) {
      float *x = in + i * n, *y = out + i * n;
      double mean = 0, var = 0, top = -1e9, sum = 0;
      for (k = 0; k < n; k++) {
        mean += x[k] / n;
        top = fmax(top, x[k]);
      }
      for (k = 0; k < n; k++) {
        var += (x[k] - mean) * (x[k] - mean) / n;
        sum += exp(x[k] - top);
      }
      for (k = 0; k < (kind == 1 ? n / 8 : n); k++) {
        double want = 0;
        if (kind == 0)
          want = fmax(0, (x[k] - mean) / sqrt(var + 1e-5));
        if (kind == 1) {
          int j;
          want = -1e9;
          for (j = 0; j < 8; j++)
            want = fmax(want, x[k * 8 + j]);
        }
        if (kind == 2)
          want = x[k] > 0 ? x[k] : 0.1f * x[k];
        if (kind == 3)
          want = exp(x[k] - top) / sum;
        worst = fmax(worst, fabs(want - y[k]));
      }
    }
    printf("layer %d %s\n", kind, worst < 2e-5 ? "ok" : "wrong");
  }
  return 0;
}
// CHECK: layer 0 ok
// CHECK: layer 1 ok
// CHECK: layer 2 ok
// CHECK: layer 3 ok
#endif
