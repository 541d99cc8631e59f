//===- RowsAhead.h - rows asked for line by line --------------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_TARGETS_COMMON_ROWSAHEAD_H
#define WEFT_TARGETS_COMMON_ROWSAHEAD_H

#include "targets/common/Traffic.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace weft {

/// Lines of a row that a later block reads, asked for at the begin of each turn of a loop.
struct RowAhead {
  mlir::Value memref;
  mlir::AffineExpr address; ///< of the block's own row, in elements
  mlir::SmallVector<mlir::Value> operands;
  int64_t bytes = 0; ///< from there to the first line that this loop asks for
  /// Bytes from the lines of one turn to those of the next, for each loop in the block.
  mlir::SmallVector<std::pair<mlir::Value, int64_t>> perTurn;
  int64_t lines = 0;   ///< asked for in a turn
  bool goesOn = false; ///< from page to page
};

/// Lets the lines of a turn follow those of the turn before, over all turns of loops, the innermost
/// first.
void followTurns(RowAhead &share, llvm::ArrayRef<mlir::affine::AffineForOp> loops,
                 int64_t lineBytes);

struct RowsAhead {
  llvm::DenseMap<mlir::Operation *, mlir::SmallVector<RowAhead, 1>> byLoop;
  llvm::DenseSet<mlir::Operation *> loads; ///< whose lines are asked for so
};

/// Where a block reads a whole row of an array that no cache near the core holds, its points from
/// here and there, all in loops, forwards and as whole vectors, and the row has
/// `ahead_in_order_bytes` and more: the row that comes `ahead_bytes` later, a part of it for every
/// innermost loop of the block, in proportion to what the loop computes, and of each part a few
/// lines with each turn, one behind the other.
RowsAhead rowsAhead(mlir::func::FuncOp func, const CacheModel &cache);

} // namespace weft

#endif // WEFT_TARGETS_COMMON_ROWSAHEAD_H
