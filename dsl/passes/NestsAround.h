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

/// Of the nests around one, which reads or writes an array, the other one that does, if it is the
/// only one that sees the same elements there: between two that fill the array, it holds those of
/// the first alone.
mlir::affine::AffineForOp onlyNestOf(mlir::Value root, mlir::affine::AffineForOp reader);
/// Gives what a nest fills an array with, up to the next one that does, memory of its own: the
/// nests between go there instead. The array as they have it then.
mlir::Value ownMemory(mlir::Value array, mlir::affine::AffineForOp filler);
/// Whether what stands between two ops of a block may write an array.
bool writesBetween(mlir::Operation *from, mlir::Operation *to, mlir::Value root);

} // namespace weft

#endif // WEFT_PASSES_NESTSAROUND_H
