// RUN: %athread %s -lm -o %t && %run %t | FileCheck %s
// The same values as on the host, and cycles by class.
#include <math.h>
#include <stdlib.h>

static int compute(double *r, double x) {
  int n = 0, e;
  r[n++] = sin(x) + cos(x) * tan(x);
  r[n++] = exp(x) + log(x) + log10(x);
  r[n++] = pow(x, 1.7) + sqrt(x) + fabs(-x);
  r[n++] = floor(x) + ceil(x) * 10 + round(x) * 100;
  r[n++] = atan2(x, 2.0) + acos(x / 64) + hypot(x, 3) + fmod(x, 0.3);
  r[n++] = frexp(x, &e) + e + ldexp(x, 3) + tanh(x) + erf(x);
  r[n++] = sinf((float)x) + expf(-(float)x) + powf((float)x, 0.5f) + fmaxf((float)x, 2.0f);
  r[n++] = abs((int)-x) + labs((long)-x) + lround(x) + isnan(x);
  return n;
}

#ifdef SLAVE
#include <slave.h>

void f(double *all) { compute(all + 8 * _MYID, 0.5 + _MYID * 0.37); }
#else
#include <athread.h>
#include <stdio.h>
#include <string.h>

double all[64 * 8], expected[8];
extern void SLAVE_FUN(f)(double *);

int main(void) {
  int i, n, wrong = 0;
  athread_init();
  athread_spawn(f, all);
  athread_join();
  for (i = 0; i < 64; ++i) {
    n = compute(expected, 0.5 + i * 0.37);
    wrong += memcmp(expected, all + 8 * i, sizeof expected) != 0;
  }
  // CHECK: 0 of 8 values of 64 CPEs are wrong
  printf("%d of %d values of 64 CPEs are wrong\n", wrong, n);
  athread_halt();
  return 0;
}
#endif
