//===- ComputedFactors.h - what the factors of a sum are made of -----*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// A factor of a sum of products may be computed where it is used: (2*x + 1) @ y computes each
// 2*x + 1 once for each column. Made before, in a tensor of its own, it is computed once.
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_CONTRACTIONS_COMPUTEDFACTORS_H
#define WEFT_PASSES_CONTRACTIONS_COMPUTEDFACTORS_H

#include "passes/contractions/Contraction.h"

#include "llvm/ADT/SetVector.h"

namespace weft {

/// A value in the body of a sum, and the operations of that body, or of the map's around it, that
/// compute it from elements of tensors. Indices are numbered: those of the map, then those of the
/// sum.
struct ComputedFactor {
  mlir::Value value;
  llvm::SetVector<mlir::Operation *> operations; ///< each behind what it uses
  llvm::SmallVector<unsigned> indices;           ///< that it depends on, in order

  /// Whether it is an element of a tensor that has no others than those: one index a dimension.
  bool isElement(MapOp map, ReduceOp reduce) const;
  /// The operations once more, at other indices: those in `variables`, of the same order.
  mlir::Value cloneAt(mlir::OpBuilder &builder, MapOp map, ReduceOp reduce,
                      mlir::ValueRange variables) const;

  /// Nothing where it has other effects, is computed from sums, or reads at places that several
  /// indices decide together, as windows do.
  static std::optional<ComputedFactor> of(mlir::Value value, MapOp map, ReduceOp reduce);
};

/// Makes tensors of the factors that a sum of products computes, where these fill panels.
void makeFactors(MapOp map, ReduceOp reduce, const Target &target);

} // namespace weft

#endif // WEFT_PASSES_CONTRACTIONS_COMPUTEDFACTORS_H
