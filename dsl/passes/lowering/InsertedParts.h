//===- InsertedParts.h - what an iteration gives to a result ------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_LOWERING_INSERTEDPARTS_H
#define WEFT_PASSES_LOWERING_INSERTEDPARTS_H

#include "passes/lowering/Memories.h"
#include "passes/lowering/PointBody.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace weft {

/// The tensor that an element or a row is put into, or null.
mlir::Value insertedInto(mlir::Operation *op);

/// Stores an element, where its result has its memory.
void storePart(mlir::OpBuilder &builder, PointBody &point, mlir::tensor::InsertOp insert,
               Memories &memories);

/// Copies a row, as a loop nest.
void storePart(mlir::OpBuilder &builder, PointBody &point, mlir::tensor::InsertSliceOp insert,
               Memories &memories);

} // namespace weft

#endif // WEFT_PASSES_LOWERING_INSERTEDPARTS_H
