//===- Overwriting.cpp - results where their inputs lie -----------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/lowering/Overwriting.h"

#include "passes/lowering/ContractionLoops.h"
#include "passes/tensors/LineChain.h"
#include "passes/tensors/TensorLayouts.h"

using namespace mlir;

namespace weft {

/// Where an element lies among those of its tensor, one behind the other.
static AffineExpr placeOf(AffineMap index, RankedTensorType type) {
  return simplifyAffineExpr(linear(index.getResults(), type.getShape(), index.getContext()),
                            index.getNumDims(), 0);
}

bool readsOnlyOwnElements(MapOp map, OpResult result, Value input) {
  auto read = cast<RankedTensorType>(input.getType());
  auto stored = cast<RankedTensorType>(result.getType());
  SmallVector<AffineExpr> stores;
  for (unsigned n = 0; n < map.getStores().size(); ++n)
    if (map.target(n) == static_cast<int64_t>(result.getResultNumber()))
      stores.push_back(placeOf(map.storeMap(n), stored));
  bool own = true;
  map.getBody().walk([&](tensor::ExtractOp extract) {
    if (extract.getTensor() != input)
      return;
    if (extract->getBlock() != map.bodyBlock()) {
      own = false;
      return;
    }
    MLIRContext *context = map.getContext();
    SmallVector<Value> operands(extract.getIndices().begin(), extract.getIndices().end());
    AffineMap index = AffineMap::getMultiDimIdentityMap(operands.size(), context);
    affine::fullyComposeAffineMapAndOperands(&index, &operands);
    // Of lines that are turned in registers places are numbers. Not of others: on a core group an
    // FT of 16³ points takes 2.2 times as long in place.
    if (map->hasAttr(laneIndexMark))
      affine::canonicalizeMapAndOperands(&index, &operands);
    SmallVector<AffineExpr> dims;
    for (Value operand : operands) {
      auto argument = dyn_cast<BlockArgument>(operand);
      if (!argument || argument.getOwner() != map.bodyBlock()) {
        own = false;
        return;
      }
      dims.push_back(getAffineDimExpr(argument.getArgNumber(), context));
    }
    index =
        index.replaceDimsAndSymbols(ArrayRef(dims).take_front(index.getNumDims()),
                                    ArrayRef(dims).drop_front(index.getNumDims()), map.rank(), 0);
    own &= llvm::is_contained(stores, placeOf(index, read));
  });
  return own;
}

namespace {

/// The last map of a block writes to the result itself, with those whose work it goes on with:
/// they must not read the input, unless it is alone and one point holds a whole line.
bool lastMapLeavesAlone(BlocksOp blocks, Value input) {
  for (Value value : blocks.yielded()) {
    auto map = value.getDefiningOp<MapOp>();
    if (!map)
      return false;
    bool isAlone = map.getInits().empty(), reads = false;
    while (map) {
      map.getBody().walk([&](tensor::ExtractOp extract) { reads |= extract.getTensor() == input; });
      map = map.getInits().empty() ? MapOp() : map.getInits().front().getDefiningOp<MapOp>();
    }
    if (!reads)
      continue;
    if (!isAlone)
      return false;
    map = value.getDefiningOp<MapOp>();
    int64_t points = 1;
    for (auto [low, high] : llvm::zip(map.getLower(), map.getUpper()))
      points *= high - low;
    auto local = cast<RankedTensorType>(value.getType());
    int64_t lanes = local.getShape().back();
    if (points != lanes)
      return false;
  }
  return true;
}

/// A result that is made of the input element by element, by the one map that reads this.
bool isMadeInPlace(BlocksOp blocks, OpResult result, Value input) {
  auto made = blocks->getAttrOfType<IntegerAttr>(ownElementsMark);
  if (!made || made.getInt() != result.getResultNumber())
    return false;
  auto maker = blocks.yielded()[result.getResultNumber()].getDefiningOp<MapOp>();
  return maker && llvm::all_of(input.getUsers(), [&](Operation *user) {
           return !blocks->isAncestor(user) || maker->isProperAncestor(user);
         });
}

} // namespace

bool mayOverwrite(Operation *op, Value result, Value input) {
  if (input.getType() != result.getType())
    return false;
  // Panels of sums overlap: an element may be read for one after another has stored it.
  if (auto map = dyn_cast<MapOp>(op))
    return !groupingOf(map) && map.getStores().size() && map->getNumResults() == 1 &&
           readsOnlyOwnElements(map, cast<OpResult>(result), input);
  if (auto blocks = dyn_cast<BlocksOp>(op))
    return (blocks->hasAttr("weft.own_lines") && blocks->getNumResults() == 1 &&
            lastMapLeavesAlone(blocks, input)) ||
           isMadeInPlace(blocks, cast<OpResult>(result), input);
  return false;
}

Value goneOnWith(Value result) {
  ValueRange inits;
  if (auto map = result.getDefiningOp<MapOp>())
    inits = map.getInits();
  else if (auto blocks = result.getDefiningOp<BlocksOp>())
    inits = blocks.getInits();
  return inits.empty() ? Value() : inits[cast<OpResult>(result).getResultNumber()];
}

} // namespace weft
