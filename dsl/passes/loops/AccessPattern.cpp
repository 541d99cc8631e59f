//===- AccessPattern.cpp - how a loop walks through memory ------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/loops/AccessPattern.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace weft {

AffineExpr AddressSpace::dim(Value value) {
  unsigned number = numbers.insert({value, numbers.size()}).first->second;
  return getAffineDimExpr(number, value.getContext());
}

static std::optional<Access> composed(Access access, AddressSpace &space) {
  SmallVector<int64_t> strides;
  int64_t offset;
  auto type = cast<MemRefType>(access.memref.getType());
  if (failed(type.getStridesAndOffset(strides, offset)) ||
      llvm::any_of(strides, ShapedType::isDynamic))
    return std::nullopt;

  affine::fullyComposeAffineMapAndOperands(&access.map, &access.operands);
  if (!access.isData)
    affine::canonicalizeMapAndOperands(&access.map, &access.operands);
  SmallVector<AffineExpr> dims, symbols;
  for (auto [index, operand] : llvm::enumerate(access.operands))
    (index < access.map.getNumDims() ? dims : symbols).push_back(space.dim(operand));
  // A constant offset of the layout is the same for all accesses of a memref, and
  // addresses are compared within one memref only.
  access.address = getAffineConstantExpr(0, access.op->getContext());
  for (auto [index, stride] : llvm::zip(access.map.getResults(), strides))
    access.address = access.address + index.replaceDimsAndSymbols(dims, symbols) * stride;
  access.address = simplifyAffineExpr(access.address, space.size(), 0);
  return access;
}

std::optional<Access> Access::ofData(Operation *op, AddressSpace &space) {
  Access access{op, {}, {}, {}, {}, false, true};
  ValueRange indices;
  if (auto load = dyn_cast<memref::LoadOp>(op)) {
    access.memref = load.getMemRef();
    indices = load.getIndices();
  } else if (auto store = dyn_cast<memref::StoreOp>(op)) {
    access.memref = store.getMemRef();
    indices = store.getIndices();
    access.isStore = true;
  } else {
    return std::nullopt;
  }
  // Constants are part of the map, so that the parts of a complex element are seen.
  SmallVector<AffineExpr> exprs;
  for (Value index : indices) {
    if (auto constant = getConstantIntValue(index)) {
      exprs.push_back(getAffineConstantExpr(*constant, op->getContext()));
      continue;
    }
    exprs.push_back(getAffineDimExpr(access.operands.size(), op->getContext()));
    access.operands.push_back(index);
  }
  access.map = AffineMap::get(access.operands.size(), 0, exprs, op->getContext());
  return composed(access, space);
}

SmallVector<Value> AddressSpace::values() const {
  return llvm::map_to_vector(numbers, [](const auto &entry) { return entry.first; });
}

/// The access that an affine load or store of these kinds is, not yet composed.
template <typename Load, typename Store> static std::optional<Access> affineAccess(Operation *op) {
  Access access{op, {}, {}, {}, {}, false};
  auto fill = [&](auto moved) {
    access.memref = moved.getMemRef();
    access.map = moved.getAffineMap();
    llvm::append_range(access.operands, moved.getMapOperands());
  };
  if (auto load = dyn_cast<Load>(op)) {
    fill(load);
  } else if (auto store = dyn_cast<Store>(op)) {
    fill(store);
    access.isStore = true;
  } else {
    return std::nullopt;
  }
  return access;
}

std::optional<Access> Access::ofVector(Operation *op, AddressSpace &space) {
  if (auto access = affineAccess<affine::AffineVectorLoadOp, affine::AffineVectorStoreOp>(op))
    return composed(std::move(*access), space);
  return of(op, space);
}

std::optional<Access> Access::ofMasked(Operation *op, AddressSpace &space) {
  Access access{op, {}, {}, {}, {}, false};
  auto fill = [&](auto moved) {
    access.memref = moved.getBase();
    llvm::append_range(access.operands, moved.getIndices());
  };
  if (auto load = dyn_cast<vector::MaskedLoadOp>(op)) {
    fill(load);
  } else if (auto store = dyn_cast<vector::MaskedStoreOp>(op)) {
    fill(store);
    access.isStore = true;
  } else {
    return std::nullopt;
  }
  access.map = AffineMap::getMultiDimIdentityMap(access.operands.size(), op->getContext());
  return composed(std::move(access), space);
}

