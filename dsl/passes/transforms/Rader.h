//===- Rader.h - primes as convolutions without padding -------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// With a generator g of the numbers from 1 to P - 1 modulo P, k = g^q and j = g^-t make the product
// jk = g^(q-t), so that a transform of length P is a cyclic convolution of length P - 1:
//
//   y_(g^-t) = x_0 + sum_q x_(g^q) * b_(t-q),   b_t = w^(g^-t),   w = exp(sign*2*pi*i/P)
//   y_0      = x_0 + sum_q x_(g^q)
//
// (C. M. Rader, Discrete Fourier transforms when the number of data samples is prime, 1968). Both
// permutations are tables of indices, by which the first stage reads and the last map collects:
// where lines lie side by side, so do the elements that they address. The second sum is the first
// element of the convolution's transform, which is kept multiplied by that of b, -1/(P - 1).
//
// Bluestein's convolution (Bluestein.h) is more than twice as long; it stands in where P - 1 has
// factors without a butterfly.
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_TRANSFORMS_RADER_H
#define WEFT_PASSES_TRANSFORMS_RADER_H

#include "passes/transforms/Stages.h"

namespace weft {

/// Whether the convolution of length `prime` - 1 takes fewer operations than Bluestein's.
bool suitsRader(int64_t prime);

/// The stage of `radix` after `done`, with the meaning of `weft.butterfly`.
mlir::Value raderStage(const Chain &chain, mlir::Value input, int64_t radix, int64_t done,
                       int64_t sign, std::optional<double> scale);

} // namespace weft

#endif // WEFT_PASSES_TRANSFORMS_RADER_H
