//===- NestsAround.h - which other nests touch an array -----------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_NESTSAROUND_H
#define WEFT_PASSES_NESTSAROUND_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"

namespace weft {

/// Of the nests around a reader, the one that touches an array, too, if it is the only one.
mlir::affine::AffineForOp onlyNestOf(mlir::Value root, mlir::affine::AffineForOp reader);
/// Whether what stands between two ops of a block may write an array.
bool writesBetween(mlir::Operation *from, mlir::Operation *to, mlir::Value root);

} // namespace weft

#endif // WEFT_PASSES_NESTSAROUND_H
