//===- KeptPowers.h - which twiddles a table keeps -----------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Twiddles of one butterfly are powers of a root, from the first to that of the
// radix less one; each that a table does not keep is a product of two others.
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_TRANSFORMS_KEPTPOWERS_H
#define WEFT_PASSES_TRANSFORMS_KEPTPOWERS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <utility>

namespace weft {

/// The exponents of `most` of the powers 1 to `highest`, in order, of which the others are
/// products: of two of them where `most` is enough for it, else of four at most. Nothing where
/// these are more than `most`.
llvm::SmallVector<int64_t> keptPowers(int64_t highest, int64_t most);

/// The two exponents of which that of a power that is not kept is the sum: both kept where
/// possible.
std::pair<int64_t, int64_t> factorsOf(int64_t power, llvm::ArrayRef<int64_t> kept);

} // namespace weft

#endif // WEFT_PASSES_TRANSFORMS_KEPTPOWERS_H
