//===- VectorAccess.cpp - vectors of arrays in memory -------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "targets/common/VectorAccess.h"

#include "dialect/Cpe.h"
#include "passes/loops/BeyondCaches.h"
#include "targets/common/Memory.h"
#include "targets/common/Text.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

/// Of the array's elements at `map` of the access's operands, not composed yet.
static VectorAccess composed(VectorAccess access, AffineMap map) {
  affine::fullyComposeAffineMapAndOperands(&map, &access.operands);
  auto type = cast<MemRefType>(access.memref.getType());
  int64_t stride = 1;
  access.address = getAffineConstantExpr(0, type.getContext());
  for (unsigned n = map.getNumResults(); n-- > 0; stride *= type.getDimSize(n))
    access.address = access.address + map.getResult(n) * stride;
  SmallVector<AffineExpr> symbols;
  for (unsigned n = 0; n < map.getNumSymbols(); ++n)
    symbols.push_back(getAffineDimExpr(map.getNumDims() + n, type.getContext()));
  access.address = access.address.replaceSymbols(symbols);
  return access;
}

std::optional<VectorAccess> accessOf(Operation *op) {
  if (auto load = dyn_cast<affine::AffineVectorLoadOp>(op))
    return composed({load.getMemRef(), {}, load.getMapOperands(), /*isStore=*/false},
                    load.getAffineMap());
  if (auto store = dyn_cast<affine::AffineVectorStoreOp>(op))
    return composed({store.getMemRef(), {}, store.getMapOperands(), /*isStore=*/true},
                    store.getAffineMap());
  return std::nullopt;
}

std::optional<VectorAccess> accessOf(affine::AffineLoadOp load) {
  return composed({load.getMemRef(), {}, load.getMapOperands(), /*isStore=*/false},
                  load.getAffineMap());
}

int64_t vectorBytes(Operation *op) {
  auto type = cast<VectorType>(isa<affine::AffineVectorStoreOp>(op) ? op->getOperand(0).getType()
                                                                    : op->getResult(0).getType());
  return type.getNumElements() * elementBytes(type.getElementType());
}

int64_t bytesUnder(VectorType type, Value mask) {
  DenseElementsAttr lanes;
  int64_t count = type.getNumElements();
  if (matchPattern(mask, m_Constant(&lanes)))
    count = llvm::count(lanes.getValues<bool>(), true);
  return count * elementBytes(type.getElementType());
}

std::optional<int64_t> advance(const VectorAccess &access, AffineForOp loop) {
  MLIRContext *context = loop.getContext();
  SmallVector<AffineExpr> dims;
  for (auto [n, operand] : llvm::enumerate(access.operands)) {
    AffineExpr dim = getAffineDimExpr(n, context);
    dims.push_back(operand == loop.getInductionVar() ? dim + loop.getStepAsInt() : dim);
  }
  AffineExpr moved = access.address.replaceDims(dims) - access.address;
  auto by = dyn_cast<AffineConstantExpr>(simplifyAffineExpr(moved, access.operands.size(), 0));
  if (!by)
    return std::nullopt;
  auto type = cast<MemRefType>(access.memref.getType());
  return by.getValue() * elementBytes(type.getElementType());
}

std::optional<int64_t> distance(const VectorAccess &from, const VectorAccess &to) {
  SmallVector<Value> operands(from.operands);
  SmallVector<AffineExpr> dims;
  for (Value operand : to.operands) {
    auto *found = llvm::find(operands, operand);
    dims.push_back(getAffineDimExpr(found - operands.begin(), to.address.getContext()));
    if (found == operands.end())
      operands.push_back(operand);
  }
  auto by = dyn_cast<AffineConstantExpr>(
      simplifyAffineExpr(to.address.replaceDims(dims) - from.address, operands.size(), 0));
  return by ? std::optional(by.getValue()) : std::nullopt;
}

SmallVector<AffineForOp> loopsIn(AffineForOp outer, Operation *op) {
  SmallVector<AffineForOp> loops;
  for (auto loop = op->getParentOfType<AffineForOp>(); loop != outer;
       loop = loop->getParentOfType<AffineForOp>())
    loops.push_back(loop);
  return loops;
}

AffineExpr addressAtBegin(const VectorAccess &access, AffineForOp outer) {
  SmallVector<AffineExpr> dims;
  for (auto [n, operand] : llvm::enumerate(access.operands)) {
    auto argument = dyn_cast<BlockArgument>(operand);
    auto loop = argument ? dyn_cast<AffineForOp>(argument.getOwner()->getParentOp()) : nullptr;
    bool isInside = loop && outer->isProperAncestor(loop);
    dims.push_back(isInside
                       ? getAffineConstantExpr(loop.getConstantLowerBound(), outer.getContext())
                       : getAffineDimExpr(n, outer.getContext()));
  }
  return simplifyAffineExpr(access.address.replaceDims(dims), access.operands.size(), 0);
}

AffineForOp blockAround(Operation *op) {
  for (auto loop = op->getParentOfType<AffineForOp>(); loop;
       loop = loop->getParentOfType<AffineForOp>())
    if (llvm::any_of(loop.getBody()->getOps<memref::AllocaOp>(),
                     [](memref::AllocaOp array) { return !array->hasAttr(sliceMark); }))
      return loop;
  return nullptr;
}

bool touches(Operation *op, Value array, bool loads) {
  return op
      ->walk([&](Operation *inside) {
        if (loads && !isa<affine::AffineReadOpInterface, vector::MaskedLoadOp>(inside))
          return WalkResult::advance();
        bool found = llvm::any_of(inside->getOperands(), [&](Value operand) {
          return isa<MemRefType>(operand.getType()) && baseOf(operand) == array;
        });
        return found ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

std::optional<VectorAccess> accessBeyond(Operation *op, int64_t cacheBytes) {
  std::optional<VectorAccess> access = accessOf(op);
  if (!access || cpe::isInLdm(access->memref))
    return std::nullopt;
  Value array = baseOf(access->memref);
  Operation *made = array.getDefiningOp();
  if ((made && !isa<memref::AllocOp>(made)) ||
      bytesOf(cast<MemRefType>(array.getType())) <= cacheBytes)
    return std::nullopt;
  return access;
}

} // namespace weft
