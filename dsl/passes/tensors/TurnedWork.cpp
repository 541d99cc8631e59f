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

#include "passes/tensors/TurnedWork.h"

#include "passes/tensors/Elementwise.h"
#include "passes/tensors/TensorLayouts.h"
#include "passes/tensors/TransposedCopy.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace weft {

namespace {

/// Whether a map computes all elements of its only result, and nothing but arithmetic and reads is
/// in it.
bool isPlain(MapOp map) {
  return isPointwise(map) && map.storeMap(0).isIdentity() &&
         llvm::all_of(*map.bodyBlock(), [](Operation &op) { return op.getNumRegions() == 0; });
}

/// The read of all of the stage's elements, with the map's indices in another order; null where it
/// is another one.
tensor::ExtractOp turnedRead(Value elements, MapOp map) {
  if (!elements.hasOneUse())
    return {};
  auto read = dyn_cast<tensor::ExtractOp>(*elements.user_begin());
  if (!read || read->getBlock() != map.bodyBlock())
    return {};
  auto places = placesOf(read, map);
  if (!places || llvm::equal(*places, llvm::seq<unsigned>(0, map.rank())))
    return {};
  ArrayRef<int64_t> shape = read.getTensor().getType().getShape();
  bool isWhole = llvm::all_of(llvm::zip(shape, *places), [&](auto entry) {
    auto [extent, place] = entry;
    return extent == map.getUpper()[place];
  });
  return isWhole ? read : tensor::ExtractOp();
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
  SmallVector<int64_t> lower(map.rank(), 0);
  auto inOrder = builder.getMultiDimIdentityMap(map.rank());
  auto rework = [&](OpBuilder &inner, ValueRange point) {
    IRMapping mapping;
    for (auto [index, own] : llvm::zip(read.getIndices(), point))
      mapping.map(index, own);
    for (Operation &op : map.bodyBlock()->without_terminator())
      inner.clone(op, mapping);
    return mapping.lookupOrDefault(map.yielded().front());
  };
  MapOp work = makeMap(builder, loc, source, lower, source.getShape(), inOrder, rework);
  auto turn = AffineMap::getPermutationMap(*placesOf(read, map), map.getContext());
  Value turned = copyOf(builder, loc, work.getResult(0), type.getShape(), turn);
  map.getResult(0).replaceAllUsesWith(turned);
  map.erase();
  return turned.getDefiningOp<MapOp>();
}

} // namespace weft
