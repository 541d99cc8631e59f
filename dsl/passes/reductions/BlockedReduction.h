//===- BlockedReduction.h - long reductions in blocks -------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_REDUCTIONS_BLOCKEDREDUCTION_H
#define WEFT_PASSES_REDUCTIONS_BLOCKEDREDUCTION_H

#include "passes/Notes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"

namespace weft {

struct Reduction;

/// Who shares the blocks.
enum class Sharing { Threads, Cores };

/// Loops in `root` that combine many numbers to few, in any order: each becomes one over blocks,
/// which cores or threads can share, and one that combines what the blocks have come to: in the
/// same order whatever the number of threads. Loops that do too little for that stay as they are,
/// as do those that stand in a loop that is shared itself. For cores the order need not be free but
/// by what combines, few rows are cut, and the blocks of several reductions stand together.
void reduceInBlocks(mlir::Operation *root, Sharing sharing, const Notes &notes);

/// Nests of independent iterations each of which combines many numbers, such as the sums of 8 or
/// 1000 columns: blocks of what each of them combines, which cores share. Rows, which come in long
/// runs as they are, only where a core has no room for one, or there is but one.
void reduceManyInBlocks(mlir::Operation *root, int64_t bytesOfCore, const Notes &notes);

/// Blocks, at most, beside those of what is left behind them: as many as cores may share, and so
/// few that what a block begins and ends with does not count.
inline constexpr int64_t reductionBlocks = 64;

/// A loop that goes on from `inits` with what each of `blocks` has come to, of which `place` says
/// where it lies in the arrays, one array for each of the numbers that are combined.
mlir::affine::AffineForOp combineBlocks(
    mlir::OpBuilder &builder, mlir::Location where, mlir::ValueRange inits,
    llvm::ArrayRef<Reduction> reductions, int64_t blocks, llvm::ArrayRef<mlir::Value> arrays,
    llvm::function_ref<std::pair<mlir::AffineMap, llvm::SmallVector<mlir::Value>>(mlir::Value)>
        place);

/// What all iterations of a loop do; nothing where some of it has effects.
std::optional<int64_t> reducedOperations(mlir::affine::AffineForOp loop);

/// The operation that combines what a loop carries at `number`, there or in a loop of its body that
/// goes on with it, such that it could do so in any order; null where it is not one. `isMarked`:
/// the innermost one says, too, that its order is free.
mlir::Operation *freeCombiner(mlir::affine::AffineForOp loop, unsigned number, bool isMarked);

} // namespace weft

#endif // WEFT_PASSES_REDUCTIONS_BLOCKEDREDUCTION_H
