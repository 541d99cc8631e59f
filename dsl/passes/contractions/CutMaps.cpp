//===- CutMaps.cpp - a map for a part of its points -------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/contractions/CutMaps.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace weft {

MapOp cutMap(OpBuilder &builder, MapOp old, ArrayRef<DimCut> cuts, ArrayRef<int64_t> shape,
             ArrayRef<AffineMap> stores, Value init) {
  SmallVector<int64_t> upper(old.getUpper());
  for (const DimCut &cut : cuts)
    upper[cut.dim] = cut.width;
  Type element = cast<RankedTensorType>(old.getResult(0).getType()).getElementType();
  auto map = MapOp::create(builder, old.getLoc(), TypeRange{RankedTensorType::get(shape, element)},
                           old.getLower(), upper, init ? ValueRange{init} : ValueRange{},
                           builder.getAffineMapArrayAttr(stores), old.getIntoAttr());
  for (NamedAttribute attribute : old->getDiscardableAttrs())
    map->setAttr(attribute.getName(), attribute.getValue());
  Block *body = &map.getBody().emplaceBlock();
  OpBuilder inner = OpBuilder::atBlockBegin(body);
  IRMapping mapping;
  for (BlockArgument index : old.bodyBlock()->getArguments()) {
    Value own = body->addArgument(index.getType(), index.getLoc());
    for (const DimCut &cut : cuts)
      if (cut.dim == index.getArgNumber())
        own = affine::AffineApplyOp::create(inner, index.getLoc(),
                                            AffineMap::get(2, 0,
                                                           inner.getAffineDimExpr(0) * cut.scale +
                                                               inner.getAffineDimExpr(1) +
                                                               cut.offset),
                                            ValueRange{cut.origin, own});
    mapping.map(index, own);
  }
  for (Operation &op : *old.bodyBlock())
    inner.clone(op, mapping);
  return map;
}

} // namespace weft
