//===- ButterflyMaps.h - a stage as a map of real arithmetic -------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_TRANSFORMS_BUTTERFLYMAPS_H
#define WEFT_PASSES_TRANSFORMS_BUTTERFLYMAPS_H

#include "dialect/Target.h"
#include "dialect/Weft.h"
#include "passes/transforms/RealArithmetic.h"

namespace weft {

/// A table with more entries than this is computed from two smaller ones.
constexpr int64_t largestTable = 65536;

/// Marks a table of a stage's twiddles: along which dimension of it the exponents 1, 2, .. lie. Its
/// first entry is the scale of all.
constexpr llvm::StringLiteral powersMark = "weft.powers";

/// What a stage does, in the words of `weft.butterfly`.
struct StageShape {
  mlir::RankedTensorType type;
  int64_t axis, radix, done, sign;
  std::optional<double> scale;
  bool coprime = false;

  /// Butterflies that differ in their twiddles: the extent of p.
  int64_t count() const { return type.getDimSize(axis) / (radix * done); }
};

/// The body of a stage's map, as far as inputs need it. The map's dimensions are
/// (pre..., p, l, post...); p and l are zero where their extent is 1.
struct StageBody {
  mlir::OpBuilder &builder;
  RealBuilder &arithmetic;
  mlir::Location location;
  mlir::ValueRange point;
  mlir::AffineExpr p, l;
};

/// A map that stores the outputs of one butterfly at each point; `input` loads the
/// k-th of its inputs.
MapOp makeStage(mlir::OpBuilder &outside, mlir::Location location, const StageShape &shape,
                llvm::function_ref<Parts(StageBody &, int64_t k)> input);

/// Replaces a stage by its map.
void expandButterfly(ButterflyOp op);

/// Replaces a table of roots of unity by its values, or by a map that computes
/// them from smaller tables where it is large.
void expandTwiddle(TwiddleOp op, const Target &target);

/// exp(sign*2*pi*i*row*column/(rows*columns)) in the body of a map, from tables
/// that are made at `tables`; `row` and `column` are affine in `operands`. With `run`, tables of
/// parts of a row have so many columns: readers go over those in turn, at several places of a row
/// that lie so far apart, and share the finer factor.
Parts loadRoot(RealBuilder &arithmetic, mlir::OpBuilder &tables, mlir::OpBuilder &builder,
               mlir::Location location, mlir::ComplexType type, int64_t rows, int64_t columns,
               int64_t sign, mlir::AffineExpr row, mlir::AffineExpr column,
               mlir::ValueRange operands, std::optional<int64_t> run = std::nullopt);

/// The values of indices that are affine in `operands`.
llvm::SmallVector<mlir::Value> indicesAt(mlir::OpBuilder &builder, mlir::Location location,
                                         llvm::ArrayRef<mlir::AffineExpr> indices,
                                         mlir::ValueRange operands);

/// `tensor[indices]` with indices affine in `operands`.
mlir::Value extractAt(mlir::OpBuilder &builder, mlir::Location location, mlir::Value tensor,
                      llvm::ArrayRef<mlir::AffineExpr> indices, mlir::ValueRange operands);

} // namespace weft

#endif // WEFT_PASSES_TRANSFORMS_BUTTERFLYMAPS_H
