//===- AddressSplit.h - addresses by places of an array -----------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_LOOPS_ADDRESSSPLIT_H
#define WEFT_PASSES_LOOPS_ADDRESSSPLIT_H

#include "passes/loops/AccessPattern.h"

namespace weft {

/// The address of an access as [outer][place][inner], in elements.
struct Split {
  int64_t stride = 0;         ///< from one place to the next
  mlir::AffineExpr elsewhere; ///< the part of the address that no loop of the nest is in
  int64_t outer = 0;          ///< constant part of the outer index
  llvm::SmallVector<std::pair<mlir::affine::AffineForOp, int64_t>>
      outerLoops; ///< and what loops add to it
  int64_t inner = 0;
  llvm::SmallVector<std::pair<mlir::affine::AffineForOp, int64_t>> innerLoops;
};

/// Takes the address of an access in a nest apart, of which a loop goes over so many places, or
/// over (outer, places); nothing where it does not split so.
std::optional<Split> splitOf(const Access &access, mlir::affine::AffineForOp nest,
                             mlir::affine::AffineForOp placeLoop, int64_t places,
                             AddressSpace &space);

/// Loops from a nest's outermost one to an op in it.
llvm::SmallVector<mlir::affine::AffineForOp> loopsAround(mlir::Operation *op,
                                                         mlir::affine::AffineForOp nest);

} // namespace weft

#endif // WEFT_PASSES_LOOPS_ADDRESSSPLIT_H
