//===- LoopOrder.cpp - which loop of a map becomes the vector loop -------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/LoopOrder.h"

#include "mlir/IR/AffineExpr.h"

using namespace mlir;

namespace weft {

namespace {

/// Panels of columns are multiples of this wide on every target.
constexpr int64_t panelUnit = 4;

/// The coefficient of dimension `position` in an affine expression.
std::optional<int64_t> coefficient(AffineExpr expr, unsigned position) {
  if (!expr.isFunctionOfDim(position))
    return 0;
  if (isa<AffineDimExpr>(expr))
    return 1;
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Add) {
    auto left = coefficient(binary.getLHS(), position);
    auto right = coefficient(binary.getRHS(), position);
    if (!left || !right)
      return std::nullopt;
    return *left + *right;
  }
  // Along a whole vector that no panel's end cuts.
  auto divisor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (divisor && isa<AffineDimExpr>(binary.getLHS()) && divisor.getValue() % panelUnit == 0) {
    if (expr.getKind() == AffineExprKind::FloorDiv)
      return 0;
    if (expr.getKind() == AffineExprKind::Mod)
      return 1;
  }
  if (expr.getKind() == AffineExprKind::Mul)
    if (auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS()))
      if (auto left = coefficient(binary.getLHS(), position))
        return *left * factor.getValue();
  return std::nullopt;
}

bool dependsOn(Value value, Value variable) {
  Operation *producer = value.getDefiningOp();
  if (value == variable || !producer || producer->getNumRegions() != 0)
    return value == variable || producer;
  return llvm::any_of(producer->getOperands(),
                      [&](Value operand) { return dependsOn(operand, variable); });
}

/// The only read of a map that does nothing but copy, or null.
tensor::ExtractOp copiedElement(MapOp map) {
  if (map.yielded().size() != 1)
    return nullptr;
  auto extract = map.yielded().front().getDefiningOp<tensor::ExtractOp>();
  if (!extract || extract->getBlock() != map.bodyBlock())
    return nullptr;
  for (Operation &op : map.bodyBlock()->without_terminator())
    if (&op != extract && !isa<affine::AffineApplyOp>(op))
      return nullptr;
  return extract;
}

bool isTransposingCopy(MapOp map, const StoreTarget &store, unsigned outer, unsigned inner) {
  tensor::ExtractOp read = copiedElement(map);
  if (!read)
    return false;
  Block *body = map.bodyBlock();
  auto loadStride = [&](unsigned dim) {
    return strideAlong(read.getTensor().getType(), read.getIndices(), body->getArgument(dim));
  };
  auto storeStride = [&](unsigned dim) { return strideAlong(store.shape, store.index, dim); };
  bool packs = loadStride(outer) == 1 && storeStride(inner) == 1 && loadStride(inner) != 1;
  bool unpacks = loadStride(inner) == 1 && storeStride(outer) == 1 && storeStride(inner) != 1;
  return packs || unpacks;
}

} // namespace

/// Whether all that a map reads and stores are complex numbers: a vector holds half as many.
static bool isComplex(MapOp map) {
  auto holdsComplex = [](Value tensor) {
    return isa<ComplexType>(cast<RankedTensorType>(tensor.getType()).getElementType());
  };
  bool all = llvm::all_of(map.getResults(), holdsComplex);
  map.getBody().walk([&](tensor::ExtractOp extract) { all &= holdsComplex(extract.getTensor()); });
  return all;
}

int accessWorth(std::optional<int64_t> stride) {
  if (!stride)
    return -1;
  return *stride == 1 ? 1 : *stride == 0 ? 0 : -1;
}

std::optional<int64_t> strideAlong(ArrayRef<int64_t> shape, AffineMap index, unsigned position) {
  int64_t stride = 0, extent = 1;
  for (int64_t dim = static_cast<int64_t>(shape.size()) - 1; dim >= 0; --dim) {
    auto factor = coefficient(index.getResult(dim), position);
    if (!factor)
      return std::nullopt;
    stride += *factor * extent;
    extent *= shape[dim];
  }
  return stride;
}

std::optional<int64_t> strideAlong(RankedTensorType tensor, ValueRange indices, Value variable) {
  MLIRContext *context = tensor.getContext();
  SmallVector<AffineExpr> exprs;
  SmallVector<Value> operands(indices.begin(), indices.end());
  for (unsigned n = 0; n < operands.size(); ++n)
    exprs.push_back(getAffineDimExpr(n, context));
  AffineMap map = AffineMap::get(operands.size(), 0, exprs, context);
  affine::fullyComposeAffineMapAndOperands(&map, &operands);
  std::optional<int64_t> total = 0;
  for (auto [position, operand] : llvm::enumerate(operands)) {
    if (operand == variable) {
      if (position >= map.getNumDims())
        return std::nullopt;
      auto stride = strideAlong(tensor.getShape(), map, position);
      if (!stride)
        return std::nullopt;
      *total += *stride;
    } else if (dependsOn(operand, variable)) {
      // An index computed from data may depend on the variable in any way.
      return std::nullopt;
    }
  }
  return total;
}

LoopOrder chooseLoopOrder(MapOp map, ArrayRef<StoreTarget> stores, int64_t lanes, bool inBlock) {
  LoopOrder order;
  unsigned rank = map.rank();
  for (unsigned dim = 0; dim < rank; ++dim)
    order.dims.push_back(dim);
  if (rank == 0)
    return order;

  int64_t fewest = isComplex(map) && !inBlock ? std::max<int64_t>(lanes / 2, 2) : lanes;
  std::optional<unsigned> best;
  int bestScore = 0;
  for (unsigned dim = 0; dim < rank; ++dim) {
    if (inBlock && dim != rank - 1)
      continue;
    if (map.getUpper()[dim] - map.getLower()[dim] < fewest)
      continue;
    int score = 0;
    for (const StoreTarget &store : stores)
      score += accessWorth(strideAlong(store.shape, store.index, dim));
    Value variable = map.bodyBlock()->getArgument(dim);
    map.getBody().walk([&](tensor::ExtractOp extract) {
      score +=
          accessWorth(strideAlong(extract.getTensor().getType(), extract.getIndices(), variable));
    });
    if (score > 0 && score >= bestScore) {
      best = dim;
      bestScore = score;
    }
  }
  if (best) {
    order.dims.erase(llvm::find(order.dims, *best));
    order.dims.push_back(*best);
    order.lane = true;
  }
  // A copy that is contiguous along one dimension here and along another there.
  if (!best && !inBlock)
    for (unsigned outer = 0; outer < rank && !best; ++outer)
      for (unsigned inner = 0; inner < rank; ++inner) {
        auto isLong = [&](unsigned dim) {
          return map.getUpper()[dim] - map.getLower()[dim] >= lanes;
        };
        if (outer == inner || !isLong(outer) || !isLong(inner) ||
            strideAlong(stores.front().shape, stores.front().index, inner) != 1 ||
            !isTransposingCopy(map, stores.front(), outer, inner))
          continue;
        llvm::erase(order.dims, outer);
        llvm::erase(order.dims, inner);
        order.dims.append({outer, inner});
        best = inner;
        break;
      }
  unsigned last = order.dims[rank - 1];
  if (map.getUpper()[last] - map.getLower()[last] < lanes)
    return order;
  order.lane |= inBlock;
  if (rank >= 2 && isTransposingCopy(map, stores.front(), order.dims[rank - 2], last))
    order.lane = order.transposing = true;
  return order;
}

} // namespace weft
