//===- DataIndices.h - loops whose indices are data ---------------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_LOWERING_DATAINDICES_H
#define WEFT_PASSES_LOWERING_DATAINDICES_H

#include "passes/loops/Buffers.h"

namespace weft {

/// A loop that looks at all indices, and the return from the kernel where one of them
/// is outside of 0 to `op.getBelow()`.
void checkIndices(mlir::OpBuilder &builder, CheckedIndicesOp op, Buffer indices);

/// Loops over the updates in order, each combined into the row of `base` that its
/// index names. The elements of a row are independent, the updates are not.
void scatterRows(mlir::OpBuilder &builder, ScatterOp op, Buffer base, Buffer indices,
                 Buffer updates);

} // namespace weft

#endif // WEFT_PASSES_LOWERING_DATAINDICES_H
