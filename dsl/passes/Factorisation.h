//===- Factorisation.h - lengths to radices -------------------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_FACTORISATION_H
#define WEFT_PASSES_FACTORISATION_H

#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace weft {

/// The radices of the stages of a transform of `length`, in order of the stages:
/// primes without a codelet first, then the fewest codelets, of these the fewest
/// operations, of these the smallest largest radix; large radices first.
llvm::SmallVector<int64_t> factorise(int64_t length);

/// The same with radices below `limit` only; empty where the length has none.
llvm::SmallVector<int64_t> factoriseBelow(int64_t length, int64_t limit);

/// Real operations of stages of these radices, for each point; all have codelets.
double operationsPerPoint(llvm::ArrayRef<int64_t> radices);

/// Real operations of a transform of `length` by codelets; nothing known (-1) where
/// a prime has none.
int64_t operations(int64_t length);

} // namespace weft

#endif // WEFT_PASSES_FACTORISATION_H
