//===- Placement.h - where what a block makes lies ------------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_LOWERING_PLACEMENT_H
#define WEFT_PASSES_LOWERING_PLACEMENT_H

#include "passes/loops/Buffers.h"

namespace weft {

/// Where a tensor of a block lies that has no memory of its own: in the block's result.
struct Placement {
  Buffer buffer;
  mlir::AffineMap place;
  llvm::SmallVector<mlir::Value> origin;
  llvm::SmallVector<int64_t> shape; ///< of the buffer's elements

  /// The index in the buffer of what a map stores, but for what the origin adds.
  mlir::AffineMap indexOf(mlir::AffineMap store) const;
  /// Where a part of it lies that blocks within make, from their origin on.
  Placement of(mlir::AffineMap part, llvm::ArrayRef<mlir::Value> partOrigin) const;
};

} // namespace weft

#endif // WEFT_PASSES_LOWERING_PLACEMENT_H
