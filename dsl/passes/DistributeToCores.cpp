//===- DistributeToCores.cpp - outer loops over the cores -----------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Only loops whose iterations `lower-to-loops` proved independent are taken, and of
// a nest only the outermost with more than one iteration: one fork and join a nest.
// A nest is perfect down to that loop or it is left alone, since what stands beside
// the loop would run on every thread.
//
// On CPUs rows that lie one behind the other are one loop first (JoinedRows.h): threads then share
// elements, and vectors are full.
//
// Blocks that take turns are independent but for the memory that they share. On CPUs each gets
// memory of its own, so that threads take whole turns; where there are too few turns for them,
// which only a call knows, they share the loops of each turn. Both are marked.
//
//===-----------------------------------------------------------------------===//

#include "dialect/Target.h"
#include "passes/Directives.h"
#include "passes/Notes.h"
#include "passes/Passes.h"
#include "passes/loops/BorderedLoop.h"
#include "passes/loops/Functions.h"
#include "passes/loops/JoinedRows.h"
#include "passes/loops/TurnLoops.h"
#include "passes/mesh/CoreRegions.h"
#include "passes/mesh/NestsOnCores.h"
#include "passes/reductions/BlockedReduction.h"
#include "passes/transfers/LdmPlan.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"

namespace weft {
#define GEN_PASS_DEF_DISTRIBUTETOCORES
#include "passes/Passes.h.inc"
} // namespace weft

using namespace mlir;

