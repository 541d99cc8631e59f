// RUN: %athread %s -msimd -o %t && %run %t | FileCheck %s
// RUN: %athread %s -msimd -std=c99 -o %t && %run %t | FileCheck %s
// Casts between doublev4 and floatv4 convert, however the operand is written; registers of the
// machine may be named.
#ifdef SLAVE
#include <simd.h>
#include <slave.h>

typedef floatv4 Single;
typedef struct {
  floatv4 v[2];
  int n;
} Pair;
#define WIDE (doublev4)
#define AS(type, x) ((type)(x))
static doublev4 half(doublev4);
static doublev4 half(doublev4 x) { return x * 0.5; }
static doublev4 constant = (doublev4)4.0;

static double lane(doublev4 x, int i) { return ((double *)&x)[i]; }

void f(double *out) {
  Pair pair, *p = &pair;
  doublev4 d;
  floatv4 s, *q = p->v;
  double x = 3.0;
  register long cycles asm("$5");
  if (_MYID)
    return;
  s = simd_set_floatv4(1.0f, 2.0f, 3.0f, 4.0f);
  p->v[0] = s;
  p->v[1] = s + s;
  out[0] = lane((doublev4)s, 3);
  out[1] = lane((doublev4)p->v[1], 3);
  out[2] = lane((doublev4) *q + (doublev4)(*(q + 1)), 3);
  out[3] = lane(WIDE q[1] * constant, 1);
  out[4] = lane(half((doublev4)(Single)(doublev4)s), 2);
  d = AS(doublev4, s);
  s = (Single)half(d);
  out[5] = ((float *)&s)[1];
  out[6] = lane((doublev4)x, 2) + sizeof(doublev4) * 1;
  out[7] = lane((doublev4) - s, 3);
  asm volatile("rcsr %0, 4" : "=r"(cycles) : : "$1", "$f2", "memory");
  asm("vaddd %1, %1, %0" : "=f"(d) : "f"(d));
  out[8] = lane(d, 0) + (cycles == 0);
}
#else
#include <athread.h>
#include <simd.h>
#include <stdio.h>

double out[9];
extern void SLAVE_FUN(f)(double *);

int main(void) {
  int i;
  floatv4 s = 1.25;
  doublev4 d = (doublev4)s;
  athread_init();
  athread_spawn(f, out);
  athread_join();
  // CHECK: 4 8 12 16 1.5 1 35 -2 2 host 1.25
  for (i = 0; i < 9; i++)
    printf("%g ", out[i]);
  printf("host %g\n", ((double *)&d)[3]);
  return 0;
}
#endif
