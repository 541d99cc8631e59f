//===- TurnLoops.h - loops over blocks that take turns ------------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_LOOPS_TURNLOOPS_H
#define WEFT_PASSES_LOOPS_TURNLOOPS_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"

namespace weft {

/// A mark of blocks whose local tensors share memory outside of them, one block at a time; of the
/// loops over such blocks, whose iterations are independent but for that memory; and of it.
inline constexpr llvm::StringLiteral inTurnMark = "weft.in_turn";

/// Of blocks that take turns and of the loops over them: how many cores of a row share a line of
/// theirs, where these are not all of the row.
inline constexpr llvm::StringLiteral sharingMark = "weft.sharing";

/// A mark of blocks that take turns, and of the outermost loop over them: they go on with what the
/// blocks before have left of a result and store nothing of it again, so that both may come at
/// once.
inline constexpr llvm::StringLiteral besideMark = "weft.beside";

/// The loops over blocks that take turns, each alone in the one before, from this one on. None
/// where their bounds are not known.
llvm::SmallVector<mlir::affine::AffineForOp> turnLoops(mlir::affine::AffineForOp outermost);

/// How often the body of the innermost runs.
int64_t turnsOf(llvm::ArrayRef<mlir::affine::AffineForOp> loops);

/// The nests of turns that threads share at once: the outermost loops of this one, those before
/// that it goes on with, and those that go on with it, in their order.
llvm::SmallVector<mlir::affine::AffineForOp> nestsTogether(mlir::affine::AffineForOp outermost);

/// Does away with a loop of one iteration; the loops in it then say how many cores share a line.
void dropSingleTurn(mlir::affine::AffineForOp loop);

} // namespace weft

#endif // WEFT_PASSES_LOOPS_TURNLOOPS_H
