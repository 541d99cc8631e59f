//===- PointNest.cpp - loops that rework each element of an array -----------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/PointNest.h"

#include "dialect/Cpe.h"
#include "passes/Footprint.h"
#include "passes/LdmPlan.h"
#include "passes/PanelLoops.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

/// Of a core's memory, what arrays that stay with it whole may take: so many of them.
static constexpr int64_t shareOfKept = 16;

/// The indices of an access are the loops' variables, in any order, and 0 where there is one
/// element; they become those of the nest.
static bool isWhole(PointNest &nest, Operation *access, MemRefType type, bool isFirst) {
  auto indices = loopIndices(access);
  if (!indices)
    return false;
  SmallVector<Value> found;
  size_t loops = 0;
  for (auto [index, extent] : llvm::zip_equal(*indices, type.getShape())) {
    if (index.constant != 0 || (!index.value && extent != 1))
      return false;
    if (index.value && (index.factor != 1 || llvm::is_contained(found, index.value) ||
                        !llvm::is_contained(nest.indices, index.value) ||
                        tripsOf(affine::getForInductionVarOwner(index.value)) != extent))
      return false;
    loops += index.value ? 1 : 0;
    found.push_back(index.value);
  }
  if (isFirst && loops == nest.indices.size())
    nest.indices = found;
  return found == nest.indices;
}

std::optional<PointNest> PointNest::behind(Operation *nest, Value array,
                                           const PanelMachine &machine) {
  Operation *next = nest->getNextNode();
  while (next && isa<cpe::SyncOp>(next))
    next = next->getNextNode();
  auto loop = dyn_cast_or_null<AffineForOp>(next);
  auto type = cast<MemRefType>(array.getType());
  PointNest found;
  SmallVector<AffineForOp> loops = loop ? perfectLoops(loop) : SmallVector<AffineForOp>();
  if (loops.empty() || !type.hasStaticShape())
    return std::nullopt;
  found.outermost = loop;
  found.innermost = loops.back();
  for (AffineForOp one : loops)
    found.indices.push_back(one.getInductionVar());
  bool isFirst = true, writes = false;
  for (Operation &op : found.innermost.getBody()->without_terminator()) {
    if (Value memref = arrayOf(&op)) {
      bool isWrite = isa<affine::AffineStoreOp>(op);
      if (memref == array) {
        if (!isWhole(found, &op, type, isFirst))
          return std::nullopt;
        isFirst = false;
        writes |= isWrite;
        continue;
      }
      auto access = PanelAccess::of(&op);
      if (isWrite || !access || mayAlias(access->memref, rootOf(array)) ||
          llvm::any_of(access->operands,
                       [&](Value operand) { return !llvm::is_contained(found.indices, operand); }))
        return std::nullopt;
      if (!llvm::is_contained(found.kept, access->memref))
        found.kept.push_back(access->memref);
    } else if (!isArithmetic(op)) {
      return std::nullopt;
    }
  }
  if (!writes || found.keptBytes() > machine.ldmBytes / shareOfKept)
    return std::nullopt;
  return found;
}

int64_t PointNest::keptBytes() const {
  int64_t bytes = 0;
  for (Value array : kept)
    bytes += ldmBytesOf(cast<MemRefType>(array.getType()));
  return bytes;
}

std::optional<unsigned> PointNest::keptNumber(Operation *access) const {
  auto *found = llvm::find(kept, rootOf(arrayOf(access)));
  return found == kept.end() ? std::nullopt : std::optional<unsigned>(found - kept.begin());
}

AffineExpr PointNest::placeOfKept(Operation *op, ArrayRef<AffineExpr> by) const {
  auto access = *PanelAccess::of(op);
  SmallVector<AffineExpr> replacements;
  for (Value operand : access.operands) {
    const auto *index = llvm::find(indices, operand);
    replacements.push_back(index == indices.end() ? getAffineConstantExpr(0, op->getContext())
                                                  : by[index - indices.begin()]);
  }
  return access.place.replaceDims(replacements);
}

void PointNest::writeBody(OpBuilder &at, llvm::function_ref<Place(Operation *)> placeOf) const {
  IRMapping mapped;
  auto body = innermost;
  for (Operation &op : body.getBody()->without_terminator()) {
    if (isa<affine::AffineApplyOp>(op))
      continue;
    if (!arrayOf(&op)) {
      at.clone(op, mapped);
      continue;
    }
    auto [array, map, operands] = placeOf(&op);
    if (auto store = dyn_cast<affine::AffineStoreOp>(op))
      affine::AffineStoreOp::create(
          at, op.getLoc(), mapped.lookupOrDefault(store.getValueToStore()), array, map, operands);
    else
      mapped.map(op.getResult(0),
                 affine::AffineLoadOp::create(at, op.getLoc(), array, map, operands));
  }
}

} // namespace weft
