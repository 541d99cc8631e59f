//===- FieldPoints.h - single elements of fields ----------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_MESH_FIELDPOINTS_H
#define WEFT_PASSES_MESH_FIELDPOINTS_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"

namespace weft {

/// Single elements that a loop over time stores into what its nests make: nests of one iteration,
/// for as long as it is not known whether the cores take all of them.
class FieldPoints {
public:
  explicit FieldPoints(mlir::affine::AffineForOp time);
  /// As it was.
  void undo();

private:
  void wrap(mlir::affine::AffineStoreOp store);

  llvm::SmallVector<mlir::affine::AffineForOp> loops;
};

} // namespace weft

#endif // WEFT_PASSES_MESH_FIELDPOINTS_H
