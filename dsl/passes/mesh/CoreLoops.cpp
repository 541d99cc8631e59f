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
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

namespace {

/// Sums over the iterations: of values that do not depend on the sums so far, from memory that
/// the loop does not write.
bool isSum(AffineForOp loop) {
  if (loop.getNumIterOperands() == 0 || !loop.hasConstantBounds())
    return false;
  Block &body = *loop.getBody();
  for (Operation &op : body.without_terminator()) {
    auto inner = dyn_cast<AffineForOp>(op);
    if (inner ? !isSum(inner)
              : op.getNumRegions() != 0 ||
                    !(isMemoryEffectFree(&op) || isa<affine::AffineLoadOp>(op)))
      return false;
  }
  for (auto [sum, next] :
       llvm::zip(loop.getRegionIterArgs(), body.getTerminator()->getOperands())) {
    Operation *made = next.getDefiningOp();
    bool adds = isa_and_nonnull<arith::AddFOp>(made) ||
                (isa_and_nonnull<AffineForOp>(made) &&
                 cast<AffineForOp>(made).getInits()[cast<OpResult>(next).getResultNumber()] == sum);
    if (!adds || !next.getType().isF64() || !sum.hasOneUse() || *sum.getUsers().begin() != made ||
        !next.hasOneUse())
      return false;
  }
  return true;
}

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
               sum && isSum(sum) && partsOfSum(sum, cores) >= cores / 2) {
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
