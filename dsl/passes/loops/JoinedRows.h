//===- JoinedRows.h - rows behind each other as one loop ----------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_LOOPS_JOINEDROWS_H
#define WEFT_PASSES_LOOPS_JOINEDROWS_H

#include "dialect/Target.h"
#include "passes/Notes.h"

namespace weft {

/// Rows of 13 numbers that lie one behind the other are a vector that is not full each, and a start
/// of a loop each. Where all that a nest reads and stores lies so, and it does the same with every
/// element, it becomes one loop over all of them: whole vectors, and one rest. Rows of whole
/// vectors stay, and so does a nest that reads something else along a row than along all of them,
/// of which a schedule names a loop, or which computes with a loop's variable.
void joinRows(mlir::Operation *root, const VectorUnit &vectors, const Notes &notes);

} // namespace weft

#endif // WEFT_PASSES_LOOPS_JOINEDROWS_H
