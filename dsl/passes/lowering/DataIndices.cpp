//===- DataIndices.cpp - loops whose indices are data --------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/lowering/DataIndices.h"

#include "passes/lowering/PointBody.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

/// The same elements in one row, or in `rows` of them.
static Value flat(OpBuilder &builder, Location loc, Value memref, ArrayRef<int64_t> shape) {
  auto element = cast<MemRefType>(memref.getType()).getElementType();
  auto type = RankedTensorType::get(shape, element);
  return viewAs(builder, loc, {memref, Layout::Real}, type).memref;
}

void checkIndices(OpBuilder &builder, CheckedIndicesOp op, Buffer indices) {
  Location loc = op.getLoc();
  auto element = cast<IntegerType>(cast<MemRefType>(indices.memref.getType()).getElementType());
  int64_t count = cast<MemRefType>(indices.memref.getType()).getNumElements();
  // What cannot be below zero is no more than the largest number of the type.
  APInt most = APInt::getSignedMaxValue(element.getWidth());
  if (most.sgt(op.getBelow() - 1))
    most = APInt(element.getWidth(), op.getBelow() - 1);

  // The sign bits of k and of most - k, gathered by `or`: two operations an index, no
  // comparison, and any order will do. For k below 0 the difference may wrap around,
  // but then k has the sign already.
  Value row = flat(builder, loc, indices.memref, {count});
  Value last = arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(element, most));
  Value zero = arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(element, 0));
  auto loop = AffineForOp::create(builder, loc, 0, count, 1, zero);
  loop->setAttr("weft.lane", builder.getUnitAttr());
  loop->setAttr("weft.reassociate", builder.getUnitAttr());
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value index = loadReal(builder, loc, row, {loop.getInductionVar()});
    Value above = arith::SubIOp::create(builder, loc, last, index);
    Value outside = arith::OrIOp::create(builder, loc, index, above);
    Value seen = arith::OrIOp::create(builder, loc, loop.getRegionIterArgs()[0], outside);
    affine::AffineYieldOp::create(builder, loc, seen);
  }
  Value found =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, loop.getResult(0), zero);
  FailIfOp::create(builder, loc, found, op.getCode());
}

void scatterRows(OpBuilder &builder, ScatterOp op, Buffer base, Buffer indices, Buffer updates) {
  Location loc = op.getLoc();
  StringRef kind = op.getKind();
  auto type = cast<MemRefType>(base.memref.getType());
  int64_t rows = type.getDimSize(0), elements = type.getNumElements() / rows;
  int64_t count = cast<RankedTensorType>(op.getIndices().getType()).getNumElements();
  // A product of complex numbers needs both parts at once; all else goes part by part.
  bool pairs = base.isComplex() && kind == "mul";
  SmallVector<int64_t> row{elements};
  if (pairs)
    row = {elements / 2, 2};
  auto rowsOf = [&](Value memref, int64_t number) {
    SmallVector<int64_t> shape{number};
    llvm::append_range(shape, row);
    return flat(builder, loc, memref, shape);
  };
  Value to = rowsOf(base.memref, rows), from = rowsOf(updates.memref, count);
  Value numbers = flat(builder, loc, indices.memref, {count});

  OpBuilder::InsertionGuard guard(builder);
  auto loop = AffineForOp::create(builder, loc, 0, count);
  builder.setInsertionPointToStart(loop.getBody());
  Value number = loadReal(builder, loc, numbers, {loop.getInductionVar()});
  Value place = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), number);
  SmallVector<OpFoldResult> toIndex{place}, fromIndex{loop.getInductionVar()};
  if (row.front() > 1) {
    auto inner = AffineForOp::create(builder, loc, 0, row.front());
    inner->setAttr("weft.independent", builder.getUnitAttr());
    inner->setAttr("weft.lane", builder.getUnitAttr());
    builder.setInsertionPointToStart(inner.getBody());
    toIndex.push_back(inner.getInductionVar());
  } else {
    toIndex.push_back(builder.getIndexAttr(0));
  }
  fromIndex.push_back(toIndex.back());

  Layout layout = pairs ? Layout::Interleaved : Layout::Real;
  auto load = [&](Value memref, ArrayRef<OpFoldResult> index) {
    Scalar value;
    value.real = loadReal(builder, loc, memref, componentIndex(builder, layout, index, 0));
    if (pairs)
      value.imaginary = loadReal(builder, loc, memref, componentIndex(builder, layout, index, 1));
    return value;
  };
  Scalar update = load(from, fromIndex);
  if (kind != "set") {
    StringRef reduction = kind == "add" ? "sum" : kind == "mul" ? "prod" : kind;
    update = combineScalars(builder, loc, reduction, load(to, toIndex), update);
  }
  storeReal(builder, loc, update.real, to, componentIndex(builder, layout, toIndex, 0));
  if (pairs)
    storeReal(builder, loc, update.imaginary, to, componentIndex(builder, layout, toIndex, 1));
}

} // namespace weft
