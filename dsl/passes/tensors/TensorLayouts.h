//===- TensorLayouts.h - the order in which tensors are kept ---------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// A tensor that maps alone make and read may have its elements in any order: the
// stores of its makers and the indices of its readers change together.
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_TENSORS_TENSORLAYOUTS_H
#define WEFT_PASSES_TENSORS_TENSORLAYOUTS_H

#include "passes/Passes.h"

namespace weft {

/// The indices of a read as expressions over `variables`; nothing where an index
/// depends on anything else.
std::optional<mlir::SmallVector<mlir::AffineExpr>> indicesOver(mlir::tensor::ExtractOp read,
                                                               mlir::ValueRange variables);

/// Whether none of them is a function of a dimension.
bool isWithout(llvm::ArrayRef<mlir::AffineExpr> exprs, unsigned dim);

/// Whether only maps make `value` (with the values it starts from) and only reads
/// of single elements use it.
bool isFreeLayout(mlir::Value value);
/// Makes `value` of maps of its own where it and `other` go on with what one map has made, as the
/// parts of a complex matrix and of its conjugate do: their layouts are chosen for each then.
void makeApart(mlir::Value value, mlir::Value other);

/// Keeps element i of `value` at index layout(i) of `shape`; `value` has a free layout
/// and `layout` is one to one.
void changeLayout(mlir::Value value, llvm::ArrayRef<int64_t> shape, mlir::AffineMap layout);

/// A map from `lower` to `upper` that stores what `body` makes of a point at `store` of a tensor of
/// this type, which starts from `init`.
MapOp makeMap(mlir::OpBuilder &builder, mlir::Location loc, mlir::RankedTensorType type,
              llvm::ArrayRef<int64_t> lower, llvm::ArrayRef<int64_t> upper, mlir::AffineMap store,
              llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::ValueRange)> body,
              mlir::Value init = {});

/// source[index(point)]
mlir::Value elementAt(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value source,
                      mlir::AffineMap index, mlir::ValueRange point);

/// A map that does nothing but copy: result[point] = source[index(point)].
mlir::Value copyOf(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value source,
                   llvm::ArrayRef<int64_t> shape, mlir::AffineMap index);

/// The same elements under another shape.
mlir::Value reshaped(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                     llvm::ArrayRef<int64_t> shape);

/// `value` with dimension n where `order[n]` was: kept so, or copied.
mlir::Value inOrder(mlir::OpBuilder &builder, mlir::Value value, llvm::ArrayRef<unsigned> order);

/// The row-major number of `point` in a box of `shape`.
mlir::AffineExpr linear(llvm::ArrayRef<mlir::AffineExpr> point, llvm::ArrayRef<int64_t> shape,
                        mlir::MLIRContext *context);

} // namespace weft

#endif // WEFT_PASSES_TENSORS_TENSORLAYOUTS_H
