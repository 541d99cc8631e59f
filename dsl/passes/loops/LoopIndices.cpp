//===- LoopIndices.cpp - accesses by the variables of loops ---------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/loops/LoopIndices.h"

#include "mlir/Dialect/Affine/Analysis/AffineStructures.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

std::pair<AffineMap, SmallVector<Value>> indicesOf(Operation *op) {
  AffineMap map;
  SmallVector<Value> operands;
  auto take = [&](auto one) {
    map = one.getAffineMap();
    operands.assign(one.getMapOperands().begin(), one.getMapOperands().end());
  };
  if (auto load = dyn_cast<affine::AffineLoadOp>(op))
    take(load);
  else
    take(cast<affine::AffineStoreOp>(op));
  affine::fullyComposeAffineMapAndOperands(&map, &operands);
  SmallVector<AffineExpr> all;
  for (auto [n, operand] : llvm::enumerate(operands)) {
    std::optional<int64_t> number = getConstantIntValue(operand);
    all.push_back(number ? getAffineConstantExpr(*number, map.getContext())
                         : getAffineDimExpr(n, map.getContext()));
  }
  ArrayRef<AffineExpr> dims = ArrayRef(all).take_front(map.getNumDims());
  map = map.replaceDimsAndSymbols(dims, ArrayRef(all).drop_front(map.getNumDims()), operands.size(),
                                  0);
  return {map, operands};
}

std::optional<SmallVector<LoopIndex>> loopIndices(Operation *op) {
  auto [map, operands] = indicesOf(op);
  SmallVector<LoopIndex> found;
  for (AffineExpr result : map.getResults()) {
    SmallVector<int64_t> flat;
    if (failed(getFlattenedAffineExpr(result, operands.size(), 0, &flat)) ||
        flat.size() != operands.size() + 1)
      return std::nullopt;
    LoopIndex index;
    index.constant = flat.back();
    for (auto [operand, factor] : llvm::zip(operands, flat)) {
      if (factor == 0)
        continue;
      if (index.value)
        return std::nullopt;
      index.value = operand;
      index.factor = factor;
    }
    found.push_back(index);
  }
  return found;
}

Value arrayOf(Operation *op) {
  if (auto load = dyn_cast<affine::AffineLoadOp>(op))
    return load.getMemRef();
  if (auto store = dyn_cast<affine::AffineStoreOp>(op))
    return store.getMemRef();
  return {};
}

SmallVector<AffineForOp> perfectLoops(AffineForOp outermost) {
  SmallVector<AffineForOp> loops;
  for (AffineForOp loop = outermost; loop;) {
    if (!loop.hasConstantBounds() || loop.getConstantLowerBound() != 0 ||
        loop.getStepAsInt() != 1 || loop.getNumIterOperands() != 0)
      return {};
    loops.push_back(loop);
    auto inner = dyn_cast<AffineForOp>(loop.getBody()->front());
    if (inner && !llvm::hasSingleElement(loop.getBody()->without_terminator()))
      return {};
    loop = inner;
  }
  return loops;
}

bool isArithmetic(Operation &op) {
  if (isa<affine::AffineApplyOp>(op))
    return true;
  return op.getNumRegions() == 0 && isMemoryEffectFree(&op) &&
         llvm::none_of(op.getOperandTypes(), [](Type type) { return type.isIndex(); });
}

} // namespace weft
