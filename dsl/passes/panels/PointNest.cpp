//===- PointNest.cpp - loops that rework each element of an array -----------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/panels/PointNest.h"

#include "dialect/Cpe.h"
#include "passes/mesh/NestsAround.h"
#include "passes/panels/PanelLoops.h"
#include "passes/transfers/Footprint.h"
#include "passes/transfers/LdmPlan.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

/// Of a core's memory, what arrays that stay with it whole may take: so many of them.
static constexpr int64_t shareOfKept = 16;

static int64_t beginOf(Value variable) {
  return affine::getForInductionVarOwner(variable).getConstantLowerBound();
}

/// The indices of an access count from 0 on what the loops' variables count, in any order, and are
/// 0 where there is one element; they become those of the nest.
static bool isWhole(PointNest &nest, Operation *access, MemRefType type, bool isFirst) {
  auto indices = loopIndices(access);
  if (!indices)
    return false;
  SmallVector<Value> found;
  size_t loops = 0;
  for (auto [index, extent] : llvm::zip_equal(*indices, type.getShape())) {
    if (!index.value) {
      if (index.constant != 0 || extent != 1)
        return false;
    } else if (index.factor != 1 || llvm::is_contained(found, index.value) ||
               !llvm::is_contained(nest.indices, index.value) ||
               index.constant != -beginOf(index.value) ||
               tripsOf(affine::getForInductionVarOwner(index.value)) != extent) {
      return false;
    }
    loops += index.value ? 1 : 0;
    found.push_back(index.value);
  }
  if (isFirst && loops == nest.indices.size())
    nest.indices = found;
  return found == nest.indices;
}

static bool isZero(affine::AffineStoreOp store) {
  return matchPattern(store.getValueToStore(), m_PosZeroFloat());
}

/// The nest behind one, without syncs between.
static AffineForOp nextNest(Operation *nest) {
  Operation *next = nest->getNextNode();
  while (next && isa<cpe::SyncOp>(next))
    next = next->getNextNode();
  return dyn_cast_or_null<AffineForOp>(next);
}

/// Where a nest, and perhaps those behind it, store zeros in one array, and once something else:
/// what is made of another array's elements.
static affine::AffineStoreOp copyingStoreIn(AffineForOp nest, Value array) {
  Value into;
  bool hasZeros = false;
  for (; nest; nest = nextNest(nest)) {
    affine::AffineStoreOp found;
    WalkResult walked = nest->walk([&](Operation *op) {
      auto store = dyn_cast<affine::AffineStoreOp>(op);
      if (!store)
        return op->getNumRegions() || isMemoryEffectFree(op) || isa<affine::AffineLoadOp>(op)
                   ? WalkResult::advance()
                   : WalkResult::interrupt();
      Operation *made = store.getValueToStore().getDefiningOp();
      bool isOther = !isZero(store);
      if ((into && into != store.getMemRef()) ||
          mayAlias(rootOf(store.getMemRef()), rootOf(array)) ||
          (isOther && (found || !made || arrayOf(made))))
        return WalkResult::interrupt();
      into = store.getMemRef();
      found = isOther ? store : found;
      hasZeros |= !isOther;
      return WalkResult::advance();
    });
    if (walked.wasInterrupted() || found || !into)
      return walked.wasInterrupted() || !hasZeros ? affine::AffineStoreOp() : found;
  }
  return {};
}

/// The loops around an op up to an outermost one, that one first; none where bounds are not known.
static SmallVector<AffineForOp> loopsAround(Operation *op, AffineForOp outermost) {
  SmallVector<AffineForOp> loops;
  for (Operation *around = op->getParentOp();; around = around->getParentOp()) {
    auto loop = dyn_cast<AffineForOp>(around);
    if (!loop || !loop.hasConstantBounds() || loop.getStepAsInt() != 1)
      return {};
    loops.insert(loops.begin(), loop);
    if (loop == outermost)
      return loops;
  }
}

/// Whether each element becomes what the body makes of it; notes the small arrays.
bool PointNest::readBody(Value array) {
  auto type = cast<MemRefType>(array.getType());
  bool isFirst = true, writes = false;
  for (Operation &op : innermost.getBody()->without_terminator()) {
    Value memref = arrayOf(&op);
    if (!memref) {
      if (!isArithmetic(op))
        return false;
      continue;
    }
    bool isWrite = isa<affine::AffineStoreOp>(op);
    if (&op == copying) {
      writes = true;
    } else if (memref == array) {
      if (!isWhole(*this, &op, type, isFirst) || (isWrite && copying))
        return false;
      isFirst = false;
      writes |= isWrite;
    } else {
      auto access = PanelAccess::of(&op);
      if (isWrite || !access || mayAlias(access->memref, rootOf(array)) ||
          (copying && mayAlias(access->memref, rootOf(arrayOf(copying)))) ||
          llvm::any_of(access->operands, [&](Value operand) {
            return !llvm::is_contained(indices, operand) || beginOf(operand) != 0;
          }))
        return false;
      if (!llvm::is_contained(kept, access->memref))
        kept.push_back(access->memref);
    }
  }
  return writes && !isFirst;
}

std::optional<PointNest> PointNest::behind(AffineForOp nest, Value array,
                                           const MeshMachine &machine) {
  AffineForOp loop = nextNest(nest);
  if (!loop || !cast<MemRefType>(array.getType()).hasStaticShape())
    return std::nullopt;
  PointNest found;
  SmallVector<AffineForOp> loops;
  if (affine::AffineStoreOp store = copyingStoreIn(loop, array)) {
    // What a copy makes of the elements may be made before it where nobody else reads them.
    loop = cast<AffineForOp>(nest->getBlock()->findAncestorOpInBlock(*store));
    if (!rootOf(array).getDefiningOp<memref::AllocOp>() || onlyNestOf(rootOf(array), loop) != nest)
      return std::nullopt;
    found.copying = store;
    loops = loopsAround(store, loop);
  } else {
    loops = perfectLoops(loop);
  }
  if (loops.empty())
    return std::nullopt;
  found.outermost = loop;
  found.innermost = loops.back();
  for (AffineForOp one : loops)
    found.indices.push_back(one.getInductionVar());
  if (!found.readBody(array) || found.keptBytes() > machine.ldmBytes / shareOfKept)
    return std::nullopt;
  return found;
}

void PointNest::erase() const {
  if (!copying)
    return AffineForOp(outermost).erase();
  auto store = cast<affine::AffineStoreOp>(copying);
  // Of all that it read, the element itself.
  auto body = AffineForOp(innermost);
  for (auto load : body.getBody()->getOps<affine::AffineLoadOp>())
    if (!llvm::is_contained(kept, rootOf(load.getMemRef()))) {
      // Loads stand before what is made of them.
      store.getValueMutable().assign(load.getResult());
      break;
    }
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*body.getBody())))
    if (isOpTriviallyDead(&op))
      op.erase();
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
