//===- JoinCores.cpp - one start of the cores for much ----------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// What stands around and between the parts that run on the cores goes to them, too, as far as
// they can do it: loops around such parts, and sums in these loops, each core a part of them.
// Every start of the cores costs as much as thousands of operations.
//
//===-----------------------------------------------------------------------===//

#include "dialect/Cpe.h"
#include "dialect/Target.h"
#include "passes/Notes.h"
#include "passes/Passes.h"
#include "passes/loops/TurnLoops.h"
#include "passes/mesh/CoreLoops.h"
#include "passes/mesh/CoreRegions.h"
#include "passes/mesh/Ring.h"
#include "passes/transfers/Footprint.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

namespace weft {
#define GEN_PASS_DEF_JOINCORES
#include "passes/Passes.h.inc"
} // namespace weft

using namespace mlir;
using affine::AffineForOp;
using namespace weft;

namespace {

constexpr Notes notes("join-cores");

/// Iteration n of the sum is done by core n modulo the cores.
void shareSum(AffineForOp loop, int64_t cores) {
  int64_t trips = tripsOf(loop), parts = partsOfSum(loop, cores);
  SmallVector<Combining> how = *combinedOverCores(loop);
  notes
      .decided(loop, "{0}: its sums over the cores, each of {1} a part of them",
               spokenLoop(loop.getInductionVar()), parts)
      .because("they run already; the order of the additions is another one")
      .number("parts", parts);
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  int64_t lower = loop.getConstantLowerBound(), step = loop.getStepAsInt();
  auto shared = AffineForOp::create(builder, loc, 0, parts, 1, loop.getInits());
  OpBuilder inner = OpBuilder::atBlockEnd(shared.getBody());
  auto own = AffineForOp::create(inner, loc, 0, trips / parts, 1, shared.getRegionIterArgs());
  affine::AffineYieldOp::create(inner, loc, own.getResults());
  inner.setInsertionPointToEnd(own.getBody());
  AffineExpr part = inner.getAffineDimExpr(0), turn = inner.getAffineDimExpr(1);
  Value at =
      affine::AffineApplyOp::create(inner, loop.getInductionVar().getLoc(),
                                    AffineMap::get(2, 0, (turn * parts + part) * step + lower),
                                    ValueRange{shared.getInductionVar(), own.getInductionVar()});
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), at);
  mapping.map(loop.getRegionIterArgs(), own.getRegionIterArgs());
  for (Operation &op : *loop.getBody())
    inner.clone(op, mapping);
  for (StringRef mark : {"weft.carries"})
    if (Attribute value = loop->getDiscardableAttr(mark)) {
      shared->setAttr(mark, value);
      own->setAttr(mark, value);
    }
  shared->setAttr("weft.parallel", builder.getUnitAttr());
  markCombined(shared, how);
  loop.replaceAllUsesWith(shared.getResults());
  loop.erase();
}

/// A loop of the management core around parts that run on the cores.
class LoopAround {
public:
  LoopAround(AffineForOp loop, int64_t cores) : loop(loop), cores(cores) {}

  bool fits() {
    return !loop->getParentOfType<cpe::CoresOp>() &&
           coresMayLoop(loop, cores, llvm::IsaPred<cpe::CoresOp>, &ownArrays);
  }
  void moveToCores();

private:
  AffineForOp loop;
  int64_t cores;
  llvm::SetVector<Value> ownArrays; ///< of which each core may have one
};

void LoopAround::moveToCores() {
  notes
      .decided(loop, "{0}: on the cores, all of its {1} iterations",
               spokenLoop(loop.getInductionVar()), tripsOf(loop))
      .because("they are started once instead of in each iteration");
  OpBuilder builder(loop);
  auto start = cpe::CoresOp::create(builder, loop.getLoc());
  Block &body = start.getBody().emplaceBlock();
  loop->moveBefore(&body, body.end());
  builder.setInsertionPoint(loop);
  for (Value array : ownArrays) {
    auto made = array.getDefiningOp<memref::AllocOp>();
    Value own = memref::AllocaOp::create(builder, made.getLoc(), made.getType());
    array.replaceAllUsesWith(own);
    made.erase();
  }
  DenseSet<Value> written; // by the parts
  for (auto part : loop.getBody()->getOps<cpe::CoresOp>())
    part.walk(
        [&](affine::AffineWriteOpInterface store) { written.insert(rootOf(store.getMemRef())); });
  // A core that is ahead must not write what another one has yet to load.
  bool loads = false;
  auto waitForLoads = [&](Operation *before) {
    if (std::exchange(loads, false))
      cpe::SyncOp::create(builder, before->getLoc());
  };
  for (Operation &op : llvm::make_early_inc_range(loop.getBody()->without_terminator())) {
    builder.setInsertionPoint(&op);
    if (auto part = dyn_cast<cpe::CoresOp>(op)) {
      waitForLoads(part);
      builder.setInsertionPointAfter(part);
      Block &inner = part.getBody().front();
      while (!inner.empty())
        inner.front().moveBefore(part);
      cpe::SyncOp::create(builder, part.getLoc());
      part.erase();
    } else if (auto sum = dyn_cast<AffineForOp>(op)) {
      shareSum(sum, cores);
      loads = false; // all cores meet in it
    } else if (auto load = dyn_cast<affine::AffineLoadOp>(op)) {
      loads |= written.contains(rootOf(load.getMemref()));
    }
  }
  Operation *end = loop.getBody()->getTerminator();
  builder.setInsertionPoint(end);
  waitForLoads(end);
}

void joinCores(Operation *root, int64_t cores) {
  SmallVector<AffineForOp> loops;
  root->walk([&](AffineForOp loop) {
    if (!loop->getParentOfType<cpe::CoresOp>())
      loops.push_back(loop);
  });
  for (AffineForOp loop : loops) {
    LoopAround around(loop, cores);
    if (!around.fits())
      continue;
    around.moveToCores();
    auto moved = loop->getParentOfType<cpe::CoresOp>();
    // A single iteration needs no loop: what is in it may go with what is before and behind.
    if (tripsOf(loop) == 1)
      dropSingleTurn(loop);
    Operation *next = moved->getNextNode();
    while (next && !isa<cpe::CoresOp>(next))
      next = next->getNextNode();
    if (next && coresBefore(next) == moved)
      joinWithBefore(cast<cpe::CoresOp>(next));
    joinWithBefore(moved);
  }
}

/// What cores do with fields of a loop over time goes with what they do just before.
void joinFields(Operation *root) {
  SmallVector<cpe::CoresOp> all;
  root->walk([&](cpe::CoresOp cores) {
    bool hasFields =
        cores
            .walk([](AffineForOp loop) {
              return loop->hasAttr(ringMark) ? WalkResult::interrupt() : WalkResult::advance();
            })
            .wasInterrupted();
    if (hasFields)
      all.push_back(cores);
  });
  for (cpe::CoresOp cores : all)
    joinWithBefore(cores);
}

struct JoinCores : public weft::impl::JoinCoresBase<JoinCores> {
  using JoinCoresBase::JoinCoresBase;

  void runOnOperation() override {
    FailureOr<Target> target = Target::of(getOperation());
    if (failed(target))
      return signalPassFailure();
    if (std::optional<int64_t> cores = target->numberIfAny("cores"))
      joinCores(getOperation(), *cores);
    joinFields(getOperation());
  }
};

} // namespace
