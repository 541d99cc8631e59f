//===- FieldPoints.cpp - single elements of fields ------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/mesh/FieldPoints.h"

#include "mlir/Dialect/Affine/LoopUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

static bool isMadeByNests(Value array, AffineForOp time) {
  return llvm::any_of(array.getUsers(), [&](Operation *user) {
    return isa<affine::AffineStoreOp>(user) && time->isProperAncestor(user) &&
           user->getBlock() != time.getBody();
  });
}

FieldPoints::FieldPoints(AffineForOp time) {
  SmallVector<affine::AffineStoreOp> stores(time.getBody()->getOps<affine::AffineStoreOp>());
  for (affine::AffineStoreOp store : stores)
    if (isMadeByNests(store.getMemref(), time))
      wrap(store);
}

void FieldPoints::undo() {
  for (AffineForOp loop : loops)
    (void)affine::promoteIfSingleIteration(loop);
}

/// With all that its value is made of since the last nest.
void FieldPoints::wrap(affine::AffineStoreOp store) {
  llvm::SetVector<Operation *> made;
  Operation *last = store->getPrevNode();
  while (last && last->getNumRegions() == 0 && !isa<affine::AffineStoreOp>(last))
    last = last->getPrevNode();
  SmallVector<Value> open(store->getOperands());
  while (!open.empty()) {
    Operation *op = open.pop_back_val().getDefiningOp();
    if (!op || op->getBlock() != store->getBlock() || (last && !last->isBeforeInBlock(op)) ||
        !made.insert(op))
      continue;
    open.append(op->operand_begin(), op->operand_end());
  }
  OpBuilder builder(store);
  auto loop = AffineForOp::create(builder, store.getLoc(), 0, 1);
  loop->setAttr("weft.independent", builder.getUnitAttr());
  OpBuilder inside = OpBuilder::atBlockBegin(loop.getBody());
  IRMapping mapping;
  SmallVector<Operation *> inOrder(made.begin(), made.end());
  llvm::sort(inOrder, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  for (Operation *op : inOrder)
    inside.clone(*op, mapping);
  inside.clone(*store, mapping);
  store.erase();
  for (Operation *op : llvm::reverse(inOrder))
    if (isOpTriviallyDead(op))
      op->erase();
  loops.push_back(loop);
}

} // namespace weft
