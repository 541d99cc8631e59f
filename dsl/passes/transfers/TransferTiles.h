//===- TransferTiles.h - two loops through an LDM, a tile at a time --*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// What is read along one of two loops and written along the other, as a transpose, has runs in
// memory as long as a piece has iterations of each: one iteration of one of them, however many of
// the other, moves lines of memory for single elements. In a tile some iterations of the outer
// loop go within those of the inner one. And of a stencil, neighbouring rows are read once for all
// rows of a tile.
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_TRANSFERS_TRANSFERTILES_H
#define WEFT_PASSES_TRANSFERS_TRANSFERTILES_H

#include "passes/transfers/TransferPieces.h"

namespace weft {

/// Whether a piece of so many iterations moves runs so short that memory moves as much beside them,
/// or reads more than half as much again as one access, since others read what lies beside that.
bool mayGainByTiles(mlir::affine::AffineForOp loop, int64_t times, const PieceMachine &machine);

/// How many iterations of an outer loop tiles may have, of so many.
llvm::SmallVector<int64_t> rowsOfTiles(int64_t trips);

/// `rows` iterations of a loop at a time go within the loop that is all of its body; those that are
/// no whole tile are left out. The outermost loop is of tiles then, and has the marks for cores.
void tileAround(mlir::affine::AffineForOp outer, mlir::affine::AffineForOp inner, int64_t rows);

/// The outermost loop of what is in a piece: the rows of a tile, around its columns again.
mlir::affine::AffineForOp endOfTile(mlir::affine::AffineForOp piece);

} // namespace weft

#endif // WEFT_PASSES_TRANSFERS_TRANSFERTILES_H
