//===- TensorLayouts.cpp - the order in which tensors are kept -----------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/tensors/TensorLayouts.h"

#include "llvm/ADT/SetVector.h"

#include <numeric>

using namespace mlir;

namespace weft {

std::optional<SmallVector<AffineExpr>> indicesOver(tensor::ExtractOp read, ValueRange variables) {
  MLIRContext *context = read.getContext();
  SmallVector<AffineExpr> result;
  for (Value index : read.getIndices()) {
    SmallVector<Value> operands{index};
    AffineMap map = AffineMap::getMultiDimIdentityMap(1, context);
    affine::fullyComposeAffineMapAndOperands(&map, &operands);
    SmallVector<AffineExpr> replacements;
    for (Value operand : operands) {
      auto found = llvm::find(variables, operand);
      if (auto constant = operand.getDefiningOp<arith::ConstantIndexOp>())
        replacements.push_back(getAffineConstantExpr(constant.value(), context));
      else if (found != variables.end())
        replacements.push_back(getAffineDimExpr(found - variables.begin(), context));
      else
        return std::nullopt;
    }
    ArrayRef<AffineExpr> all = replacements;
    result.push_back(
        simplifyAffineExpr(map.getResult(0).replaceDimsAndSymbols(all.take_front(map.getNumDims()),
                                                                  all.drop_front(map.getNumDims())),
                           variables.size(), 0));
  }
  return result;
}

/// The values that share the elements of `value` from one partial map to the next;
/// empty where one of them has other makers or users.
static llvm::SetVector<Value> sharingElements(Value value) {
  llvm::SetVector<Value> values;
  SmallVector<Value> open{value};
  while (!open.empty()) {
    Value next = open.pop_back_val();
    if (!values.insert(next))
      continue;
    auto map = next.getDefiningOp<MapOp>();
    if (!map || map->getNumResults() != 1 || map->hasAttr("weft.lines") ||
        map->hasAttr("weft.contraction"))
      return {};
    for (Value init : map.getInits())
      if (!init.getDefiningOp<tensor::EmptyOp>())
        open.push_back(init);
    for (Operation *user : next.getUsers()) {
      if (auto partial = dyn_cast<MapOp>(user))
        open.append(partial->result_begin(), partial->result_end());
      else if (!isa<tensor::ExtractOp>(user))
        return {};
    }
  }
  return values;
}

bool isWithout(ArrayRef<AffineExpr> exprs, unsigned dim) {
  return llvm::none_of(exprs, [&](AffineExpr expr) { return expr.isFunctionOfDim(dim); });
}

bool isFreeLayout(Value value) { return !sharingElements(value).empty(); }

void makeApart(Value value, Value other) {
  if (value == other || !sharingElements(value).contains(other))
    return;
  for (auto map = value.getDefiningOp<MapOp>(); !map.getInits().empty();) {
    Value init = map.getInits().front();
    auto maker = init.getDefiningOp<MapOp>();
    if (!maker)
      return;
    if (!init.hasOneUse()) {
      OpBuilder builder(maker);
      maker = cast<MapOp>(builder.clone(*maker));
      map.getInitsMutable().assign(maker.getResult(0));
    }
    map = maker;
  }
}

/// Simpler, but for remainders of sums: as differences nobody sees how far they reach.
static AffineMap simplified(AffineMap map) {
  AffineMap simpler = simplifyAffineMap(map);
  bool hasDifferences = false;
  simpler.walkExprs([&](AffineExpr expr) {
    auto product = dyn_cast<AffineBinaryOpExpr>(expr);
    auto factor = product && product.getKind() == AffineExprKind::Mul
                      ? dyn_cast<AffineConstantExpr>(product.getRHS())
                      : AffineConstantExpr();
    hasDifferences |= factor && factor.getValue() < 0;
  });
  return hasDifferences ? map : simpler;
}

void changeLayout(Value value, ArrayRef<int64_t> shape, AffineMap layout) {
  Type element = cast<RankedTensorType>(value.getType()).getElementType();
  auto type = RankedTensorType::get(shape, element);
  for (Value shared : sharingElements(value)) {
    auto map = shared.getDefiningOp<MapOp>();
    OpBuilder builder(map);
    SmallVector<AffineMap> stores;
    for (unsigned n = 0; n < map.getStores().size(); ++n)
      stores.push_back(simplified(layout.compose(map.storeMap(n))));
    map.setStoresAttr(builder.getAffineMapArrayAttr(stores));
    if (!map.getInits().empty() && map.getInits()[0].getDefiningOp<tensor::EmptyOp>())
      map.getInitsMutable().assign(
          tensor::EmptyOp::create(builder, map.getLoc(), shape, element).getResult());
    shared.setType(type);
    for (Operation *user : llvm::to_vector(shared.getUsers())) {
      auto read = dyn_cast<tensor::ExtractOp>(user);
      if (!read)
        continue;
      builder.setInsertionPoint(read);
      SmallVector<Value> indices;
      for (unsigned n = 0; n < layout.getNumResults(); ++n)
        indices.push_back(getValueOrCreateConstantIndexOp(
            builder, read.getLoc(),
            affine::makeComposedFoldedAffineApply(builder, read.getLoc(), layout.getSubMap({n}),
                                                  getAsOpFoldResult(read.getIndices()))));
      read.getIndicesMutable().assign(indices);
    }
  }
}

MapOp makeMap(OpBuilder &builder, Location loc, RankedTensorType type, ArrayRef<int64_t> lower,
              ArrayRef<int64_t> upper, AffineMap store,
              llvm::function_ref<Value(OpBuilder &, ValueRange)> body, Value init) {
  auto map = MapOp::create(builder, loc, TypeRange{type}, lower, upper,
                           init ? ValueRange{init} : ValueRange{},
                           builder.getAffineMapArrayAttr({store}), nullptr);
  Block *block = &map.getBody().emplaceBlock();
  block->addArguments(SmallVector<Type>(upper.size(), builder.getIndexType()),
                      SmallVector<Location>(upper.size(), loc));
  OpBuilder inner = OpBuilder::atBlockBegin(block);
  Value value = body(inner, block->getArguments());
  YieldOp::create(inner, loc, value);
  return map;
}

Value elementAt(OpBuilder &builder, Location loc, Value source, AffineMap index, ValueRange point) {
  SmallVector<Value> indices;
  for (unsigned n = 0; n < index.getNumResults(); ++n)
    indices.push_back(getValueOrCreateConstantIndexOp(
        builder, loc,
        affine::makeComposedFoldedAffineApply(builder, loc, index.getSubMap({n}),
                                              getAsOpFoldResult(point))));
  return tensor::ExtractOp::create(builder, loc, source, indices);
}

Value copyOf(OpBuilder &builder, Location loc, Value source, ArrayRef<int64_t> shape,
             AffineMap index) {
  auto type =
      RankedTensorType::get(shape, cast<RankedTensorType>(source.getType()).getElementType());
  SmallVector<int64_t> lower(shape.size(), 0);
  return makeMap(builder, loc, type, lower, shape, builder.getMultiDimIdentityMap(shape.size()),
                 [&](OpBuilder &inner, ValueRange point) {
                   return elementAt(inner, loc, source, index, point);
                 })
      .getResult(0);
}

Value reshaped(OpBuilder &builder, Location loc, Value value, ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getShape() == shape)
    return value;
  return ReshapeOp::create(builder, loc, RankedTensorType::get(shape, type.getElementType()),
                           value);
}

