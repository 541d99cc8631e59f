//===- CollectedRows.cpp - rows of a field that every core has ------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Rows lie as far apart as in a core's own part. Where each core gives whole messages and no row
// lies with two, what is heard is all rows in their order; else they are moved there.
//
//===-----------------------------------------------------------------------===//

#include "passes/mesh/CollectedRows.h"

#include "dialect/Cpe.h"
#include "passes/transfers/Footprint.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

/// Elements of a message.
static int64_t elementsOfMessage(int64_t bytes) {
  return std::max<int64_t>(1, messageBytes / bytes);
}

CollectedRows::CollectedRows(const LocalRows &local, const Ring &ring) : local(local), ring(ring) {
  row = local.strides.front();
  int64_t own = ring.own * row;
  each = static_cast<int64_t>(llvm::alignTo(own, elementsOfMessage(number() * local.parts)));
  places = llvm::divideCeil(ring.cores, ring.columns) * ring.columns;
  isInOrder = each == own && ring.isExact();
}

int64_t CollectedRows::number() const { return elementBytes(local.array); }

int64_t CollectedRows::evenRows(Value array) {
  auto type = cast<MemRefType>(array.getType());
  bool isPair = type.getRank() == 2 && type.getShape().back() == 2;
  // Rows of more than one element begin at whole messages.
  return type.getRank() > 1 && !isPair ? 1
                                       : elementsOfMessage(elementBytes(array) * (isPair ? 2 : 1));
}

int64_t CollectedRows::bytes() const {
  int64_t elements = places * each + (isInOrder ? 0 : ring.rows * row);
  return elements * local.parts * number();
}

void CollectedRows::make(OpBuilder &builder) {
  auto array = [&](int64_t elements) -> Value {
    SmallVector<int64_t> shape{elements};
    if (local.parts > 1)
      shape.push_back(local.parts);
    Type element = cast<MemRefType>(local.array.getType()).getElementType();
    return memref::AllocaOp::create(builder, local.array.getLoc(), MemRefType::get(shape, element));
  };
  heard = array(places * each);
  if (!isInOrder)
    rows = array(ring.rows * row);
}

void CollectedRows::collect(OpBuilder &builder, Location where, Value memory) const {
  cpe::CollectOp::create(builder, where, memory, local.field.before * row * local.parts,
                         each * local.parts, ring.cores, ring.columns, heard);
  if (isInOrder)
    return;
  auto ofCores = AffineForOp::create(builder, where, 0, ring.cores);
  OpBuilder inside = OpBuilder::atBlockBegin(ofCores.getBody());
  auto ofPart = AffineForOp::create(inside, where, 0, ring.own * row);
  ofPart->setAttr("weft.lane", builder.getUnitAttr());
  inside.setInsertionPointToStart(ofPart.getBody());
  AffineExpr p = builder.getAffineDimExpr(0), n = builder.getAffineDimExpr(1);
  for (int64_t part = 0; part < local.parts; ++part) {
    auto at = [&](AffineExpr element) {
      SmallVector<AffineExpr> indices{element};
      if (local.parts > 1)
        indices.push_back(builder.getAffineConstantExpr(part));
      return AffineMap::get(2, 0, indices, builder.getContext());
    };
    SmallVector<Value> numbers{ofCores.getInductionVar(), ofPart.getInductionVar()};
    Value value = affine::AffineLoadOp::create(inside, where, heard, at(p * each + n), numbers);
    affine::AffineStoreOp::create(inside, where, value, rows, at(ring.startOf(p) * row + n),
                                  numbers);
  }
}

SmallVector<AffineExpr> CollectedRows::placeOf(AffineMap indices) const {
  AffineExpr at = getAffineConstantExpr(local.lead, indices.getContext());
  for (auto [dim, stride] : llvm::enumerate(local.strides))
    at = at + indices.getResult(dim) * stride;
  SmallVector<AffineExpr> place{at};
  if (local.parts > 1)
    place.push_back(indices.getResults().back());
  return place;
}

} // namespace weft
