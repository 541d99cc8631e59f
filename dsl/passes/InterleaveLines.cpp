//===- InterleaveLines.cpp - short lines computed beside each other -------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// A short line goes through an array from one nest to the next: what the second nest loads the
// first has just stored, so it waits, and a core that looks some hundred operations ahead finds
// little else to do. Where lines have nothing to do with each other several go together: the first
// nests of all, then the second ones, each line in an array of its own. What a core looks at is then
// work of several lines. A line as long as what a core looks ahead has work enough of its own, and
// more at a time would only take more memory.
//
//===-----------------------------------------------------------------------===//

#include "dialect/Target.h"
#include "passes/Notes.h"
#include "passes/Passes.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/Dialect/Affine/LoopUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace weft {
#define GEN_PASS_DEF_INTERLEAVELINES
#include "passes/Passes.h.inc"
} // namespace weft

using namespace mlir;
using namespace weft;
using affine::AffineForOp;

namespace {

constexpr Notes notes("interleave-lines");

/// Turns of so many lines that a loop has at least: fewer leave threads without work.
constexpr int64_t fewestTurns = 4;

/// What one turn of a loop over lines does.
struct Line {
  int64_t nests = 0;      ///< innermost loops, or the only turns of such
  int64_t arrays = 0;     ///< that a line has for itself
  int64_t operations = 0; ///< of all turns of all nests, but for constants

  /// False where the body holds anything but nests of known length, of vectors.
  bool read(AffineForOp loop);

private:
  bool add(Block &body, int64_t turns);
};

bool Line::add(Block &body, int64_t turns) {
  bool hasLoops = !body.getOps<AffineForOp>().empty();
  for (Operation &op : body.without_terminator()) {
    if (auto inner = dyn_cast<AffineForOp>(op)) {
      std::optional<uint64_t> trips = affine::getConstantTripCount(inner);
      if (!trips || !inner.hasConstantBounds() || inner.getNumIterOperands() != 0 ||
          !add(*inner.getBody(), turns * static_cast<int64_t>(*trips)))
        return false;
      continue;
    }
    if (op.getNumRegions() != 0)
      return false;
    if (op.hasTrait<OpTrait::ConstantLike>())
      continue;
    if (isa<affine::AffineVectorLoadOp, affine::AffineVectorStoreOp>(op) || isMemoryEffectFree(&op))
      operations += turns;
    else
      return false;
  }
  nests += hasLoops ? 0 : 1;
  return true;
}

bool Line::read(AffineForOp loop) {
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (isa<memref::AllocaOp>(op)) {
      ++arrays;
      continue;
    }
    auto nest = dyn_cast<AffineForOp>(op);
    if (!nest && op.getNumRegions() == 0 && isMemoryEffectFree(&op))
      continue;
    std::optional<uint64_t> trips = nest ? affine::getConstantTripCount(nest) : std::nullopt;
    if (!trips || !nest.hasConstantBounds() || nest.getNumIterOperands() != 0 ||
        !add(*nest.getBody(), static_cast<int64_t>(*trips)))
      return false;
  }
  return arrays != 0 && nests > 1;
}

/// As many lines as go together: 1 where they do not.
int64_t togetherOf(const Line &line, int64_t window) {
  for (int64_t together : {4, 2})
    if (together * line.operations <= 2 * window)
      return together;
  return 1;
}

struct InterleaveLines : public weft::impl::InterleaveLinesBase<InterleaveLines> {
  using InterleaveLinesBase::InterleaveLinesBase;

  void runOnOperation() override {
    FailureOr<Target> target = Target::of(getOperation());
    if (failed(target))
      return signalPassFailure();
    std::optional<int64_t> window = target->numberIfAny("reorder_window");
    if (!window)
      return;
    SmallVector<AffineForOp> loops;
    getOperation().walk([&](AffineForOp loop) {
      if (loop->hasAttr("weft.independent"))
        loops.push_back(loop);
    });
    for (AffineForOp loop : loops) {
      Line line;
      std::optional<uint64_t> trips = affine::getConstantTripCount(loop);
      if (!trips || !loop.hasConstantBounds() || loop.getNumIterOperands() != 0 || !line.read(loop))
        continue;
      std::string name = spokenLoop(loop.getInductionVar());
      int64_t together = lines ? lines.getValue() : togetherOf(line, *window);
      bool isShort = together > 1;
      together = std::min<int64_t>(together, llvm::bit_floor(*trips / fewestTurns));
      if (together < 2) {
        Note note = notes.rejected(loop, "{0}: several turns beside each other", name);
        if (isShort)
          note.because("it has {0} turns", *trips);
        else
          note.because("{0} operations a turn; a core looks {1} ahead (reorder_window)",
                       line.operations, *window);
        note.number("operations", line.operations);
        continue;
      }
      notes.decided(loop, "{0}: {1} turns beside each other", name, together)
          .because("{0} operations a turn, in {1} nests; a core looks {2} ahead (reorder_window)",
                   line.operations, line.nests, *window)
          .number("operations", line.operations)
          .number("turns", together);
      if (failed(affine::loopUnrollJamByFactor(loop, together))) {
        loop.emitError("compiler bug: interleave-lines: turns of ")
            << name << " could not be put beside each other";
        return signalPassFailure();
      }
    }
  }
};

} // namespace
