//===- ReshapedMaps.h - elementwise work over another shape -------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_TENSORS_RESHAPEDMAPS_H
#define WEFT_PASSES_TENSORS_RESHAPEDMAPS_H

#include "passes/Passes.h"

namespace weft {

/// Computes `map`, which reworks a reshaped tensor point by point, over the shape that the tensor
/// has before: its result is reshaped instead, and so are other tensors that it reads along
/// dimensions that become others. `read` is how it reads `reshape`, which nothing else does, at its
/// own point, where it stores as well. Null, and nothing changed, where it reads another tensor
/// along a part of such dimensions, or computes with their indices.
MapOp overShapeBefore(ReshapeOp reshape, mlir::tensor::ExtractOp read, MapOp map);

} // namespace weft

#endif // WEFT_PASSES_TENSORS_RESHAPEDMAPS_H
