//===- CoreRegions.cpp - what the cores do, part by part --------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/mesh/CoreRegions.h"

#include "passes/transfers/StoredBoxes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

cpe::CoresOp coresBefore(Operation *op) {
  Operation *before = op->getPrevNode();
  while (before && before->getNumRegions() == 0 &&
         (isMemoryEffectFree(before) || isa<memref::AllocOp>(before)))
    before = before->getPrevNode();
  return dyn_cast_or_null<cpe::CoresOp>(before);
}

/// All cores meet behind what is there.
static void meetAtEnd(cpe::CoresOp cores, Location loc) {
  Block &body = cores.getBody().front();
  OpBuilder builder = OpBuilder::atBlockEnd(&body);
  if (body.empty() || !isa<cpe::SyncOp>(body.back()))
    cpe::SyncOp::create(builder, loc);
}

/// Whether a nest has nothing to do with what cores do since they have last met: other elements of
/// one result, as the borders of what is inside of it.
static bool needsNoSync(cpe::CoresOp cores, AffineForOp nest) {
  for (Operation &op : llvm::reverse(cores.getBody().front())) {
    if (isa<cpe::SyncOp>(op))
      return true;
    if (!areApart(&op, nest))
      return false;
  }
  return true;
}

void joinWithBefore(cpe::CoresOp cores) {
  cpe::CoresOp before = coresBefore(cores);
  if (!before)
    return;
  before->moveBefore(cores);
  meetAtEnd(before, cores.getLoc());
  Block &body = before.getBody().front();
  body.getOperations().splice(body.end(), cores.getBody().front().getOperations());
  cores.erase();
}

void placeOnCores(AffineForOp loop) {
  // What is neither memory nor a loop may come before.
  if (cpe::CoresOp cores = coresBefore(loop)) {
    cores->moveBefore(loop);
    Block &body = cores.getBody().front();
    if (!needsNoSync(cores, loop))
      meetAtEnd(cores, loop.getLoc());
    loop->moveBefore(&body, body.end());
    return;
  }
  OpBuilder builder(loop);
  auto cores = cpe::CoresOp::create(builder, loop.getLoc());
  Block &body = cores.getBody().emplaceBlock();
  loop->moveBefore(&body, body.end());
}

} // namespace weft
