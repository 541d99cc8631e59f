//===- ResultBoxes.h - results by what of their windows is an image --*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_CONVOLUTIONS_RESULTBOXES_H
#define WEFT_PASSES_CONVOLUTIONS_RESULTBOXES_H

#include "passes/convolutions/Convolutions.h"

namespace weft {

/// Which places of a filter lie within the image, along one dimension, for some of the results.
struct Inside {
  int64_t first, last;   ///< results
  int64_t lower, places; ///< the first place, and how many
};

/// Some of the results, dimension by dimension.
using Box = llvm::SmallVector<Inside>;

/// The results in boxes, within each of which filters have the same places in the image.
llvm::SmallVector<Box> boxesOf(const ConvSizes &sizes);

} // namespace weft

#endif // WEFT_PASSES_CONVOLUTIONS_RESULTBOXES_H
