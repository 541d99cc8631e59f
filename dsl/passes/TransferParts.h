//===- TransferParts.h - what a piece reads, part by part --*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_TRANSFERPARTS_H
#define WEFT_PASSES_TRANSFERPARTS_H

#include "passes/Footprint.h"

namespace weft {

/// Whether the iterations of a loop read a footprint block by block: each its share of the region,
/// one behind the other.
bool isReadInTurn(mlir::affine::AffineForOp loop, const Footprint &whole, FootprintAnalysis &one);

/// A region whose outermost direction counts so many parts of it.
BlockedRegion inParts(BlockedRegion region, int64_t parts);

} // namespace weft

#endif // WEFT_PASSES_TRANSFERPARTS_H
