//===- CoreRegions.cpp - what the cores do, part by part --------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/CoreRegions.h"

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

/// Into the part before, where all cores have ended theirs.
static void append(cpe::CoresOp cores, Operation *op) {
  Block &body = cores.getBody().front();
  cores->moveBefore(op);
  OpBuilder builder = OpBuilder::atBlockEnd(&body);
  cpe::SyncOp::create(builder, op->getLoc());
  op->moveBefore(&body, body.end());
}

void placeOnCores(AffineForOp loop) {
  // What is neither memory nor a loop may come before.
  if (cpe::CoresOp cores = coresBefore(loop))
    return append(cores, loop);
  OpBuilder builder(loop);
  auto cores = cpe::CoresOp::create(builder, loop.getLoc());
  Block &body = cores.getBody().emplaceBlock();
  loop->moveBefore(&body, body.end());
}

} // namespace weft
