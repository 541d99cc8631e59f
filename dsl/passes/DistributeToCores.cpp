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
//===-----------------------------------------------------------------------===//

#include "passes/Notes.h"
#include "passes/Passes.h"

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
      ++work;
  }
  return work * iterations(loop);
}

struct DistributeToCores : public weft::impl::DistributeToCoresBase<DistributeToCores> {
  using DistributeToCoresBase::DistributeToCoresBase;

  void runOnOperation() override {
    getOperation().walk<WalkOrder::PreOrder>([&](affine::AffineForOp loop) {
      if (!loop->hasAttr("weft.independent"))
        return WalkResult::advance();
      if (iterations(loop) == 1)
        return WalkResult::advance();
      int64_t work = workOf(loop);
      bool distributes = work >= minWork;
      if (distributes)
        loop->setAttr("weft.parallel", UnitAttr::get(&getContext()));
      weft::Note note =
          distributes ? notes.decided(loop, "{0}: its {1} iterations over the threads",
                                      weft::spokenLoop(loop.getInductionVar()), iterations(loop))
                      : notes.rejected(loop, "{0}: its {1} iterations over the threads",
                                       weft::spokenLoop(loop.getInductionVar()), iterations(loop));
      note.because("{0} operations; {1} pay for the threads (min-work)", work, minWork.getValue())
          .number("operations", work);
      return WalkResult::skip();
    });
  }
};

} // namespace
