//===- Overwriting.h - results where their inputs lie --------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_LOWERING_OVERWRITING_H
#define WEFT_PASSES_LOWERING_OVERWRITING_H

#include "passes/Passes.h"

namespace weft {

/// Of `weft.blocks`: the number of a result whose elements are made of those at the same places of
/// what it is made of; no iteration makes any twice.
inline constexpr llvm::StringLiteral ownElementsMark = "weft.own_elements";

/// Every read of `input` by a map is of an element that lies, among those of `input`, where the
/// point itself stores one among those of `result`.
bool readsOnlyOwnElements(MapOp map, mlir::OpResult result, mlir::Value input);

/// Whether `op`, computing `result`, may write over `input` (of the same type):
/// it reads each element, or line, before and only where it writes it.
bool mayOverwrite(mlir::Operation *op, mlir::Value result, mlir::Value input);

/// What a map or blocks go on with, to which a result adds its part; null where that is all of it.
mlir::Value goneOnWith(mlir::Value result);

} // namespace weft

#endif // WEFT_PASSES_LOWERING_OVERWRITING_H
