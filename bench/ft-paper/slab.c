// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NPB FT as its layout_1D computes it, an iteration of one rank's slab on the management core: what
// the published speedups of many groups are over. A rank has planes of y of the spectrum, columns
// of z side by side; they are damped and transformed, rearranged for the other ranks (Local),
// exchanged, put together (Finish), and transformed along y and x. As in NPB 16 lines go through a
// transform at a time and the rearrangement is in squares of 32.
//
//   slab N RANKS HELD ROWS STEPS
//
// HELD of the ranks are computed, one after the other. With all of them held, what is exchanged is
// right and so is the checksum; with one, its own blocks come back, and only its time means
// something. ROWS of the planes that a rank has are worked on, at their places among the others:
// the time is theirs. Prints the seconds of rank 0 an iteration, without what is exchanged, and the
// last checksum.

#define BLOCK 16
#define LONGEST 2048
#include "../ft/stockham.c"

#include <stdio.h>
#include <string.h>
#include <sys/time.h>

#define SQUARE 32

typedef struct {
  int rank, planes; // planes of y in the spectrum, and of z in the field
  cplx *spectrum, *here, *there;
  double *damping;
} Slab;

static double now(void) {
  struct timeval t;
  gettimeofday(&t, NULL);
  return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

static int slab_new(Slab *slab, int n, int ranks, int rank, int rows) {
  const double pi = 3.14159265358979323846;
  int planes = n / ranks;
  size_t total = (size_t)planes * n * n;
  *slab = (Slab){rank, planes};
  slab->spectrum = malloc(total * sizeof(cplx));
  slab->here = malloc(total * sizeof(cplx));
  slab->there = malloc(total * sizeof(cplx));
  slab->damping = malloc(total * sizeof(double));
  if (!slab->spectrum || !slab->here || !slab->there || !slab->damping)
    return 1;
  size_t at = 0;
  for (int y = rank * planes; y < rank * planes + rows; ++y)
    for (int x = 0; x < n; ++x)
      for (int z = 0; z < n; ++z, ++at) {
        double kx = wave(x, n), ky = wave(y, n), kz = wave(z, n);
        size_t i = ((size_t)z * n + y) * n + x;
        slab->spectrum[at] = (cplx){(double)(i * 37 % 101) / 101, (double)(i * 53 % 97) / 97};
        slab->damping[at] = exp(-4e-6 * pi * pi * (kx * kx + ky * ky + kz * kz));
      }
  return 0;
}

// Up to the exchange: from the spectrum to columns by their planes of z, in `there`.
static void before(Slab *slab, State *s, int n, int rows) {
  size_t columns = (size_t)slab->planes * n, some = (size_t)rows * n;
  for (size_t i = 0; i < some * n; ++i) {
    double d = slab->damping[i];
    slab->here[i] = slab->spectrum[i] = (cplx){slab->spectrum[i].re * d, slab->spectrum[i].im * d};
  }
  transform(s, -1, n, 1, (int)some, n, slab->here, slab->here);
  cplx square[SQUARE][SQUARE + 1];
  for (size_t c = 0; c < some; c += SQUARE)
    for (int z = 0; z < n; z += SQUARE) {
      for (size_t i = 0; i < SQUARE && c + i < some; ++i)
        for (int j = 0; j < SQUARE && z + j < n; ++j)
          square[j][i] = slab->here[(c + i) * n + z + j];
      for (int j = 0; j < SQUARE && z + j < n; ++j)
        for (size_t i = 0; i < SQUARE && c + i < some; ++i)
          slab->there[(z + j) * columns + c + i] = square[j][i];
    }
}

// Behind it: blocks of all ranks in `here` to planes of z in `there`, transformed; its share of the
// checksum.
static cplx after(Slab *slab, State *s, int n, int rows) {
  size_t columns = (size_t)slab->planes * n;
  for (int from = 0; from < n / slab->planes; ++from)
    for (int z = 0; z < rows; ++z)
      for (size_t i = 0; i < columns; ++i)
        slab->there[((size_t)z * n + (size_t)from * slab->planes) * n + i] =
            slab->here[((size_t)from * slab->planes + z) * columns + i];
  for (int z = 0; z < rows; ++z) {
    cplx *plane = slab->there + (size_t)z * n * n;
    transform(s, -1, n, n, n, 1, plane, plane);
    transform(s, -1, n, 1, n, n, plane, plane);
  }
  cplx sum = {0, 0};
  for (int j = 1; j <= 1024; ++j) {
    int z = 5 * j % n - slab->rank * slab->planes;
    if (z < 0 || z >= rows)
      continue;
    cplx v = slab->there[((size_t)z * n + 3 * j % n) * n + j % n];
    sum.re += v.re, sum.im += v.im;
  }
  return sum;
}

// Blocks of each held rank to each; of a rank that is not held there is nothing.
static void exchange(Slab *slabs, int held, int n) {
  size_t block = (size_t)slabs->planes * slabs->planes * n;
  for (int to = 0; to < held; ++to)
    for (int from = 0; from < held; ++from)
      memcpy(slabs[to].here + from * block, slabs[from].there + to * block, block * sizeof(cplx));
}

int main(int argc, char **argv) {
  if (argc != 6)
    return 2;
  int n = atoi(argv[1]), ranks = atoi(argv[2]), held = atoi(argv[3]), rows = atoi(argv[4]);
  int steps = atoi(argv[5]);
  State *s = ft_new(n, 1, 1);
  Slab *slabs = calloc((size_t)held, sizeof *slabs);
  if (!s || !slabs)
    return 1;
  for (int rank = 0; rank < held; ++rank)
    if (slab_new(&slabs[rank], n, ranks, rank, rows))
      return 1;
  double spent = 0;
  cplx sum = {0, 0};
  for (int t = 0; t < steps; ++t) {
    double start = now();
    before(&slabs[0], s, n, rows);
    spent += now() - start;
    for (int rank = 1; rank < held; ++rank)
      before(&slabs[rank], s, n, rows);
    exchange(slabs, held, n);
    start = now();
    sum = after(&slabs[0], s, n, rows);
    spent += now() - start;
    for (int rank = 1; rank < held; ++rank) {
      cplx part = after(&slabs[rank], s, n, rows);
      sum.re += part.re, sum.im += part.im;
    }
  }
  double points = (double)n * n * n;
  printf("%.9e %.17g %.17g\n", spent / steps, sum.re / points, sum.im / points);
  return 0;
}
