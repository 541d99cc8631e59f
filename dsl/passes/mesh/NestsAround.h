//===- NestsAround.h - which other nests touch an array -----------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_MESH_NESTSAROUND_H
#define WEFT_PASSES_MESH_NESTSAROUND_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"

namespace weft {

/// Of the nests around one, which reads or writes an array, those that see the same elements there:
/// from nests that fill the array up to the next that do. None where it is not known.
llvm::SmallVector<mlir::affine::AffineForOp> nestsAround(mlir::Value root,
                                                         mlir::affine::AffineForOp reader);
/// The same where it is one.
mlir::affine::AffineForOp onlyNestOf(mlir::Value root, mlir::affine::AffineForOp reader);
/// Gives what a nest fills an array with, up to the next one that does, memory of its own: the
/// nests between go there instead. The array as they have it then.
mlir::Value ownMemory(mlir::Value array, mlir::affine::AffineForOp filler);
/// Whether what stands between two ops of a block may write an array.
bool writesBetween(mlir::Operation *from, mlir::Operation *to, mlir::Value root);

} // namespace weft

#endif // WEFT_PASSES_MESH_NESTSAROUND_H
