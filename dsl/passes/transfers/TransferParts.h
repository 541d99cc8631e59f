//===- TransferParts.h - what a piece reads, part by part --*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_TRANSFERS_TRANSFERPARTS_H
#define WEFT_PASSES_TRANSFERS_TRANSFERPARTS_H

#include "passes/transfers/Footprint.h"

namespace weft {

/// The body, without loops around it that run once.
mlir::Block &innermostOnce(mlir::Block &block);

/// Whether `times` iterations of a loop touch a footprint block by block: each its share of the
/// region, one behind the other.
bool isTouchedInTurn(mlir::affine::AffineForOp loop, int64_t times, const Footprint &whole,
                     FootprintAnalysis &one);

/// Whether all iterations of a loop read, in turn, what is fetched.
bool isReadInTurn(mlir::affine::AffineForOp loop, const Footprint &whole, FootprintAnalysis &one);

/// A region whose outermost direction counts so many parts of it.
BlockedRegion inParts(BlockedRegion region, int64_t parts);

} // namespace weft

#endif // WEFT_PASSES_TRANSFERS_TRANSFERPARTS_H
