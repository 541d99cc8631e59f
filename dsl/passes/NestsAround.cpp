//===- NestsAround.cpp - which other nests touch an array -------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/NestsAround.h"

#include "dialect/Cpe.h"
#include "passes/Footprint.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

AffineForOp onlyNestOf(Value root, AffineForOp reader) {
  AffineForOp found;
  auto function = reader->getParentOfType<func::FuncOp>();
  WalkResult walked = function->walk([&](Operation *op) {
    if (isa<ViewLikeOpInterface>(op) || llvm::none_of(op->getOperands(), [&](Value operand) {
          return isa<MemRefType>(operand.getType()) && rootOf(operand) == root;
        }))
      return WalkResult::advance();
    Operation *nest = reader->getBlock()->findAncestorOpInBlock(*op);
    if (nest == reader)
      return WalkResult::advance();
    auto loop = dyn_cast_or_null<AffineForOp>(nest);
    if (!loop || (found && found != loop))
      return WalkResult::interrupt();
    found = loop;
    return WalkResult::advance();
  });
  return walked.wasInterrupted() ? AffineForOp() : found;
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
