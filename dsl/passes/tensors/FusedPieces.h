//===- FusedPieces.h - what several stores make, where it is read ------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_TENSORS_FUSEDPIECES_H
#define WEFT_PASSES_TENSORS_FUSEDPIECES_H

#include "passes/tensors/AskedPairs.h"

namespace weft {

/// A mark of first stages of transforms whose vectors will lie along the line, being of complex
/// numbers side by side; of fuse alone.
constexpr llvm::StringLiteral alongMark = "weft.goes_along";

bool readsReals(MapOp map);

/// Whether fixed inputs alone give what a map of others reads, in no more elements than they have:
/// it is computed once, and takes no more to read.
bool isComputedOnce(MapOp producer, MapOp consumer);

/// Evaluates what several stores make, or what several maps read, where it is read: each element at
/// most once, or whatever `only` asks for, if that is given. True if anything was.
bool fusePieces(mlir::Block &block, bool hasCores, const AskedPairs *only = nullptr);

} // namespace weft

#endif // WEFT_PASSES_TENSORS_FUSEDPIECES_H
