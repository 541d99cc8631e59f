//===- TurnLoops.h - loops over blocks that take turns ------------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_TURNLOOPS_H
#define WEFT_PASSES_TURNLOOPS_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"

namespace weft {

/// A mark of blocks whose local tensors share memory outside of them, one block at a time; of the
/// loops over such blocks, whose iterations are independent but for that memory; and of it.
inline constexpr llvm::StringLiteral inTurnMark = "weft.in_turn";

/// The loops over blocks that take turns, each alone in the one before, from this one on. None
/// where their bounds are not known.
llvm::SmallVector<mlir::affine::AffineForOp> turnLoops(mlir::affine::AffineForOp outermost);

/// How often the body of the innermost runs.
int64_t turnsOf(llvm::ArrayRef<mlir::affine::AffineForOp> loops);

} // namespace weft

#endif // WEFT_PASSES_TURNLOOPS_H
