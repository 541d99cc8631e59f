//===- DropSyncs.cpp - syncs that nothing needs any more --------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Iterations that take turns write elements of their own and read none that another one writes,
// but for arrays that all of them use in turn. Such an array is written in one nest and read in
// another. Where there is none left in main memory, nobody has to wait.
//
//===-----------------------------------------------------------------------===//

#include "passes/mesh/DropSyncs.h"

#include "passes/Notes.h"
#include "passes/loops/TurnLoops.h"
#include "passes/lowering/ContractionLoops.h"
#include "passes/transfers/Footprint.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

namespace {

constexpr Notes notes("insert-exchanges");

/// What the parts of a loop's body touch of main memory.
class PartsTouch {
public:
  explicit PartsTouch(AffineForOp loop) { collect(*loop.getBody()); }

  /// An array that a part writes and another one touches, or nothing.
  Value passedOn() const {
    for (const auto &[array, parts] : touching)
      if (parts.size() > 1 && written.contains(array))
        return array;
    return {};
  }
  ArrayRef<cpe::SyncOp> syncs() const { return found; }

private:
  void collect(Block &block) {
    for (Operation &op : block) {
      if (auto sync = dyn_cast<cpe::SyncOp>(op))
        found.push_back(sync);
      else if (auto loop = dyn_cast<AffineForOp>(op); loop && loop->hasAttr(inTurnMark))
        collect(*loop.getBody());
      else
        op.walk([&](Operation *inner) { note(&op, inner); });
    }
  }

  void note(Operation *part, Operation *op) {
    bool writes = !isa<affine::AffineReadOpInterface, memref::LoadOp>(op);
    for (auto [number, operand] : llvm::enumerate(op->getOperands())) {
      if (!isa<MemRefType>(operand.getType()) || cpe::isInLdm(operand))
        continue;
      Value array = rootOf(operand);
      auto &parts = touching[array];
      if (!llvm::is_contained(parts, part))
        parts.push_back(part);
      if (writes && !isa<cpe::DmaGetOp>(op))
        written.insert(array);
    }
  }

  llvm::MapVector<Value, SmallVector<Operation *, 2>> touching;
  DenseSet<Value> written;
  SmallVector<cpe::SyncOp> found;
};

bool comesForAll(AffineForOp loop) {
  WalkResult found = loop.walk([](cpe::DmaGetOp get) {
    return get.getForAll() ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found.wasInterrupted();
}

} // namespace

void dropSyncs(cpe::CoresOp cores) {
  SmallVector<AffineForOp> loops;
  cores.walk<WalkOrder::PreOrder>([&](AffineForOp loop) {
    if (!loop->hasAttr(inTurnMark))
      return WalkResult::advance();
    loops.push_back(loop);
    return WalkResult::skip();
  });
  for (AffineForOp loop : loops) {
    PartsTouch touch(loop);
    if (touch.syncs().empty())
      continue;
    if (comesForAll(loop)) {
      notes
          .rejected(loop, "{0}: rounds without a sync of all cores",
                    spokenLoop(loop.getInductionVar()))
          .because("what comes for all cores at once is there behind a sync");
      continue;
    }
    if (Value array = touch.passedOn()) {
      notes
          .rejected(loop, "{0}: rounds without a sync of all cores",
                    spokenLoop(loop.getInductionVar()))
          .because("{0} passes through memory between its nests", spoken(array));
      continue;
    }
    notes
        .decided(loop, "{0}: rounds without a sync of all cores",
                 spokenLoop(loop.getInductionVar()))
        .because("nothing passes through memory between its nests");
    for (cpe::SyncOp sync : touch.syncs())
      sync.erase();
  }
}

} // namespace weft
