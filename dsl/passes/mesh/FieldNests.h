//===- FieldNests.h - nests of a loop over time, and their accesses -*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_MESH_FIELDNESTS_H
#define WEFT_PASSES_MESH_FIELDNESTS_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"

namespace weft {

/// A nest that makes rows of fields, or sums over them.
struct FieldNest {
  mlir::affine::AffineForOp root;
  mlir::affine::AffineForOp rows; ///< whose iterations make a row each; null where it makes one row
  int64_t shift = 0;              ///< the row that an iteration makes minus its number, or the row
  int64_t from = 0, until = 0;    ///< rows that it makes
  bool isSum = false;
  mlir::Value to, source; ///< where all it does is to copy an array to another one as it is
};

/// Says of a nest that copies an array to another one as it is which they are.
void findCopy(FieldNest &nest);

/// The array that a memref is all of, under another shape.
mlir::Value wholeArrayOf(mlir::Value memref);
/// Calls `visit` with the ops that access an array, under whatever shape.
void forEachAccess(mlir::Value array, llvm::function_ref<void(mlir::Operation *)> visit);

/// Whether a nest writes or reads an array, under whatever shape.
bool writes(const FieldNest &nest, mlir::Value array);
bool reads(const FieldNest &nest, mlir::Value array);

/// An array whose memory is no part of another one's, and that is seen under other shapes as a
/// whole.
bool isWhole(mlir::Value array);

/// One index of an access, and the place of a loop's variable among what it is made of.
struct IndexOf {
  mlir::AffineExpr expr;
  llvm::SmallVector<mlir::Value> operands;

  IndexOf(mlir::Operation *access, unsigned dim);
  bool isMadeOf(mlir::Value variable) const;
  bool isMadeOfOthers(mlir::Value variable) const;
  /// With that number in place of all variables.
  int64_t at(int64_t number) const;
};

/// The only dimension of an array whose index in an access has a variable in it.
std::optional<unsigned> dimOf(mlir::Operation *access, mlir::Value variable);
/// Whether the variable is in any index of an access.
bool isIndexedBy(mlir::Operation *access, mlir::Value variable);
/// Iterations of all loops of a nest.
int64_t pointsOf(mlir::affine::AffineForOp loop);
/// Loops of a nest whose iterations may be done by different cores: all around them may, too.
llvm::SmallVector<mlir::affine::AffineForOp> rowLoopsOf(mlir::affine::AffineForOp root);
/// Whether iterations of a loop load one element, or access elements side by side.
bool goesAlong(mlir::Operation *access, mlir::affine::AffineForOp loop);
/// Innermost loops within that over rows along which vectors may lie: what each accesses lies side
/// by side there or is one element, and what it combines is a sum, a maximum, or a minimum.
llvm::SmallVector<mlir::affine::AffineForOp> lanesWithin(mlir::affine::AffineForOp rows);

} // namespace weft

#endif // WEFT_PASSES_MESH_FIELDNESTS_H
