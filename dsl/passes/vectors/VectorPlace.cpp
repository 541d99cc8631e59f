//===- VectorPlace.cpp - where a vector lies in its array ------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/vectors/VectorPlace.h"

#include "dialect/Cpe.h"

#include "mlir/Dialect/Affine/Analysis/Utils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <numeric>

using namespace mlir;
using affine::AffineForOp;

namespace weft {

std::optional<VectorPlace> VectorPlace::of(Operation *op) {
  auto identity = [&](Value memref, Value vector, ValueRange indices) {
    return VectorPlace{memref, vector,
                       AffineMap::getMultiDimIdentityMap(indices.size(), op->getContext()),
                       llvm::to_vector(indices)};
  };
  if (auto load = dyn_cast<affine::AffineVectorLoadOp>(op))
    return VectorPlace{load.getMemRef(), load.getResult(), load.getAffineMap(),
                       llvm::to_vector(load.getMapOperands())};
  if (auto store = dyn_cast<affine::AffineVectorStoreOp>(op))
    return VectorPlace{store.getMemRef(), store.getValueToStore(), store.getAffineMap(),
                       llvm::to_vector(store.getMapOperands())};
  if (auto load = dyn_cast<vector::LoadOp>(op))
    return identity(load.getBase(), load.getResult(), load.getIndices());
  if (auto store = dyn_cast<vector::StoreOp>(op))
    return identity(store.getBase(), store.getValueToStore(), store.getIndices());
  return std::nullopt;
}

/// What an index is a multiple of, as an expression.
static AffineExpr multipleOf(Value index, AffineExpr dim) {
  if (std::optional<int64_t> constant = getConstantIntValue(index))
    return getAffineConstantExpr(*constant, dim.getContext());
  AffineForOp loop = affine::getForInductionVarOwner(index);
  if (!loop || !loop.hasConstantLowerBound())
    return dim;
  return dim * std::gcd(loop.getConstantLowerBound(), loop.getStepAsInt());
}

bool VectorPlace::isMultiple() const {
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(cast<MemRefType>(memref.getType()).getStridesAndOffset(strides, offset)))
    return false;
  // A core has its own part of what is spread.
  if (cpe::spreadArray(memref))
    strides[0] = strides[1] = 0;
  AffineMap whole = map;
  SmallVector<Value> values(operands);
  affine::fullyComposeAffineMapAndOperands(&whole, &values);
  MLIRContext *context = memref.getContext();
  SmallVector<AffineExpr> indices;
  for (auto [number, value] : llvm::enumerate(values))
    indices.push_back(multipleOf(value, getAffineDimExpr(number, context)));
  ArrayRef<AffineExpr> all = indices;
  unsigned dims = whole.getNumDims();
  AffineExpr before = getAffineConstantExpr(0, context);
  for (auto [index, stride] : llvm::zip(whole.getResults(), strides))
    before =
        before + index.replaceDimsAndSymbols(all.take_front(dims), all.drop_front(dims)) * stride;
  before = simplifyAffineExpr(before, indices.size(), 0);
  return before.isMultipleOf(type().getNumElements());
}

SmallVector<Value> indexValues(OpBuilder &builder, Location where, AffineMap map,
                               ValueRange operands) {
  SmallVector<Value> indices;
  for (unsigned result = 0; result < map.getNumResults(); ++result)
    indices.push_back(
        affine::AffineApplyOp::create(builder, where, map.getSubMap({result}), operands));
  return indices;
}

} // namespace weft
