// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Characters, numbers from text, text, complex numbers and <stdlib.h> on a CPE: the host's values.
// RUN: %athread %s -lm -o %t && %run %t | FileCheck %s
#include <complex.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int larger(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static int compute(double *r, double x) {
  static const int sorted[5] = {1, 4, 9, 16, 25};
  const char *text = "CPE 64, row 8";
  char *end, copy[32];
  int n = 0, wanted = 16;
  double complex z = x + 2.0 * I, w;
  float complex s = 1.5f - (float)x * I;
  r[n++] = !!isdigit('7') + 2 * !!isalpha('7') + 4 * !!isspace('\t') + 8 * !!ispunct(',') +
           16 * !!isxdigit('f') + 32 * !!isupper('a') + toupper('q') * 100 + tolower('Q') * 1000;
  r[n++] =
      strtoul("ff", 0, 16) + strtoull("4000000000", 0, 10) + atoll("-77") + strtof("2.5x", &end);
  r[n++] = *end + strtoll("12z", &end, 10);
  r[n++] = strcasecmp("Sunway", "sUNWAY") + strncasecmp("abX", "ABy", 2) + strspn(text, "EPC") +
           10 * strcspn(text, ",") + 100 * (strpbrk(text, "0123456789") - text);
  r[n++] = (index(text, '6') - text) + 100 * (rindex(text, ' ') - text) +
           (stpcpy(copy, text) - copy) * 10000;
  r[n++] = div(-17, 5).quot * 10 + div(-17, 5).rem + ldiv(1L << 40, 1000).rem;
  r[n++] = (int *)bsearch(&wanted, sorted, 5, sizeof(int), larger) - sorted;
  w = z * z / (z + 3.0);
  s = s * s;
  r[n++] = creal(w) + 10 * cimag(w) + cabs(w) + carg(z);
  r[n++] = creal(cexp(z)) + cimag(s) + crealf(s);
  return n;
}

#ifdef SLAVE
#include <slave.h>

void f(double *all) { compute(all + 9 * _MYID, 0.5 + _MYID * 0.37); }
#else
#include <athread.h>
#include <stdio.h>

double all[64 * 9], expected[9];
extern void SLAVE_FUN(f)(double *);

int main(void) {
  int core, i, n, wrong = 0;
  athread_init();
  athread_spawn(f, all);
  athread_join();
  for (core = 0; core < 64; core++) {
    n = compute(expected, 0.5 + core * 0.37);
    for (i = 0; i < n; i++)
      if (!(all[9 * core + i] - expected[i] < 1e-6 && expected[i] - all[9 * core + i] < 1e-6))
        printf("CPE %d, %d: %.9g, not %.9g\n", core, i, all[9 * core + i], expected[i]), wrong++;
  }
  // CHECK-NOT: CPE
  // CHECK: 9 values, 0 wrong, 121129
  printf("%d values, %d wrong, %g\n", n, wrong, all[0]);
  athread_halt();
  return 0;
}
#endif
