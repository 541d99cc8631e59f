//===- NestsAround.cpp - which other nests touch an array -------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/mesh/NestsAround.h"

#include "dialect/Cpe.h"
#include "passes/transfers/Footprint.h"
#include "passes/transfers/StoredBoxes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

/// The outermost loop around an op, in what runs once, one op behind the other.
static AffineForOp outermostLoop(Operation *op) {
  AffineForOp found;
  for (; op && !isa<func::FuncOp>(op); op = op->getParentOp()) {
    if (auto loop = dyn_cast<AffineForOp>(op))
      found = loop;
    else if (found && !isa<cpe::CoresOp>(op))
      return {};
  }
  return found;
}

/// The nests that touch an array, in order, those beside a reader as it sees them; none where
/// something else does.
static SmallVector<AffineForOp> nestsOf(Value root, AffineForOp reader) {
  SmallVector<AffineForOp> nests;
  auto function = reader->getParentOfType<func::FuncOp>();
  WalkResult walked = function->walk([&](Operation *op) {
    if (!touches(op, root))
      return WalkResult::advance();
    Operation *beside = reader->getBlock()->findAncestorOpInBlock(*op);
    auto nest = beside ? dyn_cast<AffineForOp>(beside) : outermostLoop(op);
    if (!nest)
      return WalkResult::interrupt();
    if (!llvm::is_contained(nests, nest))
      nests.push_back(nest);
    return WalkResult::advance();
  });
  return walked.wasInterrupted() ? SmallVector<AffineForOp>() : nests;
}

/// Where the values end that nests have in an array from one of them on.
static unsigned endOfLife(ArrayRef<AffineForOp> nests, unsigned from, Value root) {
  unsigned fillers = fillersOf(nests.drop_front(from), root);
  for (unsigned n = from + std::max(fillers, 1U); n < nests.size(); ++n)
    if (fillersOf(nests.drop_front(n), root) > 0)
      return n;
  return nests.size();
}

SmallVector<AffineForOp> nestsAround(Value root, AffineForOp reader) {
  SmallVector<AffineForOp> nests = nestsOf(root, reader);
  auto *place = llvm::find(nests, reader);
  if (place == nests.end())
    return {};
  unsigned first = 0, last = nests.size(), number = place - nests.begin();
  if (nests.size() > 2 && outermostLoop(reader) == reader) {
    // Nobody sees behind nests that fill the array what was in it before.
    while ((last = endOfLife(nests, first, root)) <= number)
      first = last;
    if (fillersOf(ArrayRef(nests).drop_front(first), root) == 0)
      return {};
  }
  SmallVector<AffineForOp> others;
  for (AffineForOp nest : ArrayRef(nests).slice(first, last - first))
    if (nest != reader) {
      if (nest->getBlock() != reader->getBlock())
        return {};
      others.push_back(nest);
    }
  return others;
}

AffineForOp onlyNestOf(Value root, AffineForOp reader) {
  SmallVector<AffineForOp> others = nestsAround(root, reader);
  return others.size() == 1 ? others.front() : AffineForOp();
}

Value ownMemory(Value array, AffineForOp filler) {
  Value root = rootOf(array);
  auto *made = root.getDefiningOp();
  OpBuilder builder(made->getContext());
  builder.setInsertionPointAfter(made);
  IRMapping own;
  own.map(root, builder.clone(*made)->getResult(0));
  std::function<Value(Value)> mapped = [&](Value memref) {
    if (Value known = own.lookupOrNull(memref))
      return known;
    Operation *view = memref.getDefiningOp();
    mapped(cast<ViewLikeOpInterface>(view).getViewSource());
    builder.setInsertionPointAfter(view);
    builder.clone(*view, own);
    return own.lookup(memref);
  };
  SmallVector<AffineForOp> nests = nestsOf(root, filler);
  auto *first = llvm::find(nests, filler);
  unsigned from = first - nests.begin();
  for (AffineForOp nest : ArrayRef(nests).slice(from, endOfLife(nests, from, root) - from))
    nest->walk([&](Operation *op) {
      for (OpOperand &operand : op->getOpOperands())
        if (isa<MemRefType>(operand.get().getType()) && rootOf(operand.get()) == root)
          operand.set(mapped(operand.get()));
    });
  return mapped(array);
}

/// Whether an op writes an array, or does what nobody here knows.
static bool mayWrite(Operation *op, Value root) {
  Value written;
  if (auto store = dyn_cast<affine::AffineWriteOpInterface>(op))
    written = store.getMemRef();
  else if (auto put = dyn_cast<cpe::DmaPutOp>(op))
    written = put.getMain();
  else
    return op->getNumRegions() == 0 && !isMemoryEffectFree(op) &&
           !isa<affine::AffineReadOpInterface, cpe::SyncOp, cpe::SpreadOp, cpe::DmaGetOp,
                cpe::DmaWaitOp, cpe::BroadcastOp>(op);
  return mayAlias(rootOf(written), root);
}

bool writesBetween(Operation *from, Operation *to, Value root) {
  for (Operation *op = from->getNextNode(); op && op != to; op = op->getNextNode()) {
    WalkResult walked = op->walk([&](Operation *inner) {
      return mayWrite(inner, root) ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (walked.wasInterrupted())
      return true;
  }
  return false;
}

} // namespace weft
