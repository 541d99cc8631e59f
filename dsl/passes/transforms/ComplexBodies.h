//===- ComplexBodies.h - complex arithmetic in bodies made real ----*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_TRANSFORMS_COMPLEXBODIES_H
#define WEFT_PASSES_TRANSFORMS_COMPLEXBODIES_H

#include "mlir/IR/Block.h"
#include "mlir/Support/LLVM.h"

namespace weft {

/// Rewrites a body (and the reductions in it) so that complex values are only read,
/// split, joined and yielded; simplifies the real arithmetic on the way. An error
/// at each complex op that has no real form.
llvm::LogicalResult makeReal(mlir::Block &body);

} // namespace weft

#endif // WEFT_PASSES_TRANSFORMS_COMPLEXBODIES_H
