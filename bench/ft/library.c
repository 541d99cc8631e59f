// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NPB FT rebuilt on a library's three-dimensional transforms, through FFTW's interface: what
// remains of the benchmark is the damping, by one factor an axis as in examples/ft, and the
// checksum. The spectrum is damped in place and transformed out of place.
//
// The timed region is `ft_library`: the forward transform and all iterations.

#include "checksum.h"

typedef void execute(void *plan, cplx *in, cplx *out);

typedef struct {
  int nx, ny, nz, niter;
  const double *ex, *ey, *ez; // the damping's factors
  execute *transform;
  void *forward, *back; // plans of u -> spectrum and of spectrum -> field
  cplx *u, *spectrum, *field;
} Problem;

static void evolve(const Problem *p) {
  cplx *v = p->spectrum;
  for (int z = 0; z < p->nz; ++z)
    for (int y = 0; y < p->ny; ++y) {
      double factor = p->ez[z] * p->ey[y];
      for (int x = 0; x < p->nx; ++x, ++v)
        *v = (cplx){v->re * (factor * p->ex[x]), v->im * (factor * p->ex[x])};
    }
}

void ft_library(const Problem *p, cplx *sums) {
  p->transform(p->forward, p->u, p->spectrum);
  for (int t = 0; t < p->niter; ++t) {
    evolve(p);
    p->transform(p->back, p->spectrum, p->field);
    sums[t] = checksum(p->field, p->nx, p->ny, p->nz);
  }
}