namespace {

constexpr weft::Notes notes("distribute-to-cores");

int64_t iterations(affine::AffineForOp loop) {
  return affine::getConstantTripCount(loop).value_or(1);
}

/// Operations that a loop does, all iterations counted.
int64_t workOf(affine::AffineForOp loop) {
  int64_t work = 0;
  for (Operation &op : *loop.getBody()) {
    if (auto inner = dyn_cast<affine::AffineForOp>(op))
      work += workOf(inner);
    else
      work += weft::isFunction(op) ? weft::functionWork : 1;
  }
  return work * iterations(loop);
}

/// Whether it, or a loop in it, has a mark.
bool hasMarked(affine::AffineForOp loop, StringRef mark) {
  return loop
      .walk([&](affine::AffineForOp inner) {
        return inner->hasAttr(mark) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether vectors may take its iterations, or those of a loop in it, side by side.
bool hasLanes(affine::AffineForOp loop) { return hasMarked(loop, "weft.lane"); }

/// Whether one iteration of it is all there is but for a loop inside that may be shared: cores take
/// both, so that nothing stands between this nest and those beside it.
bool isAroundShared(affine::AffineForOp loop) {
  if (!loop->hasAttr(weft::borderMark) ||
      !llvm::hasSingleElement(loop.getBody()->without_terminator()))
    return false;
  auto inner = dyn_cast<affine::AffineForOp>(loop.getBody()->front());
  return inner && inner->hasAttr("weft.independent") &&
         (iterations(inner) != 1 || isAroundShared(inner));
}

/// Whether one iteration of it is little work, in several loops: one core does it, beside what the
/// others do.
bool isSmallTask(affine::AffineForOp loop) {
  constexpr int64_t most = 1 << 14; // operations
  auto inside = loop.getBody()->without_terminator();
  return loop->hasAttr(weft::borderMark) && !llvm::hasSingleElement(inside) &&
         llvm::all_of(inside, llvm::IsaPred<affine::AffineForOp>) && workOf(loop) <= most;
}

/// This loop, and those just inside of it as long as each core would have few iterations, or what
/// is contiguous along one of them is read or stored along the other: the ones that the cores
/// share.
SmallVector<affine::AffineForOp> sharedBy(int64_t cores, affine::AffineForOp loop) {
  SmallVector<affine::AffineForOp> loops;
  for (int64_t all = 1; loop && loop->hasAttr("weft.independent");) {
    loops.push_back(loop);
    all *= iterations(loop);
    bool isTurned = loop->hasAttr("weft.transpose");
    if ((all >= weft::fewestIterations * cores && !isTurned) ||
        !llvm::hasSingleElement(loop.getBody()->without_terminator()))
      break;
    loop = dyn_cast<affine::AffineForOp>(loop.getBody()->front());
  }
  return loops;
}

/// The memory that each turn of a nest makes anew. None where something else is in a turn than
/// loops, or some of that memory is used elsewhere.
SmallVector<memref::AllocOp> memoryOfTurns(affine::AffineForOp innermost) {
  SmallVector<memref::AllocOp> found;
  bool plain = !innermost
                    .walk([&](Operation *op) {
                      bool turns = op != innermost && op->hasAttr(weft::inTurnMark);
                      return turns ? WalkResult::interrupt() : WalkResult::advance();
                    })
                    .wasInterrupted();
  for (Operation &op : innermost.getBody()->without_terminator())
    plain &= op.getNumRegions() == 0 ? isMemoryEffectFree(&op)
                                     : isa<affine::AffineForOp>(op) && op.getNumResults() == 0;
  if (!plain)
    return {};
  innermost.walk([&](Operation *op) {
    for (Value operand : op->getOperands())
      if (auto made = operand.getDefiningOp<memref::AllocOp>();
          made && made->hasAttr(weft::inTurnMark))
        found.push_back(made);
  });
  bool own = llvm::all_of(found, [&](memref::AllocOp made) {
    return llvm::all_of(made->getUsers(),
                        [&](Operation *user) { return innermost->isProperAncestor(user); });
  });
  llvm::sort(found, [](memref::AllocOp a, memref::AllocOp b) { return a->isBeforeInBlock(b); });
  found.erase(llvm::unique(found), found.end());
  if (!own)
    found.clear();
  return found;
}

struct DistributeToCores : public weft::impl::DistributeToCoresBase<DistributeToCores> {
  using DistributeToCoresBase::DistributeToCoresBase;

  /// Marks the outermost of the loops of a nest whose turns threads may take, and gives each turn
  /// memory of its own.
  void shareTurns(affine::AffineForOp outermost, int64_t least) {
    SmallVector<affine::AffineForOp> loops = weft::turnLoops(outermost);
    bool inside = llvm::any_of(loops, [](auto loop) { return loop->hasAttr("weft.parallel"); });
    int64_t turns = weft::turnsOf(loops), work = workOf(outermost);
    if (loops.empty() || inside || turns == 0)
      return;
    auto reject = [&] {
      return notes.rejected(outermost, "{0}: its {1} turns over the threads",
                            weft::spokenLoop(outermost.getInductionVar()), turns);
    };
    if (work < least) {
      reject().because("{0} operations; {1} pay for the threads (min-work)", work, least);
      return;
    }
    SmallVector<memref::AllocOp> own = memoryOfTurns(loops.back());
    if (own.empty()) {
      reject().because("they have no arrays that each of them alone makes and reads, or do more "
                       "than loops");
      return;
    }
    for (memref::AllocOp made : llvm::reverse(own))
      made->moveBefore(&loops.back().getBody()->front());
    outermost->setAttr("weft.parallel", UnitAttr::get(&getContext()));
    notes
        .decided(outermost, "{0}: its {1} turns over the threads",
                 weft::spokenLoop(outermost.getInductionVar()), turns)
        .because("{0} operations each; where there are too few turns for them threads share the "
                 "loops of each",
                 work / turns)
        .number("turns", turns);
  }

  /// Shares the loop that a schedule asks for, and no other of its nest.
  LogicalResult shareAsked(affine::AffineForOp loop, StringRef directive, bool hasCores) {
    auto func = loop->getParentOfType<func::FuncOp>();
    for (const weft::Directive &one : weft::directivesOf(func, "distribute"))
      if (StringRef over = one.behind.front();
          one.text == directive && over != (hasCores ? "cpes" : "threads"))
        return weft::refuse(loop.getLoc(), directive,
                            over == "ranks" ? "who is a rank is said by a parameter of the kind "
                                              "`groups`"
                            : hasCores      ? "cores of a core group do the iterations here"
                                            : "threads do the iterations here",
                            hasCores ? "cpes" : "threads");
    if (!loop->hasAttr("weft.independent"))
      return weft::refuse(loop.getLoc(), directive, "its iterations take turns with one memory",
                          "none");
    loop->setAttr("weft.parallel", UnitAttr::get(&getContext()));
    if (!hasCores)
      loop->removeDiscardableAttr(weft::distributeMark);
    notes
        .decided(loop, "{0}: its {1} iterations over the {2}",
                 weft::spokenLoop(loop.getInductionVar()), iterations(loop),
                 hasCores ? "cores" : "threads")
        .because("the schedule asks for it");
    return success();
  }

  /// The nests that may be shared, and those that the schedule has shared.
  FailureOr<SmallVector<weft::CoreNest>> findNests(bool hasCores, int64_t lanes) {
    SmallVector<weft::CoreNest> found;
    WalkResult walked = getOperation().walk<WalkOrder::PreOrder>([&](affine::AffineForOp loop) {
      if (loop->getParentOfType<weft::cpe::CoresOp>())
        return WalkResult::skip(); // shared out already
      if (!hasCores && loop->hasAttr(weft::inTurnMark))
        shareTurns(loop, minWork * (hasLanes(loop) ? lanes : 1));
      if (auto asked = loop->getAttrOfType<StringAttr>(weft::distributeMark)) {
        if (failed(shareAsked(loop, asked.getValue(), hasCores)))
          return WalkResult::interrupt();
        found.push_back({loop, true});
        return WalkResult::skip();
      }
      if (!loop->hasAttr("weft.independent") || hasMarked(loop, weft::distributeMark) ||
          (iterations(loop) == 1 && !(hasCores && (isAroundShared(loop) || isSmallTask(loop)))))
        return WalkResult::advance();
      found.push_back({loop, false});
      return WalkResult::skip();
    });
    if (walked.wasInterrupted())
      return failure();
    return found;
  }

  weft::Note note(affine::AffineForOp loop, bool isShared, StringRef over) {
    return isShared
               ? notes.decided(loop, "{0}: its {1} iterations over the {2}",
                               weft::spokenLoop(loop.getInductionVar()), iterations(loop), over)
               : notes.rejected(loop, "{0}: its {1} iterations over the {2}",
                                weft::spokenLoop(loop.getInductionVar()), iterations(loop), over);
  }

  void shareOverThreads(ArrayRef<weft::CoreNest> nests, int64_t lanes) {
    for (const weft::CoreNest &nest : nests) {
      affine::AffineForOp loop = nest.loop;
      if (nest.isAsked)
        continue;
      int64_t work = workOf(loop), least = minWork * (hasLanes(loop) ? lanes : 1);
      if (work >= least)
        loop->setAttr("weft.parallel", UnitAttr::get(&getContext()));
      note(loop, work >= least, "threads")
          .because("{0} operations; {1} pay for the threads (min-work)", work, least)
          .number("operations", work);
    }
  }

  void shareOverCores(MutableArrayRef<weft::CoreNest> nests, int64_t cores,
                      const weft::StartCosts &costs) {
    for (weft::CoreNest &nest : nests) {
      if (nest.isAsked) {
        nest.parts = std::min(iterations(nest.loop), cores);
        continue;
      }
      int64_t parts = 1;
      for (affine::AffineForOp one : sharedBy(cores, nest.loop))
        parts *= iterations(one);
      nest.parts = std::min(parts, cores);
    }
    weft::chooseNests(nests, cores, costs);
    for (const weft::CoreNest &nest : nests)
      if (!nest.isAsked)
        note(nest.loop, nest.isShared, "cores")
            .because(
                "about {0} cycles on the management core, {1} on {2} cores; a start takes {3}, "
                "for {4} nests and {5} iterations",
                int64_t(nest.alone), int64_t(nest.together), nest.parts, int64_t(costs.start()),
                nest.beside, int64_t(nest.times))
            .number("cycles_alone", int64_t(nest.alone));
    for (const weft::CoreNest &nest : nests) {
      affine::AffineForOp loop = nest.loop;
      if (!nest.isShared)
        continue;
      if (!loop->removeDiscardableAttr(weft::distributeMark))
        for (affine::AffineForOp one : sharedBy(cores, loop))
          one->setAttr("weft.parallel", UnitAttr::get(&getContext()));
      weft::placeOnCores(loop);
    }
  }

  void runOnOperation() override {
    bool hasTarget = getOperation()->hasAttr("weft.target");
    FailureOr<weft::Target> target =
        hasTarget ? weft::Target::of(getOperation()) : FailureOr<weft::Target>();
    std::optional<int64_t> cores = hasTarget ? target->numberIfAny("cores") : std::nullopt;
    // Lanes of doubles: threads take as long to meet however wide vectors are.
    int64_t lanes =
        hasTarget ? std::max<int64_t>(target->numberIfAny("vector_bytes").value_or(8) / 8, 1) : 1;
    if (cores) {
      FailureOr<int64_t> bytesOfCore = weft::ldmCapacity(*target);
      if (failed(bytesOfCore))
        return signalPassFailure();
      weft::reduceInBlocks(getOperation(), weft::Sharing::Cores, notes);
      weft::reduceManyInBlocks(getOperation(), *bytesOfCore, notes);
    } else if (hasTarget) {
      FailureOr<weft::VectorUnit> vectors = target->vectors();
      if (succeeded(vectors))
        weft::joinRows(getOperation(), *vectors, notes);
    }
    FailureOr<SmallVector<weft::CoreNest>> nests = findNests(cores.has_value(), lanes);
    if (failed(nests))
      return signalPassFailure();
    if (!cores)
      return shareOverThreads(*nests, lanes);
    FailureOr<weft::StartCosts> costs = weft::StartCosts::of(*target);
    if (failed(costs))
      return signalPassFailure();
    shareOverCores(*nests, *cores, *costs);
  }
};

} // namespace
