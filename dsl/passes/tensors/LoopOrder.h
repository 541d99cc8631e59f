//===- LoopOrder.h - which loop of a map becomes the vector loop -------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_TENSORS_LOOPORDER_H
#define WEFT_PASSES_TENSORS_LOOPORDER_H

#include "passes/Passes.h"

namespace weft {

struct VectorUnit;

/// Real numbers that a vector of so many lanes has to have, where it is not full: three of f32 were
/// moved at 0.74 of the rate of single ones, seven at 1.1 to 1.9 times it.
constexpr int64_t fewestMasked(int64_t lanes) { return std::max<int64_t>(3, (lanes + 2) / 3); }

/// How a map's loops are nested.
struct LoopOrder {
  llvm::SmallVector<unsigned> dims; ///< domain dimensions, outermost first
  bool lane = false;                ///< the innermost loop should become a vector
  bool transposing = false;         ///< the two innermost loops copy and transpose
};

/// Where one store of a map goes: the shape of the memory's tensor and the index in it,
/// of the point's indices.
struct StoreTarget {
  llvm::SmallVector<int64_t> shape;
  mlir::AffineMap index;
};

/// Lanes of the widest of a map's results, two at least; truth values are as wide as the numbers
/// that they are found by, 32 bits at least.
int64_t lanesOf(MapOp map, const VectorUnit &vectors);

/// The order in which a map outside of blocks runs its loops: as written, but the
/// dimension along which most accesses are contiguous innermost, if it is at least
/// `lanes` long; of complex numbers half of it, or, where vectors may be `masked`, two of them and
/// a third of a vector of real ones, if no dimension is as long. Inside of a block (`inBlock`) the
/// last dimension is the lane. Vectors that lanes may be `picked` from read elements a few apart.
LoopOrder chooseLoopOrder(MapOp map, llvm::ArrayRef<StoreTarget> stores, int64_t lanes,
                          bool inBlock, bool masked, bool picked);

/// The order with the lanes where the map's mark has them, and outermost the loop that its schedule
/// shares among the cores; an error where these are one of several loops.
mlir::LogicalResult followMarks(MapOp map, LoopOrder &order);

/// Tells the passes behind of a map's loops: which becomes a vector, which two turn squares, and
/// what a schedule asks for.
void markLoops(MapOp map, const LoopOrder &order, llvm::ArrayRef<mlir::affine::AffineForOp> loops);

/// Puts one dimension before all others.
void putOutermost(llvm::SmallVectorImpl<unsigned> &dims, unsigned dim);

/// Says which order a map's loops got, and why.
void explain(MapOp map, const LoopOrder &order, int64_t lanes, bool inBlock);

/// What an access along a dimension is worth to a vector: contiguous is good, a
/// constant costs nothing, anything else needs a load a lane.
int accessWorth(std::optional<int64_t> stride);

/// Whether lanes of a read with that stride can be picked from whole vectors, in reverse order
/// among others.
bool isPickedAt(mlir::Type element, std::optional<int64_t> stride);

/// Whether elements so far apart are read in whole vectors, of which the last one ends with the
/// last of them: then they can be picked from these, though they fill no vector themselves.
constexpr bool readsWholeVectors(int64_t apart, int64_t elements, int64_t lanes) {
  return (apart < 0 ? -apart : apart) * (elements - 1) + 1 >= lanes;
}

/// By how much an expression grows with a dimension; nothing where that is not a constant.
std::optional<int64_t> stepAlong(mlir::AffineExpr expr, unsigned position);

/// By how many elements the address of `tensor[indices]` moves when `variable` grows
/// by one; nothing where that is not a constant.
std::optional<int64_t> strideAlong(mlir::RankedTensorType tensor, mlir::ValueRange indices,
                                   mlir::Value variable);

/// The same for an index given as a map of `position`-numbered variables.
std::optional<int64_t> strideAlong(llvm::ArrayRef<int64_t> shape, mlir::AffineMap index,
                                   unsigned position);

/// Whether a value depends on `variable` through operations; what has regions counts as if it did.
bool dependsOn(mlir::Value value, mlir::Value variable);

} // namespace weft

#endif // WEFT_PASSES_TENSORS_LOOPORDER_H
