//===- Cpe.h - the cpe dialect -----------------------------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_DIALECT_CPE_H
#define WEFT_DIALECT_CPE_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialect/CpeDialect.h.inc"

#define GET_OP_CLASSES
#include "dialect/CpeOps.h.inc"

namespace weft::cpe {

/// Whether a buffer lies in the memory of a compute core: made there, for it alone.
bool isInLdm(mlir::Value memref);

/// Whether every core comes by at an op, and as often as any other: it is in no loop whose
/// iterations the cores share out, or in loops right in one another of which each core has as many
/// iterations.
bool allComeByAlike(mlir::Operation *op, int64_t cores);

/// In how many parts a get comes at most: those that a core tells apart.
inline constexpr int64_t mostParts = 8;

/// What made an array that is spread over the cores; nothing for others.
SpreadOp spreadArray(mlir::Value memref);

} // namespace weft::cpe

#endif // WEFT_DIALECT_CPE_H
