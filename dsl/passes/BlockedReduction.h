//===- BlockedReduction.h - long reductions in blocks -------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_BLOCKEDREDUCTION_H
#define WEFT_PASSES_BLOCKEDREDUCTION_H

#include "passes/Notes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"

namespace weft {

/// Who shares the blocks.
enum class Sharing { Threads, Cores };

/// Loops in `root` that combine many numbers to few, in any order: each becomes one over blocks,
/// which cores or threads can share, and one that combines what the blocks have come to: in the
/// same order whatever the number of threads. Loops that do too little for that stay as they are,
/// as do those that stand in a loop that is shared itself.
void reduceInBlocks(mlir::Operation *root, Sharing sharing, const Notes &notes);

} // namespace weft

#endif // WEFT_PASSES_BLOCKEDREDUCTION_H
