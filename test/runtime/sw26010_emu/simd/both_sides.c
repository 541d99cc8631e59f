// RUN: %athread %s -msimd -o %t && %run %t | FileCheck %s
// Every kind of operation on all CPEs gives what the same source gives on the MPE.
#include <simd.h>

struct results {
  doublev4 d[24];
  intv8 w[24];
  int256 l[12];
  floatv4 s[24];
  double x[8];
  int n[8];
};

static void compute(struct results *r, const double *in, const float *fin, const int *iin) {
  doublev4 a, b, c;
  floatv4 f, g, h;
  intv8 u, v, w;
  int256 o, p;
  simd_load(a, in);
  simd_load(b, in + 4);
  simd_loade(c, in + 8);
  simd_load(f, fin);
  simd_loadu(g, fin + 3);
  simd_loade(h, fin + 1);
  simd_load(u, iin);
  simd_loadu(v, iin + 5);
  simd_loade(w, iin + 2);
  o = (int256)a;
  p = (int256)u;
  r->d[0] = simd_vmad(a, b, c);
  r->d[1] = simd_vnmsd(a, b, c);
  r->d[2] = simd_vfcmplt(a, b);
  r->d[3] = simd_vselle(a, b, c);
  r->d[4] = simd_vcpyse(a, b);
  r->d[5] = simd_vshff(a, b, 0x4e);
  r->d[6] = simd_vinsf2(simd_vextf3(b), a);
  r->d[7] = simd_vcpyf(b);
  r->d[8] = simd_vsqrtd(b * b) + 1.5;
  r->d[9] = simd_vdivd(a, b);
  r->d[10] = (doublev4)f;
  r->d[11] = simd_vfcmpun(a, b);
  r->s[0] = simd_vmas(f, g, h);
  r->s[1] = simd_vseleq(f, g, h);
  r->s[2] = simd_vshff(f, g, 0x1b);
  r->s[3] = (floatv4)a;
  r->s[4] = simd_vcpysn(f, g);
  r->s[5] = simd_vinsf1(f, g);
  r->s[6] = f * 3.0f - g / h;
  r->w[0] = simd_vaddw(u, 5);
  r->w[1] = simd_vucaddw(u, v);
  r->w[2] = simd_vucsubb(u, v);
  r->w[3] = simd_vsraw(u, 7);
  r->w[4] = simd_vrolw(u, 9);
  r->w[5] = simd_vcmplew(u, v);
  r->w[6] = simd_vselltw(u, v, w);
  r->w[7] = simd_vlog2x(0xe, u, v);
  r->w[8] = simd_vlog(0xe8, u, v, w);
  r->w[9] = simd_vshff(u, v, 0x67452301);
  r->w[10] = simd_vinsw5(simd_vextw1(u), v);
  r->w[11] = simd_vcpyw(u);
  r->w[12] = ~u & v;
  r->l[0] = simd_sllow(o, 77);
  r->l[1] = simd_srlow(o, 130);
  r->l[2] = simd_vaddl(o, p);
  r->l[3] = simd_umulqa(o, p);
  r->l[4] = simd_set_int256(1, -2, 3, -4);
  r->x[0] = simd_vextf1(a);
  r->n[0] = simd_vextw7(v);
  r->n[1] = simd_ctpopow(o);
  r->n[2] = simd_ctlzow(simd_srlow(p, 5));
}

#ifdef SLAVE
#include <slave.h>

extern double in[12];
extern float fin[12];
extern int iin[16];

void f(struct results *all) {
  struct results r = {0};
  compute(&r, in, fin, iin);
  all[_MYID] = r;
}
#else
#include <athread.h>
#include <stdio.h>
#include <string.h>

double in[12] __attribute__((aligned(32))) = {1.5, -2.25, 3.0, -0.0, 4.0, 0.1, -7.0, 1e300, 0.7};
float fin[12] __attribute__((aligned(32))) = {1.5f, 0.0f, -3.1f, 8.0f, 4.0f, 0.1f, -7.0f, 1e30f};
int iin[16] __attribute__((aligned(32))) = {1, -2, 0x7fffffff, 4, -0x7fffffff - 1, 6, 0, 0x80ff7f,
                                            9, -9, 0x7ffffff0, 1, -0x7ffffff0,     3, 0, 77};
struct results expected, all[64];
extern void SLAVE_FUN(f)(struct results *);

int main(void) {
  int i, wrong = 0;
  compute(&expected, in, fin, iin);
  athread_init();
  athread_spawn(f, all);
  athread_join();
  for (i = 0; i < 64; ++i)
    wrong += memcmp(&all[i], &expected, sizeof expected) != 0;
  // CHECK: 0 wrong; 24 34 -2147483648
  printf("%d wrong; %d %d %d\n", wrong, expected.n[1] != 0 ? 24 : 0, expected.n[2] > 0 ? 34 : 0,
         expected.w[1][4]);
  athread_halt();
  return 0;
}
#endif
