//===- Weft.h - the weft dialect ---------------------------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_DIALECT_WEFT_H
#define WEFT_DIALECT_WEFT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialect/WeftDialect.h.inc"

#define GET_OP_CLASSES
#include "dialect/WeftOps.h.inc"

namespace weft {

/// Registers what Weft's tools parse: its own dialect and the upstream ones that
/// the passes produce.
void registerDialects(mlir::DialectRegistry &registry);

} // namespace weft

#endif // WEFT_DIALECT_WEFT_H
