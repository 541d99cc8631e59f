//===- BorderNest.h - loops that put a border of zeros around an array -*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_PANELS_BORDERNEST_H
#define WEFT_PASSES_PANELS_BORDERNEST_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"

namespace weft {

/// Nests that copy all of an array into a larger one, and make the others of its elements zero.
struct BorderNest {
  llvm::SmallVector<mlir::affine::AffineForOp> nests;
  mlir::Value source;
  llvm::SmallVector<int64_t> before; ///< elements of zeros before it, along each dimension
  /// What reads the source has to put its results elsewhere than where they are: in its place.
  bool needsOtherResult = false;

  /// Nothing where they do anything else.
  static std::optional<BorderNest> of(llvm::ArrayRef<mlir::affine::AffineForOp> nests,
                                      mlir::Value bordered);
  /// The nests before a reader that make what it reads, if that could read the smaller array as
  /// well: nobody else wants the larger one, and the other keeps its elements until the result
  /// is written by the nest `last`.
  static std::optional<BorderNest> forReader(mlir::Value bordered, mlir::affine::AffineForOp reader,
                                             mlir::affine::AffineForOp last, mlir::Value result);
};

} // namespace weft

#endif // WEFT_PASSES_PANELS_BORDERNEST_H
