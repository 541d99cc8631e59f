//===- SpacedRows.h - what a body touches at once lies apart ---------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_VECTORS_SPACEDROWS_H
#define WEFT_PASSES_VECTORS_SPACEDROWS_H

#include "dialect/Target.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace weft {

/// Gives the rows of local arrays a line more, rows of one or more dimensions, where a body touches
/// more lines of one set of the first cache at once than its ways hold: the points of tiles, which
/// lie a power of two of bytes apart. Only arrays that are read and written by affine accesses.
mlir::LogicalResult spaceRows(mlir::func::FuncOp func, const Target &target);

} // namespace weft

#endif // WEFT_PASSES_VECTORS_SPACEDROWS_H
