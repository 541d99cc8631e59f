//===- JoinedRounds.h - lines in the rounds of columns before them --*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_LINES_JOINEDROUNDS_H
#define WEFT_PASSES_LINES_JOINEDROUNDS_H

#include "passes/Passes.h"

namespace weft {

/// Marks `weft.blocks` that take turns and have all columns of planes: the columns that lie side by
/// side are the last dimension of a round's arrays, points the first.
inline constexpr llvm::StringLiteral planesMark = "weft.planes";

/// Has rounds of planes in an op go on with the lines of the same planes where these alone read
/// them: what lies between two transforms then passes through no memory.
void joinRounds(mlir::Operation *op);

} // namespace weft

#endif // WEFT_PASSES_LINES_JOINEDROUNDS_H
