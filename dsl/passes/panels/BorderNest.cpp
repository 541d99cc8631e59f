//===- BorderNest.cpp - loops that put a border of zeros around an array ----===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/panels/BorderNest.h"

#include "passes/loops/LoopIndices.h"
#include "passes/mesh/NestsAround.h"
#include "passes/transfers/Footprint.h"
#include "passes/transfers/StoredBoxes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

namespace {

/// How many elements earlier a load stands than the store of what it loads, along each dimension.
std::optional<SmallVector<int64_t>> beforeOf(Operation *load, ArrayRef<LoopIndex> stored) {
  auto indices = loopIndices(load);
  if (!indices || indices->size() != stored.size())
    return std::nullopt;
  SmallVector<int64_t> before;
  for (auto [from, to] : llvm::zip_equal(*indices, stored)) {
    if (from.value != to.value || (from.value && (from.factor != 1 || to.factor != 1)))
      return std::nullopt;
    before.push_back(to.constant - from.constant);
  }
  return before;
}

} // namespace

std::optional<BorderNest> BorderNest::of(ArrayRef<AffineForOp> nests, Value bordered) {
  BorderNest found{llvm::to_vector(nests), {}, {}};
  SmallVector<Box> boxes;
  Box copied;
  auto read = [&](Operation *op) {
    if (isa<AffineForOp, affine::AffineYieldOp, affine::AffineApplyOp, arith::ConstantOp,
            affine::AffineLoadOp>(op))
      return WalkResult::advance();
    auto store = dyn_cast<affine::AffineStoreOp>(op);
    if (!store || store.getMemRef() != bordered)
      return WalkResult::interrupt();
    auto indices = loopIndices(op);
    std::optional<Box> box = indices ? Box::of(op) : std::nullopt;
    if (!box)
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
  };
  auto whole = cast<MemRefType>(bordered.getType());
  if (llvm::any_of(nests,
                   [&](AffineForOp nest) {
                     return nest.getNumIterOperands() != 0 || nest->walk(read).wasInterrupted();
                   }) ||
      !found.source || !areWhole(boxes, whole))
    return std::nullopt;
  auto type = cast<MemRefType>(found.source.getType());
  if (!type.hasStaticShape() || !type.getLayout().isIdentity())
    return std::nullopt;
  // Where the larger array ends before the other one does, so does what is copied.
  for (auto [stretch, before, extent, room] :
       llvm::zip_equal(copied.stretches, found.before, type.getShape(), whole.getShape()))
    if (before < 0 || stretch.first != before || stretch.step != 1 ||
        stretch.end() != std::min(before + extent, room))
      return std::nullopt;
  return found;
}

std::optional<BorderNest> BorderNest::forReader(Value bordered, AffineForOp reader,
                                                AffineForOp last, Value result) {
  if (!bordered.getDefiningOp<memref::AllocOp>())
    return std::nullopt;
  SmallVector<AffineForOp> nests = nestsAround(bordered, reader);
  if (nests.empty() || !nests.back()->isBeforeInBlock(reader))
    return std::nullopt;
  auto found = BorderNest::of(nests, bordered);
  if (!found || mayAlias(rootOf(found->source), rootOf(bordered)) ||
      writesBetween(nests.front(), last, rootOf(found->source)))
    return std::nullopt;
  if (mayAlias(rootOf(found->source), rootOf(result))) {
    if (!rootOf(result).getDefiningOp<memref::AllocOp>() || fillersOf(last, rootOf(result)) != 1)
      return std::nullopt;
    found->needsOtherResult = true;
  }
  return found;
}

} // namespace weft
