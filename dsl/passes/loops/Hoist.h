//===- Hoist.h - what a loop computes again and again -------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_LOOPS_HOIST_H
#define WEFT_PASSES_LOOPS_HOIST_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"

namespace weft {

/// Moves pure operations and loads that do not depend on the loop's variable in
/// front of it. A load moves only past stores to other buffers, unless the loop is
/// `independent`: what every iteration reads, none of them then writes.
void hoistInvariants(mlir::affine::AffineForOp loop, bool independent);

/// Moves what does not vary out of `around`, and on out of the independent loops around it, as
/// long as each has no more than `most` vectors of such, and any at all.
void hoistOutwards(mlir::affine::AffineForOp around, int64_t most);

/// Erases what nothing uses in the loop's body.
void eraseUnused(mlir::affine::AffineForOp loop);

} // namespace weft

#endif // WEFT_PASSES_LOOPS_HOIST_H
