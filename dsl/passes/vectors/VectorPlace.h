//===- VectorPlace.h - where a vector lies in its array -----------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_VECTORS_VECTORPLACE_H
#define WEFT_PASSES_VECTORS_VECTORPLACE_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"

#include <optional>

namespace weft {

/// A vector that is loaded from an array or stored to it: where it begins, by the array's indices.
struct VectorPlace {
  mlir::Value memref;
  mlir::Value vector; ///< what is loaded or stored
  mlir::AffineMap map;
  llvm::SmallVector<mlir::Value> operands;

  /// Nothing for ops that are no loads or stores of whole vectors.
  static std::optional<VectorPlace> of(mlir::Operation *op);

  mlir::VectorType type() const { return mlir::cast<mlir::VectorType>(vector.getType()); }
  /// Whether the elements in front of it in its array are a multiple of its lanes, in every turn of
  /// the loops around it.
  bool isMultiple() const;
};

/// The indices of an affine access as values: vectors under a mask take no maps.
llvm::SmallVector<mlir::Value> indexValues(mlir::OpBuilder &builder, mlir::Location where,
                                           mlir::AffineMap map, mlir::ValueRange operands);

} // namespace weft

#endif // WEFT_PASSES_VECTORS_VECTORPLACE_H
