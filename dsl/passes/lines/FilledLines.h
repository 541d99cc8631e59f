//===- FilledLines.h - shared lines that are filled up ------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_LINES_FILLEDLINES_H
#define WEFT_PASSES_LINES_FILLEDLINES_H

#include "passes/lines/SplitLines.h"

namespace weft {

/// Of a map: the two dimensions of its domain that go over the rows and the columns of the mesh.
/// Of loops: that they are these.
constexpr llvm::StringLiteral sharedDimsMark = "weft.shared_dims";
constexpr llvm::StringLiteral overRowsMark = "weft.over_rows";
constexpr llvm::StringLiteral overColumnsMark = "weft.over_columns";

/// The crossing at which lines of `length` points are filled up with the least, for messages of so
/// many points: `split` has it then. False where there is none, and `why`.
bool fillLines(const LineChain &chain, LineSplit &split, int64_t length, int64_t perMessage,
               std::string &why);

/// Rounds of `width` lines, from one to another; the others' are those of `init`.
BlocksOp buildFilledRounds(mlir::OpBuilder &builder, LineChain &chain, const LineSplit &split,
                           int64_t from, int64_t to, int64_t width, mlir::Value init);

/// Marks the loops for a map's dimensions, in their order, that go over the mesh.
void markShared(MapOp map, llvm::ArrayRef<unsigned> dims,
                llvm::ArrayRef<mlir::affine::AffineForOp> loops);

} // namespace weft

#endif // WEFT_PASSES_LINES_FILLEDLINES_H
