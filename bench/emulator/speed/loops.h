// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ten kinds of compute-bound code, the same for a CPE of the emulator and for this computer: what
// is compared is how long the host's processor takes for each.
#include <math.h>
#include <string.h>

enum { N = 1024 };

typedef struct {
  double x, y, z;
  int kind;
} Particle;

LOCAL double a[N], b[N], c[N];
LOCAL int table[256], numbers[N];
LOCAL unsigned char bytes[N];
LOCAL Particle from[64], to[64];
LOCAL vector va[N / 4], vb[N / 4], vc[N / 4];

static double fma_loop(int turns) {
  for (int t = 0; t < turns; t++)
    for (int i = 0; i < N; i++)
      c[i] = a[i] * b[i] + c[i];
  return c[7];
}

static double integers(int turns) {
  unsigned state = 1, sum = 0;
  for (int t = 0; t < turns * N; t++) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    sum += state * 5 + (unsigned)t;
  }
  return sum;
}

static double vectors(int turns) {
  for (int t = 0; t < turns; t++)
    for (int i = 0; i < N / 4; i++)
      vc[i] = va[i] * vb[i] + vc[i];
  return ((double *)vc)[5];
}

static double branches(int turns) {
  double up = 0;
  int down = 0;
  for (int t = 0; t < turns; t++)
    for (int i = 0; i < N; i++) {
      if (numbers[i] % 3 == 0)
        up += a[i];
      else if (numbers[i] & 4)
        down -= numbers[i];
      else
        down ^= i;
    }
  return up + down;
}

static double lookups(int turns) {
  int sum = 0;
  for (int t = 0; t < turns; t++)
    for (int i = 0; i < N; i++)
      sum += table[(numbers[i] + sum) & 255];
  return sum;
}

static __attribute__((noinline)) double step(double x, int i) { return 0.5 * x + i; }

static double calls(int turns) {
  double x = 0;
  for (int t = 0; t < turns * N; t++)
    x = step(x, t & 15);
  return x;
}

static double mathematics(int turns) {
  double sum = 0;
  for (int t = 0; t < turns; t++)
    for (int i = 0; i < N / 16; i++)
      sum += sin(a[i]) + exp(-b[i] * 0.01);
  return sum;
}

static double byte_access(int turns) {
  int counts[16] = {0};
  for (int t = 0; t < turns; t++)
    for (int i = 1; i < N; i++) {
      bytes[i] = (unsigned char)(bytes[i] + bytes[i - 1]);
      counts[bytes[i] & 15]++;
    }
  return counts[3];
}

static double structs(int turns) {
  for (int t = 0; t < turns * 16; t++)
    for (int i = 0; i < 64; i++) {
      Particle p = from[(i + t) & 63];
      p.x += p.y;
      p.kind++;
      to[i] = p;
    }
  return to[9].x + to[9].kind;
}

/* Main memory by single words: what is compared here is the model's own work. */
static double words(int turns) {
  double sum = 0;
  for (int t = 0; t < turns; t++)
    for (int i = 0; i < N; i++)
      sum += far_away[(i * 16 + t) & (N * 4 - 1)];
  return sum;
}

typedef double (*Loop)(int);
static const struct {
  const char *name;
  Loop run;
  int turns;
} loops[] = {{"fma in double precision", fma_loop, 30000 * 20},
             {"integers", integers, 20000 * 20},
             {"vectors of simd.h", vectors, 80000 * 20},
             {"branches", branches, 10000 * 20},
             {"table lookups", lookups, 20000 * 20},
             {"function calls", calls, 10000 * 20},
             {"sin and exp", mathematics, 10000 * 20},
             {"bytes", byte_access, 15000 * 20},
             {"copies of structures", structs, 10000 * 20},
             {"gld", words, 3000 * 20}};
enum { LOOPS = sizeof loops / sizeof *loops };

static double run_loop(int which, int share) {
  for (int i = 0; i < N; i++) {
    a[i] = i * 0.25;
    b[i] = 0.5;
    c[i] = 1;
    numbers[i] = i * 37 % 1009;
    bytes[i] = (unsigned char)(i * 11);
  }
  for (int i = 0; i < 256; i++)
    table[i] = i * 7 % 255;
  memset(from, 0, sizeof from);
  return loops[which].run(loops[which].turns / share);
}
