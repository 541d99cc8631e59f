//===- BorderNest.cpp - loops that put a border of zeros around an array ----===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/BorderNest.h"

#include "passes/Footprint.h"
#include "passes/NestsAround.h"
#include "passes/PanelLoops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

namespace {

/// The elements that a store reaches: from and to, along each dimension.
using Box = SmallVector<std::pair<int64_t, int64_t>>;

/// Nothing where an index is not a loop's variable, each of another one, and a number.
std::optional<Box> boxOf(ArrayRef<LoopIndex> indices) {
  Box box;
  SmallVector<Value> seen;
  for (const LoopIndex &index : indices) {
    if (!index.value) {
      box.emplace_back(index.constant, index.constant + 1);
      continue;
    }
    AffineForOp loop = affine::getForInductionVarOwner(index.value);
    if (!loop || index.factor != 1 || !loop.hasConstantBounds() || loop.getStepAsInt() != 1 ||
        llvm::is_contained(seen, index.value))
      return std::nullopt;
    seen.push_back(index.value);
    box.emplace_back(index.constant + loop.getConstantLowerBound(),
                     index.constant + loop.getConstantUpperBound());
  }
  return box;
}

bool overlap(const Box &a, const Box &b) {
  return llvm::all_of(llvm::zip_equal(a, b), [](auto both) {
    auto [one, other] = both;
    return one.first < other.second && other.first < one.second;
  });
}

int64_t volume(const Box &box) {
  int64_t all = 1;
  for (auto [from, to] : box)
    all *= to - from;
  return all;
}

/// How many elements earlier a load stands than the store of what it loads, along each dimension.
std::optional<SmallVector<int64_t>> beforeOf(Operation *load, ArrayRef<LoopIndex> stored) {
  auto indices = loopIndices(load);
  if (!indices || indices->size() != stored.size())
    return std::nullopt;
  SmallVector<int64_t> before;
  for (auto [from, to] : llvm::zip_equal(*indices, stored)) {
    if (from.value != to.value || (from.value && from.factor != 1))
      return std::nullopt;
    before.push_back(to.constant - from.constant);
  }
  return before;
}

} // namespace

std::optional<BorderNest> BorderNest::of(AffineForOp nest, Value bordered) {
  BorderNest found{nest, {}, {}};
  SmallVector<Box> boxes;
  Box copied;
  WalkResult walked = nest->walk([&](Operation *op) {
    if (isa<AffineForOp, affine::AffineYieldOp, affine::AffineApplyOp, arith::ConstantOp,
            affine::AffineLoadOp>(op))
      return WalkResult::advance();
    auto store = dyn_cast<affine::AffineStoreOp>(op);
    if (!store || store.getMemRef() != bordered)
      return WalkResult::interrupt();
    auto indices = loopIndices(op);
    std::optional<Box> box = indices ? boxOf(*indices) : std::nullopt;
    if (!box || llvm::any_of(boxes, [&](const Box &other) { return overlap(*box, other); }))
      return WalkResult::interrupt();
    boxes.push_back(*box);
    if (matchPattern(store.getValueToStore(), m_PosZeroFloat()))
      return WalkResult::advance();
    auto load = store.getValueToStore().getDefiningOp<affine::AffineLoadOp>();
    auto before = load && !found.source ? beforeOf(load, *indices) : std::nullopt;
    if (!before)
      return WalkResult::interrupt();
    found.source = load.getMemRef();
    found.before = *before;
    copied = *box;
    return WalkResult::advance();
  });
  auto whole = cast<MemRefType>(bordered.getType());
  if (walked.wasInterrupted() || !found.source || !whole.hasStaticShape() ||
      nest.getNumIterOperands() != 0)
    return std::nullopt;
  auto type = cast<MemRefType>(found.source.getType());
  if (!type.hasStaticShape() || !type.getLayout().isIdentity())
    return std::nullopt;
  int64_t written = 0;
  for (const Box &box : boxes)
    written += volume(box);
  if (written != whole.getNumElements())
    return std::nullopt;
  // Where the larger array ends before the other one does, so does what is copied.
  for (auto [box, before, extent, room] :
       llvm::zip_equal(copied, found.before, type.getShape(), whole.getShape()))
    if (before < 0 || box.first != before || box.second != std::min(before + extent, room))
      return std::nullopt;
  return found;
}

std::optional<BorderNest> BorderNest::forReader(Value bordered, AffineForOp reader,
                                                AffineForOp last, Value result) {
  if (!bordered.getDefiningOp<memref::AllocOp>())
    return std::nullopt;
  AffineForOp nest = onlyNestOf(bordered, reader);
  if (!nest || !nest->isBeforeInBlock(reader))
    return std::nullopt;
  auto found = BorderNest::of(nest, bordered);
  if (!found || mayAlias(rootOf(found->source), rootOf(bordered)) ||
      mayAlias(rootOf(found->source), rootOf(result)) ||
      writesBetween(nest, last, rootOf(found->source)))
    return std::nullopt;
  return found;
}

} // namespace weft
