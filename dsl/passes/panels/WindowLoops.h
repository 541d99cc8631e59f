//===- WindowLoops.h - loops in which a mesh shares sums over windows -*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_PANELS_WINDOWLOOPS_H
#define WEFT_PASSES_PANELS_WINDOWLOOPS_H

#include "passes/panels/BorderNest.h"
#include "passes/panels/PanelLoops.h"
#include "passes/panels/PointNest.h"
#include "passes/panels/WindowPlan.h"

namespace weft {

/// Loops over images, lines of the result (may be missing), filters, columns and the terms of a
/// sum: channels (may be missing) and taps. Loops around them that choose filters, too, stay.
struct WindowNest {
  llvm::SmallVector<mlir::affine::AffineForOp> repeated, images, taps;
  mlir::affine::AffineForOp lines, filters, columns, channels, outermost;
  PanelAccess left, right, result;            ///< filters, images
  llvm::SmallVector<LoopIndex> resultIndices; ///< by the result's dimensions
  std::optional<PointNest> last;              ///< what is done with each result
  std::optional<BorderNest> border; ///< what would add zeros around images that are read without it

  /// Of the loops around a marked one, outermost first, and those over terms in it.
  static WindowNest of(llvm::ArrayRef<mlir::affine::AffineForOp> around,
                       mlir::affine::AffineForOp columns,
                       llvm::ArrayRef<mlir::affine::AffineForOp> terms, PanelAccess left,
                       PanelAccess right, PanelAccess result);
  /// Finds what is done with each result, which the store writes.
  void findLast(mlir::Operation *store, const MeshMachine &machine);
  /// Finds a copy of the images that only adds a border to their rows and lines.
  void findBorder();
  /// The outermost of all its loops.
  mlir::affine::AffineForOp reader() const;
  WindowShape shape() const;
  /// How far from a pixel each tap reads, in the order of the terms.
  llvm::SmallVector<int64_t> reaches() const;
  /// Why transfers cannot follow its accesses; null where they can.
  const char *problem() const;
};

/// Puts loops over blocks and panels in the nest's place.
void writeWindowLoops(const WindowNest &nest, const WindowPlan &plan, const MeshMachine &machine,
                      bool fma);

} // namespace weft

#endif // WEFT_PASSES_PANELS_WINDOWLOOPS_H
