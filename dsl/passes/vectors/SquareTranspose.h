//===- SquareTranspose.h - squares turned in registers --------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_VECTORS_SQUARETRANSPOSE_H
#define WEFT_PASSES_VECTORS_SQUARETRANSPOSE_H

#include "dialect/Target.h"

#include "mlir/IR/Builders.h"

namespace weft {

/// Transposes a square of elements of `size` reals in registers: element k of row i is
/// element i of row k then. Rows are vectors of the unit, as many as one has elements, a power
/// of two. Each shuffle is one instruction where units are 128 bits wide: first the elements
/// of each square of units are transposed (unpack low and high), then the units (lane
/// shuffles); log2(rows) shuffles a row. Where a shuffle takes two lanes of each operand
/// instead (vshff), the units come first.
llvm::SmallVector<mlir::Value> transposeSquare(mlir::OpBuilder &builder, mlir::Location where,
                                               llvm::SmallVector<mlir::Value> rows,
                                               const VectorUnit &unit, int64_t size);

/// The same of rows that have just been loaded, where there are four units of 128 bits: halves of
/// two rows are put together first, which loads can do as well (targets/common/HalfLoads), then
/// elements, then the units of each half.
llvm::SmallVector<mlir::Value> transposeLoaded(mlir::OpBuilder &builder, mlir::Location where,
                                               llvm::SmallVector<mlir::Value> rows,
                                               const VectorUnit &unit, int64_t size);

} // namespace weft

#endif // WEFT_PASSES_VECTORS_SQUARETRANSPOSE_H
