//===- BorderedLoop.h - a loop's inside apart from its borders ----*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_LOOPS_BORDEREDLOOP_H
#define WEFT_PASSES_LOOPS_BORDEREDLOOP_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/SetVector.h"

namespace weft {

/// One iteration of what was a loop: the border of a nest for cores.
inline constexpr llvm::StringLiteral borderMark = "weft.border";

/// A loop that has remainders and conditions of its variable which change a few times along it.
class BorderedLoop {
public:
  BorderedLoop(mlir::affine::AffineForOp loop, int64_t lanes) : loop(loop), lanes(lanes) {}

  /// Finds the parts; false where the loop is to stay as it is.
  bool fits();
  /// Iterations of the parts where everything is known.
  int64_t inside = 0;
  /// A copy of the loop for each part, in its place.
  void rewrite();
  /// A copy of a nest, whose loop of this level it is, for each part. Those of the parts that have
  /// a quarter of the iterations or more.
  llvm::SmallVector<mlir::affine::AffineForOp> rewriteNest(mlir::affine::AffineForOp nest,
                                                           size_t level);
  /// In the loop itself, what is the same in all of its iterations becomes known.
  void settle();

private:
  /// One half-open part of the loop's iterations; `inside` where nothing changes within.
  struct Part {
    int64_t from, to;
    bool inside;
    int64_t size() const { return to - from; }
  };

  bool isLarge(const Part &part) const;
  void findChanges();
  void visitQuotients(mlir::AffineMap map, mlir::ValueRange operands);
  void visitComparison(mlir::arith::CmpIOp comparison);
  mlir::AffineExpr affineOf(mlir::Value value);
  llvm::SmallVector<bool> oursAmong(mlir::AffineMap map, mlir::ValueRange operands,
                                    mlir::Value variable) const;
  void specialise(mlir::affine::AffineForOp copy);
  mlir::AffineExpr without(mlir::AffineExpr expr, unsigned dims, llvm::ArrayRef<bool> ours,
                           int64_t first, int64_t last) const;

  mlir::affine::AffineForOp loop;
  int64_t lanes;
  int64_t lower = 0, upper = 0;
  llvm::SetVector<int64_t> changes;
  llvm::SmallVector<Part> parts;
};

} // namespace weft

#endif // WEFT_PASSES_LOOPS_BORDEREDLOOP_H
