//===- OrderAccesses.cpp - loads and stores beside what they serve ----------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// A butterfly over columns as it is made loads its twiddles first, spreads each over all lanes, and
// stores its results last. Registers then hold twiddles that nobody needs yet and results that
// nobody needs any more, and the stores come in one bunch, which a core takes more slowly than the
// same stores among arithmetic. So a number that is spread goes to its first use, and a store to
// what it stores. Bodies of lines, which load vectors of twiddles, gain nothing by it and stay as
// they are.
//
// Accesses to one array keep their order as far as one of them is a store.
//
//===-----------------------------------------------------------------------===//

#include "passes/Passes.h"
#include "passes/loops/AccessPattern.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace weft {
#define GEN_PASS_DEF_ORDERACCESSES
#include "passes/Passes.h.inc"
} // namespace weft

using namespace mlir;
using namespace weft;

namespace {

bool isLoad(Operation *op) { return isa<affine::AffineReadOpInterface>(op); }
bool isStore(Operation *op) { return isa<affine::AffineWriteOpInterface>(op); }

/// The array that a load or a store goes to.
Value arrayOf(Operation *access) {
  if (auto load = dyn_cast<affine::AffineReadOpInterface>(access))
    return rootOf(load.getMemRef());
  return rootOf(cast<affine::AffineWriteOpInterface>(access).getMemRef());
}

/// Whether a body is arithmetic of vectors between loads and stores, and nothing else, and spreads
/// numbers over lanes.
bool takes(Block &body) {
  bool stores = false, spreads = false;
  for (Operation &op : body.without_terminator()) {
    stores |= isa<affine::AffineVectorStoreOp>(op);
    spreads |= isa<vector::BroadcastOp>(op);
    if (op.getNumRegions() != 0 || (!isLoad(&op) && !isStore(&op) && !isMemoryEffectFree(&op)))
      return false;
  }
  return stores && spreads;
}

/// Before its first use, and before the first store to its array.
void sink(Operation *op) {
  Operation *first = nullptr;
  for (Operation *user : op->getUsers()) {
    if (user->getBlock() != op->getBlock())
      return;
    if (!first || user->isBeforeInBlock(first))
      first = user;
  }
  if (!first)
    return;
  if (isLoad(op))
    for (Operation *next = op->getNextNode(); next != first; next = next->getNextNode())
      if (isStore(next) && mayAlias(arrayOf(next), arrayOf(op))) {
        first = next;
        break;
      }
  op->moveBefore(first);
}

/// Behind what it stores, and behind the last access to its array.
void raise(Operation *store) {
  SmallPtrSet<Operation *, 8> makers;
  for (Value operand : store->getOperands())
    makers.insert(operand.getDefiningOp());
  Operation *last = store->getPrevNode();
  while (last && !makers.contains(last) &&
         !((isLoad(last) || isStore(last)) && mayAlias(arrayOf(last), arrayOf(store))))
    last = last->getPrevNode();
  if (last)
    store->moveAfter(last);
  else
    store->moveBefore(&store->getBlock()->front());
}

struct OrderAccesses : public weft::impl::OrderAccessesBase<OrderAccesses> {
  using OrderAccessesBase::OrderAccessesBase;

  void runOnOperation() override {
    getOperation().walk([](affine::AffineForOp loop) {
      Block &body = *loop.getBody();
      if (!takes(body))
        return;
      SmallVector<Operation *> ops;
      for (Operation &op : body.without_terminator())
        ops.push_back(&op);
      // A number goes with what spreads it, which comes first here.
      for (Operation *op : llvm::reverse(ops))
        if (isa<affine::AffineLoadOp, vector::BroadcastOp>(op))
          sink(op);
      for (Operation *op : ops)
        if (isStore(op))
          raise(op);
    });
  }
};

} // namespace
