/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * NPB FT, class S, from C: the field is made here, the program `ft` of ft.weft transforms and damps
 * it, the checksums are held against NPB's. Exit status 0 only if all agree to NPB's 1e-12.
 */

#include "ft.h"

#include <complex.h>
#include <stdio.h>
#include <stdlib.h>

enum { NZ = 64, NY = 64, NX = 64, ITERATIONS = 6 };

/* Published with NASA NPB 3.4. */
static const double reference[ITERATIONS][2] = {
    {554.6087004964, 484.5363331978}, {554.6385409189, 486.5304269511},
    {554.6148406171, 488.3910722336}, {554.5423607415, 490.1273169046},
    {554.4255039624, 491.7475857993}, {554.2683411902, 493.2597244941},
};

/* NPB's generator: x -> 5^13 x mod 2^46; products wrap modulo 2^64, which 2^46 divides. */
static double next_random(uint64_t *state) {
  *state = *state * UINT64_C(1220703125) & ((UINT64_C(1) << 46) - 1);
  return (double)*state / (double)(UINT64_C(1) << 46);
}

int main(void) {
  const size_t points = (size_t)NZ * NY * NX;
  double complex *field = malloc(points * sizeof *field);
  double complex sums[ITERATIONS];
  if (field == NULL)
    return EXIT_FAILURE;
  uint64_t state = 314159265;
  for (size_t i = 0; i < points; ++i) {
    double real = next_random(&state);
    double imaginary = next_random(&state);
    field[i] = real + imaginary * I;
  }

  /* No plan: the name says which sizes. No scratch lent: the function takes its own. */
  int status = ft_nz64_ny64_nx64_niter6(field, sums, NULL);
  free(field);
  if (status != 0) {
    fprintf(stderr, "ft: %s\n", ft_nz64_ny64_nx64_niter6_message(status));
    return EXIT_FAILURE;
  }

  int right = 1;
  for (int t = 0; t < ITERATIONS; ++t) {
    double complex expected = reference[t][0] + reference[t][1] * I;
    double complex difference = sums[t] - expected;
    double squared = creal(difference * conj(difference)) / creal(expected * conj(expected));
    printf("T = %d  checksum %.12e %.12e\n", t + 1, creal(sums[t]), cimag(sums[t]));
    right = right && squared <= 1e-12 * 1e-12; /* false for NaN */
  }
  puts(right ? "verified" : "NOT verified");
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
