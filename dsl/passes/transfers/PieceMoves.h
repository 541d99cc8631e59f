//===- PieceMoves.h - how what a piece reads and writes moves -------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_TRANSFERS_PIECEMOVES_H
#define WEFT_PASSES_TRANSFERS_PIECEMOVES_H

#include "dialect/Cpe.h"
#include "passes/transfers/Footprint.h"
#include "passes/transfers/TransferPieces.h"

namespace weft {

/// In how many parts comes what a piece reads, one for several iterations each: the first are
/// computed while others come. 1 where that does not pay. And whether all cores meet before they
/// put, so that the memory has rested then.
struct PieceMoves {
  int64_t parts = 1;
  bool meet = false;

  /// Of a piece that consists of `ops`. `whole`, where given, says that nothing comes in parts;
  /// `inParts`, that it does if it can.
  static PieceMoves of(cpe::CoresOp cores, const FootprintAnalysis &analysis,
                       llvm::ArrayRef<mlir::Operation *> ops, const PieceMachine &machine,
                       bool whole = false, bool inParts = false);
};

} // namespace weft

#endif // WEFT_PASSES_TRANSFERS_PIECEMOVES_H
