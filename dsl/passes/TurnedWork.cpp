//===- TurnedWork.cpp - elementwise work before a transpose -------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// The lines of a transform stay where they are, so that nothing behind a stage permutes what it
// stores. A transpose alone is stored by the stages later (`tile-for-ldm`); with arithmetic in it
// it would be a pass over memory that computes.
//
//===-----------------------------------------------------------------------===//

#include "passes/TurnedWork.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace weft {

namespace {

/// Whether a map computes each element of its only result from index 0 on, and nothing but
/// arithmetic and reads is in it.
bool isPlain(MapOp map) {
  return map->getNumResults() == 1 && map.getInits().empty() && map.getStores().size() == 1 &&
         map.storeMap(0).isIdentity() &&
         llvm::all_of(map.getLower(), [](int64_t low) { return low == 0; }) &&
         llvm::all_of(*map.bodyBlock(), [](Operation &op) { return op.getNumRegions() == 0; });
}

/// The read of all of the stage's elements, with the map's indices in another order; null where it
/// is another one.
tensor::ExtractOp turnedRead(Value elements, MapOp map) {
  if (!elements.hasOneUse())
    return {};
  auto read = dyn_cast<tensor::ExtractOp>(*elements.user_begin());
  if (!read || read->getBlock() != map.bodyBlock() || read.getIndices().size() != map.rank())
    return {};
  SmallVector<bool> seen(map.rank(), false);
  bool turns = false;
  for (auto [dim, index] : llvm::enumerate(read.getIndices())) {
    auto argument = dyn_cast<BlockArgument>(index);
    if (!argument || argument.getOwner() != map.bodyBlock() || seen[argument.getArgNumber()] ||
        read.getTensor().getType().getDimSize(dim) != map.getUpper()[argument.getArgNumber()])
      return {};
    seen[argument.getArgNumber()] = true;
    turns |= argument.getArgNumber() != dim;
  }
  return turns ? read : tensor::ExtractOp();
}

} // namespace

MapOp workBeforeTurning(MapOp stage, MapOp map) {
  if (!stage->hasAttr("weft.lines") || stage->getNumResults() != 1 ||
      stage->getBlock() != map->getBlock() || !isPlain(map))
    return {};
  tensor::ExtractOp read = turnedRead(stage.getResult(0), map);
  if (!read || llvm::hasNItems(map.bodyBlock()->without_terminator(), 1))
    return {};
  for (auto other : map.bodyBlock()->getOps<tensor::ExtractOp>())
    if (other != read && other.getTensor().getType().getRank() > 1)
      return {};

  OpBuilder builder(map);
  Location loc = map.getLoc();
  auto type = cast<RankedTensorType>(map.getResult(0).getType());
  auto source = RankedTensorType::get(read.getTensor().getType().getShape(), type.getElementType());
  unsigned rank = map.rank();
  auto inOrder =
      builder.getAffineMapArrayAttr({AffineMap::getMultiDimIdentityMap(rank, map.getContext())});
  SmallVector<int64_t> lower(rank, 0);
  auto create = [&](RankedTensorType of) {
    auto made = MapOp::create(builder, loc, TypeRange{of}, lower, of.getShape(), ValueRange{},
                              inOrder, nullptr);
    Block *body = new Block;
    made.getBody().push_back(body);
    for (unsigned dim = 0; dim < rank; ++dim)
      body->addArgument(builder.getIndexType(), map.bodyBlock()->getArgument(dim).getLoc());
    return made;
  };

  MapOp work = create(source);
  IRMapping mapping;
  for (auto [dim, index] : llvm::enumerate(read.getIndices()))
    mapping.map(index, work.bodyBlock()->getArgument(dim));
  OpBuilder inner = OpBuilder::atBlockEnd(work.bodyBlock());
  for (Operation &op : *map.bodyBlock())
    inner.clone(op, mapping);

  MapOp turned = create(type);
  SmallVector<Value> indices;
  for (Value index : read.getIndices())
    indices.push_back(turned.bodyBlock()->getArgument(cast<BlockArgument>(index).getArgNumber()));
  OpBuilder copy = OpBuilder::atBlockEnd(turned.bodyBlock());
  Value element = tensor::ExtractOp::create(copy, loc, work.getResult(0), indices);
  YieldOp::create(copy, loc, element);
  map.replaceAllUsesWith(turned.getResults());
  map.erase();
  return turned;
}

} // namespace weft