std::optional<Access> Access::of(Operation *op, AddressSpace &space) {
  auto access = affineAccess<affine::AffineLoadOp, affine::AffineStoreOp>(op);
  return access ? composed(std::move(*access), space) : std::nullopt;
}

int64_t Access::width() const {
  auto vector =
      dyn_cast<VectorType>(isStore ? op->getOperand(0).getType() : op->getResult(0).getType());
  return vector ? vector.getNumElements() : 1;
}

std::optional<int64_t> Access::complexPart() const {
  auto type = cast<MemRefType>(memref.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  if (type.getRank() == 0 || type.getShape().back() != 2 ||
      failed(type.getStridesAndOffset(strides, offset)) || strides.back() != 1)
    return std::nullopt;
  auto part = dyn_cast<AffineConstantExpr>(map.getResults().back());
  return part ? std::optional(part.getValue()) : std::nullopt;
}

std::optional<int64_t> slopeOf(AffineExpr expr, AffineExpr dim, const LaneBlock &block) {
  if (expr == dim)
    return 1;
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary || !expr.isFunctionOfDim(cast<AffineDimExpr>(dim).getPosition()))
    return 0;
  std::optional<int64_t> left = slopeOf(binary.getLHS(), dim, block);
  auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (!left)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Add) {
    std::optional<int64_t> right = slopeOf(binary.getRHS(), dim, block);
    return right ? std::optional(*left + *right) : std::nullopt;
  }
  if (!factor)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Mul)
    return *left * factor.getValue();
  // (x + lane) floordiv c and (x + lane) mod c: where x and c are multiples of the
  // number of lanes, no block of lanes crosses a multiple of c.
  AffineExpr start =
      binary.getLHS().replace(dim, getAffineConstantExpr(block.first, expr.getContext()));
  bool whole = *left == 1 && block.first % block.lanes == 0 &&
               factor.getValue() % block.lanes == 0 &&
               start.getLargestKnownDivisor() % block.lanes == 0;
  if (*left == 0 || (whole && expr.getKind() == AffineExprKind::FloorDiv))
    return 0;
  if (whole && expr.getKind() == AffineExprKind::Mod)
    return 1;
  return std::nullopt;
}

std::optional<int64_t> Access::slope(const LaneBlock &block, AddressSpace &space) const {
  return slopeOf(address, space.dim(block.iv), block);
}

AffineMap Access::shifted(Value iv, int64_t by, std::optional<int64_t> part) const {
  AffineMap result = map;
  for (unsigned position = 0; position < map.getNumDims(); ++position) {
    if (operands[position] != iv)
      continue;
    AffineExpr dim = getAffineDimExpr(position, map.getContext());
    result = result.replace(dim, dim + by, map.getNumDims(), map.getNumSymbols());
  }
  if (part) {
    SmallVector<AffineExpr> indices(result.getResults());
    indices.back() = getAffineConstantExpr(*part, map.getContext());
    result = AffineMap::get(map.getNumDims(), map.getNumSymbols(), indices, map.getContext());
  }
  return simplifyAffineMap(result);
}

AffineMap Access::behind(AffineMap indices, int64_t elements) const {
  SmallVector<AffineExpr> made(indices.getResults());
  ArrayRef<int64_t> shape = cast<MemRefType>(memref.getType()).getShape();
  // From fixed places of the last dimensions, such as a part of a complex element, on into the next
  // row where there are no more.
  for (size_t dim = made.size(); elements != 0 && dim-- > 0;) {
    auto place = dyn_cast<AffineConstantExpr>(made[dim]);
    if (!place || dim == 0) {
      made[dim] = made[dim] + elements;
      break;
    }
    int64_t there = place.getValue() + elements;
    made[dim] = getAffineConstantExpr(llvm::mod(there, shape[dim]), map.getContext());
    elements = llvm::divideFloorSigned(there, shape[dim]);
  }
  return simplifyAffineMap(
      AffineMap::get(indices.getNumDims(), indices.getNumSymbols(), made, map.getContext()));
}

