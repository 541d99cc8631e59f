//===- Prefetch.h - lines of the next block, asked for in time ------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_TARGETS_COMMON_PREFETCH_H
#define WEFT_TARGETS_COMMON_PREFETCH_H

#include "targets/common/ColumnsAhead.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/DenseSet.h"

namespace weft {

/// The vector loads and stores that also ask for what will be touched later. Asked for are lines of
/// arrays that no cache holds, or the last one alone (`ahead_array_bytes`), columns of them where
/// it does not hold all arrays together:
/// - of the next block, an iteration of a loop that has local arrays, if the second cache still
///   has them then, where nothing else in
///   it or in the nests joined with it touches them first: those of stores, which would be
///   read before they are written, and those of loads that go from page to page, where the
///   machine does not foresee them, or here and there in what the block reads as a whole: those
///   are asked for so many blocks before that the machine has time (`ahead_bytes`);
/// - of the next rows of a block of columns, and, where its results go back to where they came
///   from, of the next block once more with each of them;
/// - of the next squares of arrays that are turned in registers;
/// - of the next panel that rows are multiplied with, also of arrays that only the second
///   cache does not hold;
/// - of a block's result, where it is a row that begins and ends within lines of the cache, and
///   the first cache does not hold the array: with the loads of the same row of another, or where
///   rows are longer, with each store the next line but one. Vectors that lie across two lines are
///   stored late otherwise, and more behind them wait.
///
/// Stores that go `past` the caches ask for nothing but, on machines where results ask
/// (`results_ask`), for what the next block of columns loads at their place; loads whose row is
/// asked for `inOrder` (`rowsAhead`) do not ask for it.
LinesOf linesAhead(mlir::func::FuncOp func, const CacheModel &cache,
                   const llvm::DenseSet<mlir::Operation *> &past,
                   const llvm::DenseSet<mlir::Operation *> &inOrder);

/// Of a load of a block of lines, whose points come from here and there, until all of them have
/// come: its line so many blocks later. All loads ask, or none: where some do, the machine follows
/// the others less than before. Short lines follow each other so fast that they are a stream.
std::optional<int64_t> aheadOfLines(mlir::Operation *op, const CacheModel &cache,
                                    BroughtBytes &brings);

} // namespace weft

#endif // WEFT_TARGETS_COMMON_PREFETCH_H
