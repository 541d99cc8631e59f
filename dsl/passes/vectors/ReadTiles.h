//===- ReadTiles.h - reads across rows in tiles --------------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_VECTORS_READTILES_H
#define WEFT_PASSES_VECTORS_READTILES_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"

namespace weft {

/// What decides whether lines of the cache stay until all of them has been read.
struct ReadCaches {
  int64_t lineBytes, l1Bytes, l2Bytes;
  int64_t ways; ///< of the first cache
};

/// Takes a nest of two loops whose inner one reads an element of another row each time, of rows
/// that the second cache does not hold, or that are too many for the sets of the first, in tiles:
/// what is left of each line is read before the next tile. Elements beyond whole tiles stay in
/// loops as they were. False, with nothing changed, where the nest is something else.
bool tileReads(mlir::affine::AffineForOp outer, const ReadCaches &caches);

} // namespace weft

#endif // WEFT_PASSES_VECTORS_READTILES_H
