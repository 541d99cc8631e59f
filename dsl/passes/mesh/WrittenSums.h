//===- WrittenSums.h - small nests of a loop over time, written out --*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_MESH_WRITTENSUMS_H
#define WEFT_PASSES_MESH_WRITTENSUMS_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"

namespace weft {

/// Nests of a loop over time that make small arrays, of at most so many elements, become numbers:
/// their iterations are written out, and what each sums up over rows is one loop for all of them.
/// Calls `told` with the nests before they go.
bool writeOutSums(mlir::affine::AffineForOp time, int64_t mostElements,
                  llvm::function_ref<void(mlir::affine::AffineForOp)> told);

} // namespace weft

#endif // WEFT_PASSES_MESH_WRITTENSUMS_H