bool Access::isAlongOne(Value iv) const {
  std::optional<size_t> along;
  for (auto [dim, index] : llvm::enumerate(map.getResults())) {
    bool varies = llvm::any_of(llvm::enumerate(operands), [&](auto operand) {
      auto position = static_cast<unsigned>(operand.index());
      unsigned dims = map.getNumDims();
      return operand.value() == iv && (position < dims ? index.isFunctionOfDim(position)
                                                       : index.isFunctionOfSymbol(position - dims));
    });
    if (varies && along)
      return false;
    if (varies)
      along = dim;
    else if (along && !isa<AffineConstantExpr>(index))
      return false;
  }
  return along.has_value();
}

std::optional<int64_t> distance(const Access &from, const Access &to, const AddressSpace &space) {
  AffineExpr difference = simplifyAffineExpr(to.address - from.address, space.size(), 0);
  auto constant = dyn_cast<AffineConstantExpr>(difference);
  return constant ? std::optional(constant.getValue()) : std::nullopt;
}

AffineMap withoutSingleTurns(AffineMap map, ArrayRef<Value> operands, affine::AffineForOp keep) {
  SmallVector<AffineExpr> dims;
  for (auto [position, value] : llvm::enumerate(operands.take_front(map.getNumDims()))) {
    affine::AffineForOp around = affine::getForInductionVarOwner(value);
    bool once = around && around != keep && affine::getConstantTripCount(around) == 1 &&
                around.hasConstantLowerBound();
    dims.push_back(once ? getAffineConstantExpr(around.getConstantLowerBound(), map.getContext())
                        : getAffineDimExpr(position, map.getContext()));
  }
  return simplifyAffineMap(
      map.replaceDimsAndSymbols(dims, {}, map.getNumDims(), map.getNumSymbols()));
}

void accessElsewhere(Operation *op, Value array, AffineMap map, ValueRange operands) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  if (auto load = dyn_cast<affine::AffineLoadOp>(op))
    load.replaceAllUsesWith(
        affine::AffineLoadOp::create(builder, loc, array, map, operands).getResult());
  else if (auto store = dyn_cast<affine::AffineStoreOp>(op))
    affine::AffineStoreOp::create(builder, loc, store.getValueToStore(), array, map, operands);
  else if (auto load = dyn_cast<affine::AffineVectorLoadOp>(op))
    load.replaceAllUsesWith(
        affine::AffineVectorLoadOp::create(builder, loc, load.getVectorType(), array, map, operands)
            .getResult());
  else
    affine::AffineVectorStoreOp::create(builder, loc,
                                        cast<affine::AffineVectorStoreOp>(op).getValueToStore(),
                                        array, map, operands);
  op->erase();
}

Value rootOf(Value memref) {
  while (auto view = memref.getDefiningOp<ViewLikeOpInterface>())
    memref = view.getViewSource();
  return memref;
}

std::optional<unsigned> sharedDims(Value view, Value array) {
  auto type = cast<MemRefType>(array.getType());
  if (view == array)
    return type.getRank();
  auto cast = view.getDefiningOp<memref::ReinterpretCastOp>();
  if (!cast || cast.getSource() != array || !type.getLayout().isIdentity() ||
      !type.hasStaticShape() || !cast.getType().getLayout().isIdentity() ||
      !cast.getType().hasStaticShape() || cast.getType().getNumElements() != type.getNumElements())
    return std::nullopt;
  unsigned shared = 0;
  for (auto [one, other] : llvm::zip(cast.getType().getShape(), type.getShape())) {
    if (one != other)
      break;
    ++shared;
  }
  return shared;
}

bool mayAlias(Value left, Value right) {
  left = rootOf(left);
  right = rootOf(right);
  if (left == right)
    return true;
  auto leftTable = left.getDefiningOp<memref::GetGlobalOp>();
  auto rightTable = right.getDefiningOp<memref::GetGlobalOp>();
  if (leftTable && rightTable)
    return leftTable.getName() == rightTable.getName();
  // A part of each core's memory, too, is an array of its own.
  auto isOwn = [](Value root) {
    Operation *op = root.getDefiningOp();
    return op && (isa<memref::GetGlobalOp>(op) || hasEffect<MemoryEffects::Allocate>(op));
  };
  auto isArgument = [](Value root) {
    auto argument = dyn_cast<BlockArgument>(root);
    return argument && isa<FunctionOpInterface>(argument.getOwner()->getParentOp());
  };
  bool known = (isOwn(left) || isArgument(left)) && (isOwn(right) || isArgument(right));
  // Arguments are apart: the function says so of its pointers, and whoever asks for a result
  // in place is given it through memory of its own.
  return !known;
}

} // namespace weft
