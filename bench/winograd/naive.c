/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The convolution of examples/winograd as one writes it down: seven loops, the sum in a float. */

void conv_naive(const float *restrict x, const float *restrict g, float *restrict y, long N, long C,
                long K, long H, long W) {
  long OH = H - 2, OW = W - 2;
  for (long n = 0; n < N; n++)
    for (long k = 0; k < K; k++)
      for (long i = 0; i < OH; i++)
        for (long j = 0; j < OW; j++) {
          float sum = 0.0f;
          for (long c = 0; c < C; c++)
            for (long r = 0; r < 3; r++)
              for (long s = 0; s < 3; s++)
                sum += x[((n * C + c) * H + i + r) * W + j + s] * g[((k * C + c) * 3 + r) * 3 + s];
          y[((n * K + k) * OH + i) * OW + j] = sum;
        }
}
