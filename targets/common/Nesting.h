//===- Nesting.h - which values need no C variable -===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_TARGETS_COMMON_NESTING_H
#define WEFT_TARGETS_COMMON_NESTING_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseSet.h"

namespace weft {

/// Which ops are not printed at all, and which scalar values are written where they
/// are used rather than into a variable of their own.
class Nesting {
public:
  /// `absorbs(user, operand)`: the user's C form includes the op that makes the operand
  /// (a negation in a fused multiply-add).
  Nesting(mlir::func::FuncOp func, llvm::function_ref<bool(mlir::OpOperand &)> absorbs);

  bool isSilent(mlir::Operation *op) const { return silent.contains(op); }
  bool isNested(mlir::Value value) const { return nested.contains(value); }

private:
  void visit(mlir::Block &block, llvm::function_ref<bool(mlir::OpOperand &)> absorbs);

  llvm::DenseSet<mlir::Operation *> silent, dead;
  llvm::DenseSet<mlir::Value> nested;
};

} // namespace weft

#endif // WEFT_TARGETS_COMMON_NESTING_H
