//===- SharedLoads.h - turns of a nest that load the same ----------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_LOOPS_SHAREDLOADS_H
#define WEFT_PASSES_LOOPS_SHAREDLOADS_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"

#include <optional>

namespace weft {

/// Turns of the loops of a nest that go together, and the loads of one turn: alone, and so.
struct Together {
  llvm::SmallVector<mlir::affine::AffineForOp, 3> loops; ///< the innermost one first
  llvm::SmallVector<int64_t, 3> turns;                   ///< of each of them
  int64_t copies = 1;
  double alone = 0, shared = 0;
  /// The innermost one has loops behind it in the next one, for what is left of whole vectors.
  bool hasRest = false;
};

/// Which turns of the nest around an innermost loop save the most loads when their bodies become
/// one, within so many vector registers: turns of a window read what their neighbours read.
/// Nothing where too few are saved, or turns depend on each other.
std::optional<Together> shareLoads(mlir::affine::AffineForOp innermost, int64_t registers);

/// Makes the bodies of those turns one, whose stores come last, so that equal loads are one. Loops
/// behind the innermost one get a loop of their own around them before.
void putTogether(const Together &turns);

} // namespace weft

#endif // WEFT_PASSES_LOOPS_SHAREDLOADS_H
