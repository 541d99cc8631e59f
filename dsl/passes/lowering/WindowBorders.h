//===- WindowBorders.h - windows that reach beyond an image ----------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Sums over windows of an image with a border of zeros read the image as it lies. What a window has
// in the border adds nothing: such terms are left out, and nobody makes a copy with the border.
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_LOWERING_WINDOWBORDERS_H
#define WEFT_PASSES_LOWERING_WINDOWBORDERS_H

#include "passes/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace weft {

/// A term is added where an index is within the image: one of a map's rows, or of a dimension
/// around rows and columns, and one of a sum's.
struct Within {
  mlir::AffineExpr index; ///< over the map's dimensions, then the sum's
  int64_t lower, upper;
  unsigned dim, term; ///< of the map's dimensions, and of the sum's, the one that it depends on

  /// Whether it is so for these values of the two.
  bool holds(int64_t ofDim, int64_t ofTerm) const;
};

/// Lets sums in panels read images without their border, whose terms `withinOf` tells.
void readWithoutBorders(mlir::func::FuncOp func);

/// Which terms of a map's sums are added; all where nothing is said.
llvm::SmallVector<Within> withinOf(MapOp map);

/// Whether the same terms are added for two values of one of the map's dimensions.
bool haveSameTerms(MapOp map, llvm::ArrayRef<Within> within, unsigned dim, int64_t value,
                   int64_t other);

/// Values from `lower` on for which the same terms are added.
struct Run {
  int64_t lower, upper;
};

/// The values of one of the map's dimensions in runs.
llvm::SmallVector<Run> runsOf(MapOp map, llvm::ArrayRef<Within> within, unsigned dim);

} // namespace weft

#endif // WEFT_PASSES_LOWERING_WINDOWBORDERS_H
