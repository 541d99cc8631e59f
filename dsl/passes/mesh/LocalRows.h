//===- LocalRows.h - how rows of a field lie in a core ----------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_MESH_LOCALROWS_H
#define WEFT_PASSES_MESH_LOCALROWS_H

#include "passes/mesh/Fields.h"
#include "passes/mesh/Ring.h"

namespace weft {

/// How the rows of a field lie in a core's memory.
struct LocalRows {
  mlir::Value array;
  Field field;
  int64_t parts = 1; ///< numbers of an element: 2 where the last dimension has them
  llvm::SmallVector<int64_t> extents; ///< in main memory, without these
  llvm::SmallVector<int64_t> strides; ///< in a core's, of elements
  int64_t lead = 0; ///< elements in front of a row, so that lanes begin at a whole message
  int64_t elements = 0;
  mlir::Value spread;
  mlir::Value source; ///< from which main memory's array they come at first

  /// Of transfers in words of so many bytes.
  static LocalRows of(mlir::Value array, const Field &field, const Ring &ring, int64_t firstLane,
                      int64_t word);
  int64_t rowsOfCore(const Ring &ring) const { return field.before + ring.own + field.after; }
  /// The place of its first own row's first element.
  int64_t firstOwn() const { return field.before * strides[field.dim] + lead; }
  int64_t bytes() const;
  /// Whether all that is moved of it, and where to, is whole words of so many bytes.
  bool movesWords(int64_t word) const;
};

} // namespace weft

#endif // WEFT_PASSES_MESH_LOCALROWS_H
