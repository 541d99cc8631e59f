//===- TransposeCopy.h - packing and unpacking through registers --*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_VECTORS_TRANSPOSECOPY_H
#define WEFT_PASSES_VECTORS_TRANSPOSECOPY_H

#include "dialect/Target.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"

namespace weft {

/// Of the machine's table, what decides which loop of a copy goes where.
struct CopyCaches {
  int64_t lineBytes, l2Bytes;
};

int64_t extentOf(mlir::affine::AffineForOp loop);

/// One by one between constants, and carrying nothing.
bool isPlainLoop(mlir::affine::AffineForOp loop);

/// Iterations to be shared by cores that are not fewer than others would be.
inline constexpr int64_t enoughToShare = 8;

/// The one loop in the body of `outer`, if nothing else there has an effect.
mlir::affine::AffineForOp onlyLoopIn(mlir::affine::AffineForOp outer);

/// Rewrites a nest of two loops that copies elements from lines into lanes, or from
/// lanes into lines, so that it moves square blocks: whole vectors along the lines,
/// a transposition in registers, whole vectors along the lanes. Elements outside of
/// whole blocks go in blocks that begin earlier, or stay in loops marked `weft.lane`. A loop around
/// the two may come to stand between them. Where vectors may be `masked`, one of the loops may be
/// shorter than they are: squares are part of one. False, with nothing changed, where the nest is
/// something else.
bool transposeInRegisters(mlir::affine::AffineForOp outer, const VectorUnit &vectors,
                          const CopyCaches &caches, bool masked);

} // namespace weft

#endif // WEFT_PASSES_VECTORS_TRANSPOSECOPY_H
