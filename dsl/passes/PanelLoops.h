//===- PanelLoops.h - loops in which a mesh shares products ---------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_PANELLOOPS_H
#define WEFT_PASSES_PANELLOOPS_H

#include "passes/PanelPlan.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"

namespace weft {

/// The indices of an affine.load or affine.store, composed down to loop variables, as dims.
std::pair<mlir::AffineMap, llvm::SmallVector<mlir::Value>> indicesOf(mlir::Operation *op);

/// One of them: a constant and, if it varies, a value times a factor.
struct LoopIndex {
  mlir::Value value;
  int64_t factor = 0, constant = 0;
};
/// Nothing where one is something else.
std::optional<llvm::SmallVector<LoopIndex>> loopIndices(mlir::Operation *op);
/// What an affine.load or affine.store is of; null for other ops.
mlir::Value arrayOf(mlir::Operation *op);
/// Loops one in the other, each from 0 on and nothing beside it, outermost first; none where one is
/// not so.
llvm::SmallVector<mlir::affine::AffineForOp> perfectLoops(mlir::affine::AffineForOp outermost);
/// Whether an op that is no access computes with numbers alone, or says where accesses are.
bool isArithmetic(mlir::Operation &op);

/// An array in main memory, and where in it an access lies: elements, by values as dims.
struct PanelAccess {
  mlir::Value memref;
  mlir::AffineExpr place;
  llvm::SmallVector<mlir::Value> operands;

  /// Of an affine.load or affine.store; nothing where it lies at no sum of multiples of values.
  static std::optional<PanelAccess> of(mlir::Operation *op);
  /// What is added to those multiples.
  std::optional<int64_t> constant() const;
  /// By how many elements it moves on with a value; -1 where that is no one number.
  int64_t strideOf(mlir::Value value) const;
};

/// Loops over products (may be missing), rows, columns and the terms of a sum.
struct PanelNest {
  mlir::affine::AffineForOp batch, rows, columns, terms, outermost;
  PanelAccess left, right, result;

  ProductShape shape() const;
  /// Why transfers cannot follow its accesses; null where they can.
  const char *problem() const;
};

/// Puts loops over blocks and panels in the nest's place.
void writePanelLoops(const PanelNest &nest, const PanelPlan &plan, const PanelMachine &machine,
                     bool fma);

} // namespace weft

#endif // WEFT_PASSES_PANELLOOPS_H
