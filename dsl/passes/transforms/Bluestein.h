//===- Bluestein.h - primes as convolutions -------------------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// With jk = (j^2 + k^2 - (j - k)^2) / 2 a transform of length P is a convolution
// with the chirp c_t = exp(sign*pi*i*t^2/P):
//
//   y_j = c_j * sum_k (x_k * c_k) * conj(c_(j-k))
//
// made by two transforms of a length M >= 2P - 1 without large primes. The chirp's
// own transform, with 1/M, is a table; the second c_j takes in the stage's twiddles
// and the scale.
//
// Chosen over Rader's convolution of length P - 1: that one needs index tables for
// its permutations and still Bluestein where P - 1 has a large prime.
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_TRANSFORMS_BLUESTEIN_H
#define WEFT_PASSES_TRANSFORMS_BLUESTEIN_H

#include "dialect/Target.h"
#include "passes/transforms/Stages.h"

namespace weft {

/// The stage of `radix` after `done`, with the meaning of `weft.butterfly`.
mlir::Value bluesteinStage(const Chain &chain, mlir::Value input, int64_t radix, int64_t done,
                           int64_t sign, std::optional<double> scale);

/// Length of the convolution for a prime: the cheapest that has codelets.
int64_t convolutionLength(int64_t prime);

/// The radices of both transforms of a convolution for whole lines, the last dimension of `type`,
/// by the target's table; empty where no length lets vectors lie along them.
llvm::SmallVector<int64_t> radicesAlongLine(mlir::RankedTensorType type, const Target &target);

/// Whole lines, the last dimension, of whatever length: a transform of these radices on `chain`,
/// one back on `back`, and what is due before, between and behind them.
mlir::Value bluesteinAlongLine(const Chain &chain, const Chain &back, mlir::Value input,
                               llvm::ArrayRef<int64_t> radices, int64_t sign,
                               std::optional<double> scale);

} // namespace weft

#endif // WEFT_PASSES_TRANSFORMS_BLUESTEIN_H
