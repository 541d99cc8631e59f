//===- ResultsInPlace.h - results in the memory of what they are made of -*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_TRANSFERS_RESULTSINPLACE_H
#define WEFT_PASSES_TRANSFERS_RESULTSINPLACE_H

#include "passes/transfers/Footprint.h"

#include "llvm/ADT/MapVector.h"

namespace weft {

/// What a piece writes, and what it reads of which that may take the place in the LDM: arrays of
/// main memory, each in one pair at most.
using InPlace = llvm::SmallMapVector<mlir::Value, mlir::Value, 2>;

/// Finds such pairs in a loop, some iterations of which are a piece.
class ResultsInPlace {
public:
  /// Sees up to `most` elements of an array.
  ResultsInPlace(mlir::affine::AffineForOp loop, int64_t most);

  /// Those of pieces of `times` iterations, with the footprints of all of a piece.
  InPlace of(const FootprintAnalysis &whole, int64_t times);

private:
  const Footprint *onlyOne(const FootprintAnalysis &analysis, mlir::Value array) const;
  bool isDoneBefore(mlir::Value read, mlir::Value written) const;

  mlir::affine::AffineForOp loop;
  llvm::SmallVector<mlir::Operation *> ops; ///< of an iteration, one behind the other
  FootprintAnalysis one;                    ///< of an iteration
};

} // namespace weft

#endif // WEFT_PASSES_TRANSFERS_RESULTSINPLACE_H
