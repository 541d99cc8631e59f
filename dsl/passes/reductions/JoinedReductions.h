//===- JoinedReductions.h - reductions of one array in one nest ---*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_REDUCTIONS_JOINEDREDUCTIONS_H
#define WEFT_PASSES_REDUCTIONS_JOINEDREDUCTIONS_H

#include "passes/Notes.h"

#include "mlir/IR/Block.h"

namespace weft {

/// The sum, the largest number and the sum of squares of an array, or of each of its rows or
/// columns, are loops of their own that read it one after the other. Those of a block that have the
/// same loops and read the same array become one nest, which carries all they combine: each element
/// is loaded once. Each still combines its values in the same order.
void joinReductions(mlir::Block &block, const Notes &notes);

} // namespace weft

#endif // WEFT_PASSES_REDUCTIONS_JOINEDREDUCTIONS_H
