//===- TransferPieces.h - how much passes through an LDM at a time --*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_TRANSFERS_TRANSFERPIECES_H
#define WEFT_PASSES_TRANSFERS_TRANSFERPIECES_H

#include "passes/transfers/MeshMachine.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"

namespace weft {

/// What of the machine decides how large pieces are; a mesh, where it has one, says what its memory
/// takes.
struct PieceMachine {
  int64_t ldmBytes = 0, cores = 1;
  const std::optional<MeshMachine> &mesh;
};

/// Whether the cores share the iterations of a loop.
inline bool isParallel(mlir::affine::AffineForOp loop) { return loop->hasAttr("weft.parallel"); }

/// Iterations of a loop that pass through the LDM at a time, and the cycles that all of them take:
/// 0 where they were not weighed.
struct Piece {
  int64_t times = 1;
  double cycles = 0;
};

/// How many iterations of a loop a piece has, `most` at most: such that the core with the most of
/// them has few, no core has many short ones, and runs in memory are long. Pieces are fewer than
/// cores where that moves less.
Piece pieceOf(mlir::affine::AffineForOp loop, int64_t most, const PieceMachine &machine);

/// Iterations of a piece, `most` at most, such that the least that any piece has are most.
int64_t evenPieceOf(int64_t trips, int64_t most);

/// Pieces of `times` iterations each of a loop, in a loop of their own, which has its marks for
/// cores. The loop, of one piece now.
mlir::affine::AffineForOp stripMine(mlir::affine::AffineForOp loop, int64_t times);

/// The last iterations of a loop, in a nest of their own behind its nest: the whole of it again, so
/// that the cores share both alike.
mlir::affine::AffineForOp restOf(mlir::affine::AffineForOp loop, int64_t rest);

} // namespace weft

#endif // WEFT_PASSES_TRANSFERS_TRANSFERPIECES_H
