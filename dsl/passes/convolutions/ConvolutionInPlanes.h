//===- ConvolutionInPlanes.h - images of other layouts as planes ----*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_CONVOLUTIONS_CONVOLUTIONINPLANES_H
#define WEFT_PASSES_CONVOLUTIONS_CONVOLUTIONINPLANES_H

#include "dialect/Weft.h"

namespace weft {

/// Whether images and results are planes, channels before pixels.
bool isInPlanes(ConvOp op);

/// The convolution of the same images as planes, in the place of `op`: they are turned before it,
/// and its results behind it, each in a pass of its own over them.
ConvOp inPlanes(ConvOp op);

} // namespace weft

#endif // WEFT_PASSES_CONVOLUTIONS_CONVOLUTIONINPLANES_H
