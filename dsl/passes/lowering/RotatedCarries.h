//===- RotatedCarries.h - carried arrays that take turns in memory ---*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_LOWERING_ROTATEDCARRIES_H
#define WEFT_PASSES_LOWERING_ROTATEDCARRIES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace weft {

/// Loops over time whose steps would copy what they carry take several steps at a time, after which
/// each array has the role again that it began with.
void rotateCarries(mlir::func::FuncOp function);

} // namespace weft

#endif // WEFT_PASSES_LOWERING_ROTATEDCARRIES_H
