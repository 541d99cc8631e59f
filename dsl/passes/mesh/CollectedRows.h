//===- CollectedRows.h - rows of a field that every core has ------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_MESH_COLLECTEDROWS_H
#define WEFT_PASSES_MESH_COLLECTEDROWS_H

#include "passes/mesh/LocalRows.h"

namespace weft {

/// All rows of a field in the memory of each core, which has them from the others (`cpe.collect`).
class CollectedRows {
public:
  CollectedRows() = default;
  CollectedRows(const LocalRows &local, const Ring &ring);

  /// Rows of a core that are whole messages.
  static int64_t evenRows(mlir::Value array);

  int64_t bytes() const;
  /// Messages that a core hears.
  int64_t messages() const { return places * each * local.parts * number() / messageBytes; }
  /// Elements that a core moves by itself when it has heard all, and what loops over parts stand
  /// for.
  int64_t moved() const {
    constexpr int64_t ofLoop = 12;
    return isInOrder ? 0 : ring.cores * (ring.own * row + ofLoop);
  }

  void make(mlir::OpBuilder &builder);
  /// From what each core has in `memory`.
  void collect(mlir::OpBuilder &builder, mlir::Location where, mlir::Value memory) const;
  /// The memory of all rows, and the place of an element there by its indices.
  mlir::Value memory() const { return isInOrder ? heard : rows; }
  llvm::SmallVector<mlir::AffineExpr> placeOf(mlir::AffineMap indices) const;

private:
  int64_t number() const; ///< bytes

  LocalRows local;
  Ring ring;
  int64_t row = 0;        ///< elements from one to the next
  int64_t each = 0;       ///< elements that a core gives
  int64_t places = 0;     ///< of parts in what is heard
  bool isInOrder = false; ///< rows lie one behind the other as they are heard
  mlir::Value heard, rows;
};

} // namespace weft

#endif // WEFT_PASSES_MESH_COLLECTEDROWS_H
