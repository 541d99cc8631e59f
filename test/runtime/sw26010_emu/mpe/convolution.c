// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The naive convolution runs on the MPE as it was measured, 0.91 to 0.97 GFlop/s: with images of a
// batch side by side, as the program had them whose rates are published, and the other way round
// (docs/cycle-model.md).
// RUN: %swcc -host -O3 -c %s -o %t.o && %swcc -hybrid %t.o -o %t && %t | FileCheck %s
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int B, Ni, No, Ri, Ro, K = 3;

/* The image is what moves fastest. */
void batch_inside(double *input, double *weight, double *output) {
  int y, x, p, q, o, i, b;
  for (y = 0; y < Ro; y++)
    for (x = 0; x < Ro; x++)
      for (p = 0; p < K; p++)
        for (q = 0; q < K; q++)
          for (o = 0; o < No; o++)
            for (i = 0; i < Ni; i++)
              for (b = 0; b < B; b++)
                output[((y * Ro + x) * No + o) * B + b] +=
                    input[(((y + p) * Ri + x + q) * Ni + i) * B + b] *
                    weight[((p * K + q) * No + o) * Ni + i];
}

/* The pixel is what moves fastest. */
void batch_outside(double *input, double *weight, double *output) {
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

static void rate(const char *which, void (*convolve)(double *, double *, double *), int images,
                 int channels, int filters, int size) {
  double *in, *w, *out, time;
  int i;
  B = images, Ni = channels, No = filters, Ri = size, Ro = Ri - K + 1;
  in = calloc(B * Ni * Ri * Ri, sizeof *in);
  w = calloc(No * Ni * K * K, sizeof *w);
  out = calloc(B * No * Ro * Ro, sizeof *out);
  for (i = 0; i < No * Ni * K * K; i++)
    w[i] = 1;
  for (i = 0; i < B * Ni * Ri * Ri; i++)
    in[i] = 1;
  time = MPI_Wtime();
  convolve(in, w, out);
  time = MPI_Wtime() - time;
  printf("%s, %d channels: sum %g, %.2f GFlop/s\n", which, Ni, out[0],
         2e-9 * B * Ni * No * Ro * Ro * K * K / time);
  free(in), free(w), free(out);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  // CHECK: inside, 128 channels: sum 1152, 0.9{{[1-7]}} GFlop/s
  rate("inside", batch_inside, 128, 128, 64, 4);
  // CHECK: inside, 384 channels: sum 3456, 0.9{{[1-7]}} GFlop/s
  rate("inside", batch_inside, 128, 384, 32, 4);
  // CHECK: outside, 128 channels: sum 1152, 0.9{{[1-7]}} GFlop/s
  rate("outside", batch_outside, 1, 128, 64, 10);
  // CHECK: outside, 384 channels: sum 3456, 0.9{{[1-7]}} GFlop/s
  rate("outside", batch_outside, 1, 384, 64, 10);
  MPI_Finalize();
  return 0;
}
