//===- ConvolutionOfLines.h - by which convolution a prime goes -----*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_TRANSFORMS_CONVOLUTIONOFLINES_H
#define WEFT_PASSES_TRANSFORMS_CONVOLUTIONOFLINES_H

#include "dialect/Weft.h"
#include "passes/transforms/Factorisation.h"

namespace weft {

/// Whether a prime goes by Rader's convolution. It reads points in an order of its own: those that
/// lie apart in memory would come to a core's own memory one by one.
bool usesRader(DftOp op, int64_t prime);

/// Where whole lines by Bluestein's convolution, its transforms along them, are faster than stages
/// of `radices`, a prime without a butterfly first, the radices of these transforms; else none.
llvm::SmallVector<int64_t> convolutionAlongLine(DftOp op, llvm::ArrayRef<int64_t> radices,
                                                const StageCosts &costs);

} // namespace weft

#endif // WEFT_PASSES_TRANSFORMS_CONVOLUTIONOFLINES_H
