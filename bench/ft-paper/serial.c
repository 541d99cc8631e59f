// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NPB FT in plain serial C on the management core: what the published speedups are over. Prints the
// seconds of an iteration, on the machine's own clock, and the last checksum.

#include "../ft/stockham.c"

#include <stdio.h>
#include <sys/time.h>

static double now(void) {
  struct timeval t;
  gettimeofday(&t, NULL);
  return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 32, steps = argc > 2 ? atoi(argv[2]) : 4;
  size_t total = (size_t)n * n * n;
  State *s = ft_new(n, n, n);
  cplx *u = malloc(total * sizeof *u), *sums = malloc((size_t)steps * sizeof *sums);
  if (!s || !u || !sums)
    return 1;
  for (size_t i = 0; i < total; ++i)
    u[i] = (cplx){(double)(i * 37 % 101) / 101, (double)(i * 53 % 97) / 97};
  double start = now();
  ft_run(s, 0, u, sums);
  double forward = now();
  ft_run(s, steps, u, sums);
  double end = now();
  printf("%.9e %.17g %.17g\n", (end - forward - (forward - start)) / steps, sums[steps - 1].re,
         sums[steps - 1].im);
  free(u);
  free(sums);
  ft_free(s);
  return 0;
}
