//===- Functions.h - operations that are calls of a library ---------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_LOOPS_FUNCTIONS_H
#define WEFT_PASSES_LOOPS_FUNCTIONS_H

#include "mlir/Dialect/Math/IR/Math.h"

namespace weft {

/// Operations that a function of the C library stands for; those that become arithmetic do as much.
inline constexpr int64_t functionWork = 64;

/// Whether an operation is such a function.
inline bool isFunction(mlir::Operation &op) {
  return mlir::isa_and_nonnull<mlir::math::MathDialect>(op.getDialect()) &&
         !mlir::isa<mlir::math::FmaOp, mlir::math::AbsFOp, mlir::math::AbsIOp,
                    mlir::math::CopySignOp, mlir::math::FloorOp, mlir::math::CeilOp,
                    mlir::math::SqrtOp>(op);
}

} // namespace weft

#endif // WEFT_PASSES_LOOPS_FUNCTIONS_H
