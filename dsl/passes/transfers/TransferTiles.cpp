//===- TransferTiles.cpp - two loops through an LDM, a tile at a time ---------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/transfers/TransferTiles.h"

#include "passes/transfers/Footprint.h"

#include "mlir/Dialect/Affine/LoopUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

/// A loop over the rows of a tile, while it is within the one over the columns.
static constexpr StringLiteral rowsMark = "weft.rows_of_tile";

bool mayGainByTiles(AffineForOp loop, int64_t times, const PieceMachine &machine) {
  SmallVector<Operation *> ops{loop};
  FootprintAnalysis analysis(ops, machine.ldmBytes, loop, times);
  return llvm::any_of(analysis.footprints(), [&](const Footprint &footprint) {
    const BlockedRegion &region = footprint.region;
    int64_t run = region.block * elementBytes(footprint.array);
    return (!region.counts.empty() && run < 2 * machine.mesh->lineBytes) ||
           (footprint.needsGet && 2 * region.elements() > 3 * analysis.widestTouch(footprint));
  });
}

SmallVector<int64_t> rowsOfTiles(int64_t trips) {
  constexpr int64_t most = 64, fewWhole = 8;
  SmallVector<int64_t> rows;
  for (int64_t some = 2; some <= std::min(most, trips); ++some)
    if (some == trips || (some < trips && llvm::isPowerOf2_64(some)) ||
        (some >= fewWhole && trips % some == 0))
      rows.push_back(some);
  return rows;
}

/// What stands before a loop goes into it.
static void sinkInto(AffineForOp loop) {
  Operation *first = &loop.getBody()->front();
  while (Operation *op = loop->getPrevNode()) {
    op->moveBefore(first);
    first = op;
  }
}

void tileAround(AffineForOp outer, AffineForOp inner, int64_t rows) {
  int64_t whole = tripsOf(outer) / rows * rows;
  outer.setConstantUpperBound(outer.getConstantLowerBound() + whole * outer.getStepAsInt());
  stripMine(outer, rows);
  sinkInto(inner);
  affine::interchangeLoops(outer, inner);
  outer->setAttr(rowsMark, UnitAttr::get(outer.getContext()));
}

AffineForOp endOfTile(AffineForOp piece) {
  Operation &last = *std::prev(piece.getBody()->without_terminator().end());
  auto rows = dyn_cast<AffineForOp>(last);
  if (!rows || !rows->removeDiscardableAttr(rowsMark))
    return piece;
  sinkInto(rows);
  affine::interchangeLoops(piece, rows);
  return rows;
}

} // namespace weft