Value inOrder(OpBuilder &builder, Value value, ArrayRef<unsigned> order) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<unsigned> natural(order.size());
  std::iota(natural.begin(), natural.end(), 0);
  if (order == ArrayRef<unsigned>(natural))
    return value;
  MLIRContext *context = value.getContext();
  if (isFreeLayout(value)) {
    SmallVector<int64_t> shape;
    for (unsigned dim : order)
      shape.push_back(type.getDimSize(dim));
    changeLayout(value, shape, AffineMap::getPermutationMap(order, context));
    return value;
  }
  // Where only dimensions of one element change places, nothing moves.
  SmallVector<unsigned> wide;
  llvm::copy_if(order, std::back_inserter(wide),
                [&](unsigned dim) { return type.getDimSize(dim) != 1; });
  if (llvm::is_sorted(wide)) {
    SmallVector<int64_t> shape;
    for (unsigned dim : order)
      shape.push_back(type.getDimSize(dim));
    return reshaped(builder, value.getLoc(), value, shape);
  }
  // Dimensions that stay side by side move as one: longer runs to transpose.
  SmallVector<SmallVector<unsigned>> groups;
  for (unsigned dim : order) {
    if (groups.empty() || groups.back().back() + 1 != dim)
      groups.emplace_back();
    groups.back().push_back(dim);
  }
  SmallVector<unsigned> bySource(groups.size());
  std::iota(bySource.begin(), bySource.end(), 0);
  llvm::sort(bySource, [&](unsigned a, unsigned b) { return groups[a][0] < groups[b][0]; });
  auto extentOf = [&](unsigned group) {
    int64_t extent = 1;
    for (unsigned dim : groups[group])
      extent *= type.getDimSize(dim);
    return extent;
  };
  SmallVector<int64_t> source, target, shape;
  SmallVector<AffineExpr> index;
  for (unsigned group : bySource) {
    source.push_back(extentOf(group));
    index.push_back(getAffineDimExpr(group, context));
  }
  for (unsigned group = 0; group < groups.size(); ++group)
    target.push_back(extentOf(group));
  for (unsigned dim : order)
    shape.push_back(type.getDimSize(dim));
  Value from = reshaped(builder, value.getLoc(), value, source);
  Value to = copyOf(builder, value.getLoc(), from, target,
                    AffineMap::get(groups.size(), 0, index, context));
  return reshaped(builder, value.getLoc(), to, shape);
}

AffineExpr linear(ArrayRef<AffineExpr> point, ArrayRef<int64_t> shape, MLIRContext *context) {
  AffineExpr number = getAffineConstantExpr(0, context);
  for (auto [index, extent] : llvm::zip(point, shape))
    number = number * extent + index;
  return number;
}

} // namespace weft
