//===- WrittenTerms.h - short sums within points, term by term ----*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_LOOPS_WRITTENTERMS_H
#define WEFT_PASSES_LOOPS_WRITTENTERMS_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"

namespace weft {

/// Which loops that carry their terms from one to the next are written out.
enum class Windows {
  /// Those whose variable and another one's together have a remainder: `x[(i + a) mod n]`.
  Wrapping,
  /// And those whose variable stands with another one in an index: `x[i + a]`.
  All,
};

/// Writes out the short loops of that kind, so that what is left of their indices is of one
/// variable and a constant. `say` is told of each before. Whether there was one.
bool writeOutTerms(mlir::Operation *root, Windows which,
                   llvm::function_ref<void(mlir::affine::AffineForOp)> say);

} // namespace weft

#endif // WEFT_PASSES_LOOPS_WRITTENTERMS_H
