//===- ConvolutionChoice.h - which algorithm a convolution takes -----*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_CONVOLUTIONS_CONVOLUTIONCHOICE_H
#define WEFT_PASSES_CONVOLUTIONS_CONVOLUTIONCHOICE_H

#include "dialect/Weft.h"

namespace weft {

/// Writes a convolution out by the algorithm that it names, or by the one of fewest cycles; fails
/// with a diagnostic where the target lacks numbers.
llvm::LogicalResult expandConvolution(ConvOp op);

} // namespace weft

#endif // WEFT_PASSES_CONVOLUTIONS_CONVOLUTIONCHOICE_H
