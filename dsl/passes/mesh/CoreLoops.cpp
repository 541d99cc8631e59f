//===- CoreLoops.cpp - loops that the cores do as a whole ----------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/mesh/CoreLoops.h"

#include "passes/loops/TurnLoops.h"
#include "passes/transfers/Footprint.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

namespace {

/// A small array that nothing outside of the loop sees, and nothing that the cores share out.
bool isOwn(Value array, AffineForOp loop) {
  constexpr int64_t small = 64; // elements
  auto made = array.getDefiningOp<memref::AllocOp>();
  return made && made.getType().hasStaticShape() && made.getType().getNumElements() <= small &&
         llvm::all_of(array.getUsers(), [&](Operation *user) {
           return isa<affine::AffineLoadOp, affine::AffineStoreOp>(user) &&
                  user->getBlock() == loop.getBody();
         });
}

} // namespace

std::optional<SmallVector<Combining>> combinedOverCores(AffineForOp loop) {
  if (loop.getNumIterOperands() == 0 || !loop.hasConstantBounds())
    return std::nullopt;
  Block &body = *loop.getBody();
  DenseMap<Operation *, SmallVector<Combining>> inside;
  for (Operation &op : body.without_terminator()) {
    if (auto inner = dyn_cast<AffineForOp>(op)) {
      auto ofInner = combinedOverCores(inner);
      if (!ofInner)
        return std::nullopt;
      inside[inner] = *ofInner;
    } else if (op.getNumRegions() != 0 ||
               !(isMemoryEffectFree(&op) || isa<affine::AffineLoadOp>(op))) {
      return std::nullopt;
    }
  }
  SmallVector<Combining> all;
  for (auto [soFar, next] :
       llvm::zip(loop.getRegionIterArgs(), body.getTerminator()->getOperands())) {
    Operation *made = next.getDefiningOp();
    if (!made || !(next.getType().isF64() || next.getType().isF32()) || !soFar.hasOneUse() ||
        *soFar.getUsers().begin() != made || !next.hasOneUse())
      return std::nullopt;
    if (auto inner = dyn_cast<AffineForOp>(made)) {
      unsigned number = cast<OpResult>(next).getResultNumber();
      if (inner.getInits()[number] != soFar)
        return std::nullopt;
      all.push_back(inside[inner][number]);
    } else if (auto fma = dyn_cast<math::FmaOp>(made);
               isa<arith::AddFOp>(made) || (fma && fma.getC() == soFar)) {
      all.push_back(Combining::Sum);
    } else if (isa<arith::MaximumFOp>(made)) {
      all.push_back(Combining::Greatest);
    } else if (isa<arith::MinimumFOp>(made)) {
      all.push_back(Combining::Least);
    } else {
      return std::nullopt;
    }
  }
  return all;
}

void markCombined(AffineForOp loop, ArrayRef<Combining> how) {
  Builder builder(loop.getContext());
  loop->setAttr("weft.sums", builder.getUnitAttr());
  if (llvm::all_of(how, [](Combining one) { return one == Combining::Sum; }))
    return;
  SmallVector<StringRef> words;
  for (Combining one : how)
    words.push_back(one == Combining::Sum ? "sum" : one == Combining::Greatest ? "max" : "min");
  loop->setAttr(combinesMark, builder.getStrArrayAttr(words));
}

SmallVector<Combining> combiningOf(AffineForOp loop) {
  SmallVector<Combining> how(loop.getNumIterOperands(), Combining::Sum);
  if (auto words = loop->getAttrOfType<ArrayAttr>(combinesMark))
    for (auto [one, word] : llvm::zip_equal(how, words.getAsValueRange<StringAttr>()))
      one = word == "max" ? Combining::Greatest : word == "min" ? Combining::Least : Combining::Sum;
  return how;
}

int64_t partsOfSum(AffineForOp sum, int64_t cores) {
  int64_t trips = tripsOf(sum), parts = std::min(cores, trips);
  while (parts > 1 && trips % parts)
    --parts;
  return parts;
}

bool coresMayLoop(AffineForOp loop, int64_t cores, function_ref<bool(Operation *)> isOnCores,
                  llvm::SetVector<Value> *own) {
  if (loop.getNumIterOperands() != 0 || !loop.hasConstantBounds())
    return false;
  bool any = false;
  SmallVector<Value> stored, loaded;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (isOnCores(&op)) {
      any = true;
      op.walk([&](Operation *inner) {
        for (Value operand : inner->getOperands())
          if (isa<MemRefType>(operand.getType()))
            loaded.push_back(rootOf(operand));
      });
    } else if (auto sum = dyn_cast<AffineForOp>(op);
               sum && combinedOverCores(sum) && partsOfSum(sum, cores) >= cores / 2) {
      sum.walk([&](affine::AffineLoadOp load) { loaded.push_back(rootOf(load.getMemref())); });
    } else if (auto load = dyn_cast<affine::AffineLoadOp>(op)) {
      loaded.push_back(rootOf(load.getMemref()));
    } else if (auto store = dyn_cast<affine::AffineStoreOp>(op)) {
      stored.push_back(rootOf(store.getMemref()));
    } else if (op.getNumRegions() != 0 || !isMemoryEffectFree(&op)) {
      return false;
    }
  }
  for (Value array : stored) {
    if (!isOwn(array, loop)) {
      if (llvm::is_contained(loaded, array))
        return false;
    } else if (own) {
      own->insert(array);
    }
  }
  return any;
}

} // namespace weft
