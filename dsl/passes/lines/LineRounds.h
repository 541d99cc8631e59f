//===- LineRounds.h - rounds of lines that cores share ------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_LINES_LINEROUNDS_H
#define WEFT_PASSES_LINES_LINEROUNDS_H

#include "passes/lines/SplitLines.h"

namespace weft {

/// Rounds of `width` lines, from one to another; the others' are those of `inits`. Its results are
/// the chain's and, where there is one, the maker's.
BlocksOp buildRounds(mlir::OpBuilder &builder, LineChain &chain, const LineSplit &split,
                     int64_t from, int64_t to, int64_t width, mlir::ValueRange inits);

} // namespace weft

#endif // WEFT_PASSES_LINES_LINEROUNDS_H
