//===- ReshapedMaps.h - elementwise work over another shape -------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_RESHAPEDMAPS_H
#define WEFT_PASSES_RESHAPEDMAPS_H

#include "passes/Passes.h"

namespace weft {

/// What `map` makes point by point of a reshaped tensor, over the shape that the tensor has before:
/// its result is reshaped instead, and what else it reads where dimensions become others. `read` is
/// how it reads `reshape`, which nothing else does, at its own point; it stores there as well.
/// Nothing, and all as it was, where it reads another tensor along a part of such dimensions.
MapOp overShapeBefore(ReshapeOp reshape, mlir::tensor::ExtractOp read, MapOp map);

} // namespace weft

#endif // WEFT_PASSES_RESHAPEDMAPS_H
