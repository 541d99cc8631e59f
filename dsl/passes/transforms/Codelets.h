//===- Codelets.h - small transforms as straight-line code ---------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Real additions and multiplications of each codelet, without twiddles (with FMA
// the multiplications mostly disappear into additions; test/passes/
// simplify-butterflies/counts-*.mlir hold them to it):
//
//   radix   2   3   4   5   6   7   8   9  10  11  12  13  14  15  16
//   add     4  12  16  32  36  60  52  80  84 140  96 192 148 156 144
//   mul     0   4   0  12   8  36   4  40  24 100  16 144  72  56  24
//
// A prime p takes (p-1)(p+3) additions and (p-1)^2 multiplications.
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_TRANSFORMS_CODELETS_H
#define WEFT_PASSES_TRANSFORMS_CODELETS_H

#include "passes/transforms/RealArithmetic.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace weft {

/// Of stages that the model chooses: 16 complex values fill the 32 vector registers of the largest
/// targets.
constexpr int64_t largestRadix = 16;

/// Beyond `largestRadix` stages have primes only. They spill registers, and yet are
/// up to two and a half times as fast as a convolution (docs/decisions/0006-prime-codelets.md);
/// past this one their code grows long and the gain small.
constexpr int64_t largestPrime = 31;

/// Of whole lines (docs/decisions/0046-lines-of-one-butterfly.md), and of what a schedule may ask
/// for.
constexpr int64_t largestCodelet = 96;

bool isPrime(int64_t n);

/// True for the radix of a stage that the model may choose.
bool suitsStage(int64_t radix);

/// True for every radix that has a codelet.
bool hasCodelet(int64_t radix);

/// Operations of the codelet of `radix`, none of which it shares with another: for choosing among
/// factorisations.
int64_t codeletCost(int64_t radix);

/// y_j = sum_k x_k * exp(sign*2*pi*i*j*k/radix) as straight-line arithmetic;
/// `input(k)` is asked for once for each k, just before it is needed.
llvm::SmallVector<Parts> codelet(RealBuilder &arithmetic, int64_t radix, int64_t sign,
                                 llvm::function_ref<Parts(int64_t)> input);

} // namespace weft

#endif // WEFT_PASSES_TRANSFORMS_CODELETS_H
