//===- Contraction.h - sums of products, recognised ------------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_CONTRACTIONS_CONTRACTION_H
#define WEFT_PASSES_CONTRACTIONS_CONTRACTION_H

#include "dialect/Target.h"
#include "passes/lowering/ContractionLoops.h"

namespace weft {

struct PanelLimits;

/// One factor of a contraction: which index of the contraction each dimension of the
/// tensor follows. Indices are numbered: those of the map, then those of the sum.
struct Factor {
  mlir::tensor::ExtractOp read;
  llvm::SmallVector<unsigned> indexOf;

  /// The tensor's dimensions that follow the indices `wanted`, in their order.
  llvm::SmallVector<unsigned> dimsOf(llvm::ArrayRef<unsigned> wanted) const;
};

/// The indices of a sum of products of two factors: those of the map that both have, those that one
/// has, those of the other, and those of the sum.
struct ProductIndices {
  llvm::SmallVector<unsigned> batch, rows, columns, terms;

  /// Of factors that depend on these. Nothing where one of them lacks an index of the sum, both
  /// lack one of the map, or a range does not begin at 0.
  static std::optional<ProductIndices>
  of(llvm::ArrayRef<unsigned> left, llvm::ArrayRef<unsigned> right, MapOp map, ReduceOp reduce);
};

/// All indices of a sum in a map, in their order of numbers.
llvm::SmallVector<mlir::Value> indicesOf(MapOp map, ReduceOp reduce);
/// How many values each of some indices has.
llvm::SmallVector<int64_t> extentsOf(MapOp map, ReduceOp reduce, llvm::ArrayRef<unsigned> indices);
/// How many points they count together.
int64_t countOf(MapOp map, ReduceOp reduce, llvm::ArrayRef<unsigned> indices);

/// sum over `terms` of rowFactor[batch, rows, terms] * columnFactor[batch, columns, terms], where a
/// factor may lack indices of the batch.
struct Contraction : ProductIndices {
  MapOp map;
  ReduceOp reduce;
  Factor rowFactor, columnFactor;
  mlir::FloatType element;

  llvm::SmallVector<int64_t> extents(llvm::ArrayRef<unsigned> indices) const {
    return extentsOf(map, reduce, indices);
  }
  int64_t count(llvm::ArrayRef<unsigned> indices) const { return countOf(map, reduce, indices); }

  /// The indices of the batch that a factor has.
  llvm::SmallVector<unsigned> batchOf(const Factor &factor) const;

  /// Whether the products, [batch, row, column], lie as the map's result does.
  bool isInOrder() const;
  /// The map's indices, of those three.
  llvm::SmallVector<mlir::AffineExpr> pointOf() const;

  /// How many lines a side's indices make: those that follow each other in the result and in a
  /// factor that has to be copied count as one.
  size_t lines(llvm::ArrayRef<unsigned> of) const;
  /// Whether rows are the better columns. Where one side is narrow, up to a vector or less than
  /// three quarters of two, columns are the side that fills vectors better; but one that is a
  /// vector, masked or not, or up to two of a large result, if the result has it side by side, and
  /// a part of one beside many lines of terms that each call would turn, also if the result is
  /// turned for them. Else the one with fewer lines, then the one that is contiguous in the result:
  /// so are 24 filters of 196 tiles, twice as fast.
  bool wantsSwap(const PanelLimits &limits) const;
  /// Rows become columns and columns rows.
  void swap();
  /// Indices of one side join the batch where the result has the other side's between them and at
  /// least `fewest` others of their side: one factor serves all of them, and the products of each
  /// lie together. The batch is then in the order of the result.
  void moveToBatch(int64_t fewest);

  /// Nothing where a sum of the map's body has another form.
  static std::optional<Contraction> of(MapOp map, ReduceOp reduce);
};

/// Bytes a cycle that pass between a core and what is beyond its second cache while strips of tiles
/// are multiplied.
struct StripRates {
  double filters;    ///< filters' transforms that the last cache keeps from strip to strip
  double farFilters; ///< those that it keeps in part
  double tiles;      ///< tiles and their sums, which are written and read again
  int64_t keptBytes; ///< of filters' transforms and all that a kernel is called with, for the first
};

/// The machine, as far as the grouping of sums depends on it.
struct PanelLimits {
  int64_t lanes, registers, pipes, l1Bytes, l2Bytes;
  int64_t l3Bytes; ///< of the second cache where there is no third
  int64_t elementBytes;
  bool fma;
  bool masked; ///< vectors may have fewer elements than lanes
  double bytesPerCycle;
  int64_t wayBytes;    ///< of the first cache: addresses so far apart fall into the same set
  int64_t divides = 0; ///< columns that need no packing where panels divide them; 0: none
  /// Whether the columns' factor passes by, beyond the second cache: a panel of columns arrives
  /// while the first panel of rows is multiplied with it, and the others find it there.
  bool streams = false;
  double leastWait = 0;             ///< the part of that time which no product hides
  std::optional<StripRates> strips; ///< where they were measured

  /// For elements of a type or its real parts.
  static mlir::FailureOr<PanelLimits> of(const Target &target, mlir::Type element);
};

/// Fewer rows, or less work, than this pay no packing.
inline constexpr int64_t fewestRows = 4, leastWork = 8192;

/// Whether so few columns are a vector of which not all lanes are there.
bool isMaskedVector(int64_t columns, const PanelLimits &limits);

/// Whether a few columns, even less than that, are a part of a vector beside so many rows that they
/// would not stay in half of the second cache: rows that are turned come from beyond it and go
/// there. 16384 rows of 64 numbers by 2 to 5 took 1.6 times as long so.
bool isPartBesideMany(int64_t rows, int64_t columns, int64_t terms, const PanelLimits &limits);

/// Whether beside tiles lanes lie along filters, and along channels in the codelets that cut the
/// tiles: each a vector at least, or a part of one that may be masked.
bool lanesLieAlongFilters(int64_t filters, int64_t channels, const PanelLimits &limits);

/// Vectors of columns that each product of a batch fills, where several could be one.
inline constexpr int64_t fewestVectors = 2;

/// Whether a batch of products of matrices is worth its packing.
bool hasPanels(int64_t batch, int64_t rows, int64_t columns, int64_t terms,
               const PanelLimits &limits);

/// The same where rows may be columns and columns rows.
inline bool hasPanelsEitherWay(int64_t batch, int64_t rows, int64_t columns, int64_t terms,
                               const PanelLimits &limits) {
  return hasPanels(batch, rows, columns, terms, limits) ||
         hasPanels(batch, columns, rows, terms, limits);
}

/// The panel with the fewest cycles by count of FMAs and loads, of so many vectors if these are
/// given.
Grouping chooseGrouping(int64_t rows, int64_t columns, int64_t terms, const PanelLimits &limits,
                        std::optional<int64_t> vectors = {});

} // namespace weft

#endif // WEFT_PASSES_CONTRACTIONS_CONTRACTION_H
