//===- ContractionLoops.h - sums of products in registers and caches -*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// The last step of a contraction: `arrange-contractions` has laid out its operands
// and marked its map, `lower-to-loops` turns the map into the nest
//
//   for blocks of the reduced index            (what they read fits the L1 cache)
//     for blocks of columns                    (what they read fits the L2 cache)
//       for panels of rows, for panels of columns
//         for lane, for the reduced index      (a panel's sums stay in registers)
//
// Each sum still takes its terms in the order of the reduced index. What cores of a mesh are to
// share is one plain nest instead, which `share-panels` takes as a whole.
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_LOWERING_CONTRACTIONLOOPS_H
#define WEFT_PASSES_LOWERING_CONTRACTIONLOOPS_H

#include "passes/lowering/PointBody.h"

#include "mlir/IR/BuiltinAttributes.h"

namespace weft {

/// How the sums of a contraction are grouped; the map's mark `weft.contraction`.
/// Rows are the map's last dimension but one, columns the last.
struct Grouping {
  int64_t rows = 1;    ///< rows of a panel, each a register for each vector
  int64_t vectors = 1; ///< vectors of columns of a panel
  int64_t depth = 0;   ///< terms of a sum before the panel is stored; 0: all
  int64_t panels = 1;  ///< panels of columns whose operands stay in the L2 cache
  double cycles = 0;   ///< of one product of matrices; not kept in the mark
  bool rowsFirst =
      false; ///< the last dimension before rows and columns goes within each panel of rows
  /// So many of the last dimensions before rows and columns go within each panel of columns.
  int64_t withinColumns = 0;
  bool shared = false; ///< cores of a mesh share it: nothing else is said of it
};

inline constexpr llvm::StringLiteral contractionMark = "weft.contraction";

/// A mark of the innermost of the loops over products, rows and columns that cores of a mesh are
/// to share: a loop over the terms of a sum in it, and a store.
inline constexpr llvm::StringLiteral sharedMark = "weft.shared_products";

void setGrouping(MapOp map, const Grouping &grouping);
std::optional<Grouping> groupingOf(MapOp map);

/// Where the loops of a contraction are written, and what for.
struct ContractionTarget {
  mlir::OpBuilder &builder;
  mlir::IRMapping &scalars;
  PointBody &point;
  Buffer result;
  /// The index of the result's buffer for an index of the result.
  llvm::function_ref<llvm::SmallVector<mlir::OpFoldResult>(llvm::SmallVector<mlir::OpFoldResult>)>
      placed;
  int64_t lanes;
  bool fma;
};

mlir::LogicalResult lowerContraction(MapOp map, const Grouping &grouping, ContractionTarget target);

} // namespace weft

#endif // WEFT_PASSES_LOWERING_CONTRACTIONLOOPS_H
