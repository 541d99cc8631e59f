//===- LoopIndices.h - accesses by the variables of loops -------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_LOOPS_LOOPINDICES_H
#define WEFT_PASSES_LOOPS_LOOPINDICES_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"

namespace weft {

/// The indices of an affine.load or affine.store, composed down to loop variables, as dims.
std::pair<mlir::AffineMap, llvm::SmallVector<mlir::Value>> indicesOf(mlir::Operation *op);

/// One of them: a constant and, if it varies, a value times a factor.
struct LoopIndex {
  mlir::Value value;
  int64_t factor = 0, constant = 0;
};
/// Nothing where one is something else.
std::optional<llvm::SmallVector<LoopIndex>> loopIndices(mlir::Operation *op);
/// What an affine.load or affine.store is of; null for other ops.
mlir::Value arrayOf(mlir::Operation *op);
/// Loops one in the other, each from 0 on and nothing beside it, outermost first; none where one is
/// not so.
llvm::SmallVector<mlir::affine::AffineForOp> perfectLoops(mlir::affine::AffineForOp outermost);
/// Whether an op that is no access computes with numbers alone, or says where accesses are.
bool isArithmetic(mlir::Operation &op);

} // namespace weft

#endif // WEFT_PASSES_LOOPS_LOOPINDICES_H
