//===- InsertedParts.cpp - what an iteration gives to a result --------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/lowering/InsertedParts.h"

using namespace mlir;

namespace weft {

Value insertedInto(Operation *op) {
  if (auto insert = dyn_cast<tensor::InsertOp>(op))
    return insert.getDest();
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return insert.getDest();
  return {};
}

void storePart(OpBuilder &builder, PointBody &point, tensor::InsertOp insert, Memories &memories) {
  SmallVector<OpFoldResult> index;
  for (Value old : insert.getIndices())
    index.push_back(point.get(old).real);
  point.store(insert.getLoc(), point.get(insert.getScalar()),
              *memories.bufferOf(insert.getResult()), index);
}

/// The row and the result as real numbers, where the row lies in one piece of the result: the
/// dimensions before that, and one for the row.
static bool joinDimensions(OpBuilder &builder, tensor::InsertSliceOp insert, Buffer &row,
                           Buffer &into, SmallVectorImpl<OpFoldResult> &origin) {
  auto type = cast<RankedTensorType>(insert.getType());
  unsigned rank = insert.getSourceType().getRank(), lead = type.getRank() - rank;
  if (row.layout != into.layout || row.layout == Layout::Split ||
      insert.getSourceType().getShape() != type.getShape().take_back(rank) ||
      insert.getStaticSizes().take_back(rank) != type.getShape().take_back(rank))
    return false;
  Type real = realType(type.getElementType());
  int64_t parts = into.isComplex() ? 2 : 1;
  int64_t length = insert.getSourceType().getNumElements() * parts;
  auto shape = llvm::to_vector(type.getShape().take_front(lead));
  shape.push_back(length);
  row = viewAs(builder, insert.getLoc(), {row.memref, Layout::Real},
               RankedTensorType::get({length}, real));
  into = viewAs(builder, insert.getLoc(), {into.memref, Layout::Real},
                RankedTensorType::get(shape, real));
  origin.truncate(lead);
  return true;
}

void storePart(OpBuilder &builder, PointBody &point, tensor::InsertSliceOp insert,
               Memories &memories) {
  Location loc = insert.getLoc();
  Buffer row = *memories.bufferOf(insert.getSource());
  Buffer into = *memories.bufferOf(insert.getResult());
  SmallVector<OpFoldResult> origin;
  llvm::SmallBitVector dropped = insert.getDroppedDims();
  for (OpFoldResult offset : insert.getMixedOffsets())
    origin.push_back(isa<Value>(offset) ? OpFoldResult(point.get(cast<Value>(offset)).real)
                                        : offset);
  OpBuilder::InsertionGuard guard(builder);
  bool joined = joinDimensions(builder, insert, row, into, origin);
  // Of what is no row of real numbers the last dimension may be a pair of parts.
  auto extents = joined ? cast<MemRefType>(row.memref.getType()).getShape()
                        : insert.getSourceType().getShape();
  SmallVector<OpFoldResult> at;
  for (int64_t extent : extents) {
    auto loop = affine::AffineForOp::create(builder, loc, 0, extent);
    loop->setAttr("weft.independent", builder.getUnitAttr());
    if (joined)
      loop->setAttr("weft.lane", builder.getUnitAttr());
    builder.setInsertionPointToStart(loop.getBody());
    at.push_back(loop.getInductionVar());
  }
  // Dimensions of one index come from the origin alone, those of the row begin at 0.
  SmallVector<OpFoldResult> place = origin;
  if (joined)
    place.push_back(at.front());
  else
    for (unsigned dim = 0, next = 0; dim < place.size(); ++dim)
      if (!dropped.test(dim))
        place[dim] = at[next++];
  for (int64_t component = 0; component < (row.isComplex() ? 2 : 1); ++component) {
    Value element =
        loadReal(builder, loc, row.memref, componentIndex(builder, row.layout, at, component));
    storeReal(builder, loc, element, into.memref,
              componentIndex(builder, into.layout, place, component));
  }
}

} // namespace weft
