//===- Nesting.cpp - which values need no C variable -===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "targets/common/Nesting.h"

#include "dialect/Cpe.h"
#include "targets/common/Names.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace weft {

Nesting::Nesting(func::FuncOp func, llvm::function_ref<bool(OpOperand &)> absorbs) {
  visit(func.getBody().front(), absorbs);
}

static bool isLoad(Operation *op) { return isa<affine::AffineLoadOp, memref::LoadOp>(op); }

static bool isStore(Operation *op) { return isa<affine::AffineStoreOp, memref::StoreOp>(op); }

static bool writes(Operation *op) {
  return !isMemoryEffectFree(op) && !hasSingleEffect<MemoryEffects::Read>(op);
}

/// The op where the value's text is written, if it may be written where it is used:
/// one use, by an op that evaluates it once, in the same block.
static Operation *onlyUser(Operation *op) {
  if (op->getNumResults() != 1 || op->getNumRegions() != 0 ||
      !op->getResult(0).getType().isIntOrIndexOrFloat() || !op->getResult(0).hasOneUse())
    return nullptr;
  OpOperand &use = *op->getResult(0).use_begin();
  Operation *user = use.getOwner();
  // Both sides of `? :` are at hand already, lest a C compiler make branches or masked loads of
  // them; GCC 12 loses elements where it unrolls such a loop whole.
  if (isa<arith::SelectOp>(user) && use.getOperandNumber() != 0)
    return nullptr;
  // The text of an affine index may mention its operand twice.
  bool affineIndex =
      isa<affine::AffineApplyOp>(user) ||
      (op->getResult(0).getType().isIndex() && user->getName().getDialectNamespace() == "affine");
  return user->getBlock() == op->getBlock() && !affineIndex ? user : nullptr;
}

/// Where ops stand in the order in which a core issues them, these keep their places.
static bool isTimed(Operation *op) {
  return isLoad(op) || isa<FloatType>(op->getResult(0).getType());
}

void Nesting::visit(Block &block, llvm::function_ref<bool(OpOperand &)> absorbs) {
  Operation *around = block.getParentOp();
  auto cores = isa<cpe::CoresOp>(around) ? cast<cpe::CoresOp>(around)
                                         : around->getParentOfType<cpe::CoresOp>();
  bool isOrdered = cores && cores->hasAttr("weft.ordered");
  DenseMap<Operation *, unsigned> position;
  SmallVector<Operation *> ops;
  for (Operation &op : block) {
    position[&op] = ops.size();
    ops.push_back(&op);
  }
  // From the last op to the first: where the users are written is known by then.
  SmallVector<unsigned> nextWrite(ops.size() + 1, ops.size());
  DenseMap<Operation *, Operation *> writtenAt;
  for (unsigned n = ops.size(); n-- > 0;) {
    Operation *op = ops[n];
    nextWrite[n] = writes(op) ? n : nextWrite[n + 1];
    for (Region &region : op->getRegions())
      for (Block &inner : region)
        visit(inner, absorbs);

    bool removable = op->getNumRegions() == 0 && !op->hasTrait<OpTrait::IsTerminator>() &&
                     (isLoad(op) || isMemoryEffectFree(op));
    auto isDead = [&](OpOperand &use) { return dead.contains(use.getOwner()); };
    if (removable && llvm::all_of(op->getUses(), isDead)) {
      dead.insert(op);
      silent.insert(op);
      continue;
    }
    // What is written as part of its users still needs its own operands.
    if (removable &&
        llvm::all_of(op->getUses(), [&](OpOperand &use) { return isDead(use) || absorbs(use); })) {
      silent.insert(op);
      continue;
    }
    Operation *user = onlyUser(op);
    writtenAt[op] = op;
    if (!user || (isOrdered && isTimed(op)))
      continue;
    Operation *place = writtenAt.lookup(user);
    if (!place)
      continue;
    // A value that the user named keeps its name, unless memory has the same one.
    bool named = !nameIn(op->getLoc()).empty() && !isLoad(op) && !isStore(user);
    if (named)
      continue;
    // Loads may not pass a write, nor may what holds a load.
    if (nextWrite[n] < position[place])
      continue;
    nested.insert(op->getResult(0));
    writtenAt[op] = place;
  }
}

} // namespace weft
