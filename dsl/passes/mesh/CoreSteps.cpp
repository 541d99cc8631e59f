//===- CoreSteps.cpp - what the cores do, one nest after the other ----------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/mesh/CoreSteps.h"

#include "passes/transfers/LdmPlan.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

static void collect(Block &block, Mesh mesh, std::vector<CoreStep> &steps) {
  for (Operation &op : block) {
    auto loop = dyn_cast<AffineForOp>(op);
    if (!loop || loop->hasAttr(meshMark)) // shared out already
      continue;
    if (loop->hasAttr("weft.parallel")) {
      auto kind = loop->hasAttr("weft.sums") ? CoreStep::Sum : CoreStep::Nest;
      steps.push_back({kind, loop, std::make_unique<MeshNest>(loop, mesh), {}, {}, {}});
    } else if (loop.walk([](AffineForOp inner) {
                     return inner->hasAttr("weft.parallel") ? WalkResult::interrupt()
                                                            : WalkResult::advance();
                   })
                   .wasInterrupted()) {
      steps.push_back({CoreStep::LoopBegins, loop, {}, {}, {}, {}});
      collect(*loop.getBody(), mesh, steps);
      steps.push_back({CoreStep::LoopEnds, loop, {}, {}, {}, {}});
    }
  }
}

std::vector<CoreStep> coreStepsOf(cpe::CoresOp cores, Mesh mesh) {
  std::vector<CoreStep> steps;
  collect(cores.getBody().front(), mesh, steps);
  return steps;
}

bool isWithin(ArrayRef<CoreStep> steps, Value array) {
  SmallVector<Value> views{array};
  while (!views.empty())
    for (Operation *user : views.pop_back_val().getUsers()) {
      if (user->getNumResults() == 1 && isa<MemRefType>(user->getResult(0).getType())) {
        views.push_back(user->getResult(0));
        continue;
      }
      bool isOfStep = accessedArray(user) == array && llvm::any_of(steps, [&](const CoreStep &s) {
                        return s.nest && s.loop->isProperAncestor(user);
                      });
      if (!isOfStep)
        return false;
    }
  return true;
}

/// Whether a loop's iterations, or what is behind it, find in an array what iterations before
/// have left there. `loop` is the number of the step at which it begins.
static bool isCarried(ArrayRef<CoreStep> steps, Value array, size_t loop) {
  bool first = true;
  int64_t depth = 0;
  bool inside = true;
  for (size_t number = loop; number < steps.size(); ++number) {
    const CoreStep &step = steps[number];
    depth += step.kind == CoreStep::LoopBegins ? 1 : step.kind == CoreStep::LoopEnds ? -1 : 0;
    inside &= depth > 0;
    if (!step.nest || !step.nest->touches(array))
      continue;
    if (!inside || (first && step.nest->reads(array)))
      return true;
    first = false;
  }
  return llvm::any_of(steps.take_front(loop),
                      [&](const CoreStep &step) { return step.nest && step.nest->touches(array); });
}

std::pair<int64_t, int64_t> lifeAround(ArrayRef<CoreStep> steps, int64_t number, Value array) {
  int64_t first = number, last = number;
  SmallVector<int64_t> open;
  for (auto [n, step] : llvm::enumerate(steps)) {
    auto at = static_cast<int64_t>(n);
    if (step.kind == CoreStep::LoopBegins) {
      open.push_back(at);
    } else if (step.kind == CoreStep::LoopEnds) {
      int64_t begin = open.pop_back_val();
      if (begin < number && number < at && isCarried(steps, array, static_cast<size_t>(begin))) {
        first = std::min(first, begin);
        last = std::max(last, at);
      }
    }
  }
  return {first, last};
}

Block *homeOf(cpe::CoresOp cores, ArrayRef<CoreStep> steps, Value array) {
  Block *home = &cores.getBody().front();
  for (auto [number, step] : llvm::enumerate(steps)) {
    if (step.kind != CoreStep::LoopBegins || home != step.loop->getBlock() ||
        isCarried(steps, array, number))
      continue;
    AffineForOp loop = step.loop;
    bool isUsed = false;
    loop.walk([&](Operation *op) { isUsed |= accessedArray(op) == array; });
    if (isUsed)
      home = loop.getBody();
  }
  return home;
}

} // namespace weft
