//===- ColumnsAhead.h - columns of the next block, asked for ----------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_TARGETS_COMMON_COLUMNSAHEAD_H
#define WEFT_TARGETS_COMMON_COLUMNSAHEAD_H

#include "targets/common/BroughtBytes.h"
#include "targets/common/Traffic.h"
#include "targets/common/VectorAccess.h"

#include "llvm/ADT/DenseMap.h"

namespace weft {

/// A line that is asked for with an access: so many bytes further on, to be loaded or stored, or at
/// the same place in another array of the same form.
struct Ahead {
  int64_t bytes = 0;
  bool isStore = false;
  mlir::Value array = {};
};

using Lines = llvm::SmallVector<Ahead, 2>;
using LinesOf = llvm::DenseMap<mlir::Operation *, Lines>;

/// Whether something before `op` in the block, or in nests that it was joined with, has
/// brought the array's lines.
bool broughtBefore(mlir::Operation *op, mlir::affine::AffineForOp block, mlir::Value array);

/// Of a load or store of a block: its line in the next one, and that of the next row. A store where
/// the block has loaded asks as the load did: a part of the waiting falls to the time in which
/// results are made. Nothing of blocks that read so much of the array that the second cache has
/// lost the lines before the next one uses them; asking for rows alone brings nothing there. Nor of
/// arrays of `arrayBytes` and fewer. `known` are the lines of what stands before.
Lines linesOfBlock(mlir::Operation *op, const CacheModel &cache, int64_t arrayBytes,
                   BroughtBytes &brings, const LinesOf &known);

/// Of a store past the caches in a block of columns: what the next block loads at that place, of
/// the same array or of another that has its form, if the loads of this one have asked for it.
/// While they run, memory is asked for more than it can bring; while results are made, for nothing.
std::optional<Ahead> nextWithResult(mlir::Operation *store, const CacheModel &cache,
                                    BroughtBytes &brings, const LinesOf &known);

/// Whether the rows of a block of columns that a load reads fall on so few lines of the second
/// cache that most of them have left it before the block stores its results.
bool areLostInBlock(mlir::Operation *load, const CacheModel &cache, BroughtBytes &brings);

} // namespace weft

#endif // WEFT_TARGETS_COMMON_COLUMNSAHEAD_H
