//===- PanelLoops.h - loops in which a mesh shares products ---------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_PANELS_PANELLOOPS_H
#define WEFT_PASSES_PANELS_PANELLOOPS_H

#include "passes/loops/LoopIndices.h"
#include "passes/panels/PanelPlan.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"

namespace weft {

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
void writePanelLoops(const PanelNest &nest, const PanelPlan &plan, const MeshMachine &machine,
                     bool fma);

} // namespace weft

#endif // WEFT_PASSES_PANELS_PANELLOOPS_H
