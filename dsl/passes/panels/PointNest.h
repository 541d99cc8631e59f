//===- PointNest.h - loops that rework each element of an array -----*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_PANELS_POINTNEST_H
#define WEFT_PASSES_PANELS_POINTNEST_H

#include "passes/transfers/MeshMachine.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"

namespace weft {

/// Loops over all elements of an array, each of which is read, changed and written, with elements
/// of small arrays that stay with each core: biases, what a net does with sums.
struct PointNest {
  mlir::affine::AffineForOp outermost, innermost;
  /// Loop variables by the array's dimensions, null for one element.
  llvm::SmallVector<mlir::Value> indices;
  llvm::SmallVector<mlir::Value> kept; ///< the small arrays
  /// Where the loops leave the array as it is and store what they make of each element in another
  /// one, with a border around it: that store.
  mlir::Operation *copying = nullptr;

  /// The loops behind a nest, with nothing between but a sync, if they are such a nest.
  static std::optional<PointNest> behind(mlir::affine::AffineForOp nest, mlir::Value array,
                                         const MeshMachine &machine);
  /// Takes the loops away, or leaves a copy of them.
  void erase() const;

  int64_t keptBytes() const;
  /// Which of the small arrays an access reads; nothing where it is one of the array.
  std::optional<unsigned> keptNumber(mlir::Operation *access) const;
  /// The element of it, by expressions for the indices of the array.
  mlir::AffineExpr placeOfKept(mlir::Operation *access,
                               llvm::ArrayRef<mlir::AffineExpr> indices) const;

  struct Place {
    mlir::Value array;
    mlir::AffineMap map;
    llvm::SmallVector<mlir::Value> operands;
  };
  /// The body once more, its accesses elsewhere.
  void writeBody(mlir::OpBuilder &at, llvm::function_ref<Place(mlir::Operation *)> placeOf) const;

private:
  bool readBody(mlir::Value array);
};

} // namespace weft

#endif // WEFT_PASSES_PANELS_POINTNEST_H
