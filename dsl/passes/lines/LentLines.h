//===- LentLines.h - lines of a result that hold stages before ------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_LINES_LENTLINES_H
#define WEFT_PASSES_LINES_LENTLINES_H

#include "passes/Passes.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace weft {

/// Tensors of a block that lie in its result, and where.
struct LentLines {
  mlir::RankedTensorType flat; ///< the result, with one dimension for all points of a line
  struct Place {
    mlir::Value local;
    mlir::AffineMap place; ///< (origin of the block, index of the tensor) -> index in `flat`
  };
  llvm::SmallVector<Place> places;
};

/// A line of the result is written by the last stage only, from what the one before has
/// computed: until then it serves every other stage before those, and the block has one array
/// less. Where each point of the last stage reads no other elements than it writes, and the stages
/// are odd in number, that one is computed there too, so that fewer bytes leave the first cache.
/// Nothing where lines are not contiguous, where they do not begin at whole vectors (each store
/// would fall on two lines of the cache), where some input of the block lies in the result's
/// memory (`overwritten`), or where the result has more bytes than are kept in caches
/// (`pastBytes`), which is noted.
std::optional<LentLines> linesToLend(BlocksOp blocks, int64_t vectorBytes,
                                     std::optional<int64_t> pastBytes,
                                     llvm::function_ref<bool(mlir::Value)> overwritten);

} // namespace weft

#endif // WEFT_PASSES_LINES_LENTLINES_H
