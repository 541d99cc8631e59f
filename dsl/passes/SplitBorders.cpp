//===- SplitBorders.cpp - the inside of a loop apart from its borders -------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// `x[i, (j+1) % m]` and `where(j > 0, ..)` are what they say only at the ends of a row;
// between them a remainder is its operand and a condition is true. There the loop gets
// a copy of its own, in which both are gone and memory is read in whole vectors. The
// copy starts and ends at whole vectors from the loop's start, so that the borders keep
// the shape that they had.
//
// What cores move many at a time are iterations of one form: there the loops that they share are
// cut as well, each part a nest for itself.
//
//===-----------------------------------------------------------------------===//

#include "dialect/Target.h"
#include "passes/Notes.h"
#include "passes/Passes.h"
#include "passes/loops/BorderedLoop.h"
#include "passes/loops/WrittenTerms.h"
#include "passes/mesh/CoreRegions.h"
#include "passes/transfers/Footprint.h"
#include "passes/transfers/LdmPlan.h"

namespace weft {
#define GEN_PASS_DEF_SPLITBORDERS
#include "passes/Passes.h.inc"
} // namespace weft

using namespace mlir;
using affine::AffineForOp;
using weft::BorderedLoop;

namespace {

constexpr weft::Notes notes("split-borders");

void say(AffineForOp loop, int64_t inside) {
  notes
      .decided(loop, "{0}: {1} iterations apart from its borders",
               weft::spokenLoop(loop.getInductionVar()), inside)
      .because("there remainders and conditions of its variable are known")
      .number("inside", inside);
}

/// The loops of a nest that cores may share, outermost first: each is all of the body of the one
/// around it, and none is taken by lanes.
SmallVector<AffineForOp> sharedLoops(AffineForOp loop) {
  SmallVector<AffineForOp> loops;
  while (loop && loop->hasAttr("weft.independent") && !loop->hasAttr("weft.lane")) {
    loops.push_back(loop);
    if (!llvm::hasSingleElement(loop.getBody()->without_terminator()))
      break;
    loop = dyn_cast<AffineForOp>(loop.getBody()->front());
  }
  return loops;
}

/// Bytes of the widest elements that a nest stores.
int64_t widestStored(AffineForOp nest) {
  int64_t widest = 1;
  nest->walk([&](affine::AffineStoreOp store) {
    Type type = store.getValueToStore().getType();
    if (type.isIntOrFloat())
      widest = std::max<int64_t>(widest, type.getIntOrFloatBitWidth() / 8);
  });
  return widest;
}

/// Iterations of all loops of a nest.
int64_t pointsOf(AffineForOp loop) {
  int64_t inside = 1;
  for (auto inner : loop.getBody()->getOps<AffineForOp>())
    inside = std::max(inside, pointsOf(inner));
  return std::max<int64_t>(weft::tripsOf(loop), 1) * inside;
}

/// How many of the loops of a nest that cores may share are cut, from the outside: all of them,
/// unless there are iterations enough for all cores, each of which fits into a core's memory as a
/// whole and may wrap around there. Of a single loop of such iterations several are moved together,
/// then; of two loops each is moved alone, whether it is cut or not.
size_t cutLevels(ArrayRef<AffineForOp> loops, int64_t cores, int64_t capacity) {
  constexpr int64_t arrays = 4; // rows before and behind, and results
  int64_t shared = 1;
  for (auto [level, loop] : llvm::enumerate(loops)) {
    int64_t bytes = widestStored(loops.front()) * arrays * pointsOf(loop);
    if (shared >= weft::fewestIterations * cores && bytes <= capacity)
      return level == 1 ? 1 : 0;
    shared *= std::max<int64_t>(weft::tripsOf(loop), 1);
  }
  return loops.size();
}

/// Cores move iterations together that have the same form: a nest becomes several where remainders
/// and conditions of a loop change, if enough iterations are left together to be moved many at a
/// time.
void splitForCores(Operation *root, int64_t cores, int64_t capacity) {
  constexpr int64_t fewestInside = 32;
  SmallVector<AffineForOp> outermost;
  root->walk<WalkOrder::PreOrder>([&](AffineForOp loop) {
    if (!loop->hasAttr("weft.independent"))
      return WalkResult::advance();
    if (!loop->hasAttr("weft.lane"))
      outermost.push_back(loop);
    return WalkResult::skip();
  });
  for (AffineForOp loop : outermost) {
    SmallVector<AffineForOp> nests{loop};
    size_t depth = cutLevels(sharedLoops(loop), cores, capacity);
    int64_t inside = 1;
    for (size_t level = 0; level < depth; ++level) {
      BorderedLoop bordered(sharedLoops(loop)[level], 1);
      if (bordered.fits())
        inside *= bordered.inside;
    }
    if (inside < fewestInside)
      continue;
    for (size_t level = 0; level < depth; ++level) {
      SmallVector<AffineForOp> insides;
      for (AffineForOp nest : nests) {
        AffineForOp one = sharedLoops(nest)[level];
        BorderedLoop bordered(one, 1);
        if (!bordered.fits()) {
          insides.push_back(nest);
          continue;
        }
        say(one, bordered.inside);
        llvm::append_range(insides, bordered.rewriteNest(nest, level));
      }
      nests = std::move(insides);
    }
  }
}

/// Lanes of a vector of the widest elements that the loop stores.
int64_t lanesOf(AffineForOp loop, const weft::VectorUnit &vectors) {
  return std::max<int64_t>(vectors.lanes(widestStored(loop) * 8), 2);
}

struct SplitBorders : public weft::impl::SplitBordersBase<SplitBorders> {
  using SplitBordersBase::SplitBordersBase;

  void runOnOperation() override {
    FailureOr<weft::Target> target = weft::Target::of(getOperation());
    FailureOr<weft::VectorUnit> vectors = failure();
    if (succeeded(target))
      vectors = target->vectors();
    if (failed(vectors))
      return signalPassFailure();
    weft::writeOutTerms(getOperation(), weft::Windows::Wrapping, [](AffineForOp loop) {
      notes
          .decided(loop, "{0}: its {1} terms written out", weft::spokenLoop(loop.getInductionVar()),
                   weft::tripsOf(loop))
          .because("where a window wraps around is then known along a row")
          .number("terms", weft::tripsOf(loop));
    });
    if (std::optional<int64_t> cores = target->numberIfAny("cores")) {
      FailureOr<int64_t> capacity = weft::ldmCapacity(*target);
      if (failed(capacity))
        return signalPassFailure();
      splitForCores(getOperation(), *cores, *capacity);
    }
    SmallVector<AffineForOp> loops;
    getOperation()->walk([&](AffineForOp loop) {
      if (loop->hasAttr("weft.lane"))
        loops.push_back(loop);
    });
    for (AffineForOp loop : loops) {
      BorderedLoop bordered(loop, lanesOf(loop, *vectors));
      if (!bordered.fits())
        continue;
      say(loop, bordered.inside);
      bordered.rewrite();
    }
    // Of loops that begin and end within what wraps around nothing is left to split.
    getOperation()->walk([](AffineForOp loop) { BorderedLoop(loop, 1).settle(); });
  }
};

} // namespace
