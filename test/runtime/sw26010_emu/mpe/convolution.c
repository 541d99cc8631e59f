// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The naive convolution runs on the MPE as it was measured: 0.96 GFlop/s where the images of all
// channels fit the second cache, 0.91 where they do not (docs/cycle-model.md).
// RUN: %swcc -host -O3 -c %s -o %t.o && %swcc -hybrid %t.o -o %t && %t | FileCheck %s
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int B = 1, Ni, No, Ri, Ro, K = 3;

void convolve(double *input, double *weight, double *output) {
  int b, o, i, y, x, p, q;
  for (b = 0; b < B; b++)
    for (o = 0; o < No; o++) {
      double *out = output + (b * No + o) * Ro * Ro;
      for (i = 0; i < Ni; i++) {
        double *in = input + (b * Ni + i) * Ri * Ri;
        double *w = weight + (o * Ni + i) * K * K;
        for (y = 0; y < Ro; y++)
          for (x = 0; x < Ro; x++)
            for (p = 0; p < K; p++)
              for (q = 0; q < K; q++)
                *(out + y * Ro + x) += *(in + (y + p) * Ri + x + q) * *(w + p * K + q);
      }
    }
}

static void rate(int channels, int filters, int size) {
  double *in, *w, *out, time;
  int i;
  Ni = channels, No = filters, Ri = size, Ro = Ri - K + 1;
  in = calloc(B * Ni * Ri * Ri, sizeof *in);
  w = calloc(No * Ni * K * K, sizeof *w);
  out = calloc(B * No * Ro * Ro, sizeof *out);
  for (i = 0; i < Ni * K * K; i++)
    w[i] = 1;
  for (i = 0; i < B * Ni * Ri * Ri; i++)
    in[i] = 1;
  time = MPI_Wtime();
  convolve(in, w, out);
  time = MPI_Wtime() - time;
  printf("%d channels of %d x %d: sum %g, %.2f GFlop/s\n", Ni, Ri, Ri, out[0],
         2e-9 * B * Ni * No * Ro * Ro * K * K / time);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  // CHECK: 128 channels of 10 x 10: sum 1152, 0.9{{[4-8]}} GFlop/s
  rate(128, 64, 10);
  // CHECK: 192 channels of 10 x 10: sum 1728, 0.9{{[4-8]}} GFlop/s
  rate(192, 64, 10);
  // CHECK: 384 channels of 10 x 10: sum 3456, 0.{{8[89]|9[0-3]}} GFlop/s
  rate(384, 64, 10);
  // CHECK: 384 channels of 34 x 34: sum 3456, 0.9{{[0-5]}} GFlop/s
  rate(384, 4, 34);
  MPI_Finalize();
  return 0;
}
