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
// nests of all, then the second ones, each line in an array of its own. What a core looks at is
// then work of several lines. A line as long as what a core looks ahead has work enough of its own,
// and more at a time would only take more memory. What goes together is written out, as far as a
// body's vectors fit the registers: where loops of two turns end a core guesses wrong as often as
// right. A body that spills is left to its loop, for a C compiler would spill across all its
// copies.
//
//===-----------------------------------------------------------------------===//

#include "dialect/Target.h"
#include "passes/Notes.h"
#include "passes/Passes.h"
#include "passes/loops/Pressure.h"

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

/// Turns of a nest at most: where there are more, as over columns side by side, what the first ones
/// of the next nest load was stored long before (columns of 4 points, eight turns a nest: 0.81
/// times as fast).
constexpr int64_t mostTurnsOfNest = 4;

/// What one turn of a loop over lines does.
struct Line {
  int64_t nests = 0;      ///< innermost loops
  int64_t longest = 0;    ///< turns of a nest, at most
  int64_t arrays = 0;     ///< that a line has for itself
  int64_t operations = 0; ///< of all turns of all nests, with what is spilled, but for constants
  bool fits = true;       ///< no nest spills

  /// False where the body holds anything but arrays and nests of known length, of vectors.
  bool read(AffineForOp loop, int64_t registers);

private:
  bool add(AffineForOp nest, int64_t turns, int64_t registers);
};

/// The number of turns of a loop that nothing is carried through, 0 where that is not known.
int64_t turnsOf(AffineForOp loop) {
  if (!loop.hasConstantBounds() || loop.getNumIterOperands() != 0)
    return 0;
  return static_cast<int64_t>(affine::getConstantTripCount(loop).value_or(0));
}

bool isSimple(Operation &op) {
  return op.getNumRegions() == 0 &&
         (isMemoryEffectFree(&op) || isa<affine::AffineVectorLoadOp, affine::AffineVectorStoreOp,
                                         affine::AffineLoadOp, affine::AffineStoreOp>(op));
}

bool Line::add(AffineForOp nest, int64_t turns, int64_t registers) {
  turns *= turnsOf(nest);
  Block &body = *nest.getBody();
  bool isInnermost = body.getOps<AffineForOp>().empty(), hasVectors = false;
  for (Operation &op : body.without_terminator()) {
    if (auto inner = dyn_cast<AffineForOp>(op)) {
      if (!add(inner, turns, registers))
        return false;
      continue;
    }
    if (!isSimple(op))
      return false;
    operations += op.hasTrait<OpTrait::ConstantLike>() ? 0 : turns;
    hasVectors |= isa<affine::AffineVectorStoreOp>(op);
  }
  if (isInnermost) {
    // Each is stored and loaded again.
    int64_t spills = pressureOf(body).spills(registers);
    operations += 2 * spills * turns;
    fits &= spills == 0;
    longest = std::max(longest, turns);
    ++nests;
  }
  return turns != 0 && (hasVectors || !isInnermost);
}

bool Line::read(AffineForOp loop, int64_t registers) {
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (isa<memref::AllocaOp>(op)) {
      ++arrays;
      continue;
    }
    auto nest = dyn_cast<AffineForOp>(op);
    if (nest ? !add(nest, 1, registers) : op.getNumRegions() != 0 || !isMemoryEffectFree(&op))
      return false;
  }
  return arrays != 0 && nests > 1;
}

/// As many lines as go together: 1 where they do not.
int64_t togetherOf(const Line &line, int64_t window) {
  if (line.longest > mostTurnsOfNest)
    return 1;
  for (int64_t together : {4, 2})
    if (together * line.operations <= 2 * window)
      return together;
  return 1;
}

/// All turns of all loops in a body one after the other; the innermost ones come first.
void writeOut(AffineForOp loop) {
  SmallVector<AffineForOp> nests;
  loop.getBody()->walk([&](AffineForOp nest) { nests.push_back(nest); });
  for (AffineForOp nest : nests)
    (void)affine::loopUnrollFull(nest);
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
    FailureOr<int64_t> registers = target->number("vector_registers");
    if (failed(registers))
      return signalPassFailure();
    SmallVector<AffineForOp> loops;
    getOperation().walk([&](AffineForOp loop) {
      if (loop->hasAttr("weft.independent") && turnsOf(loop) != 0)
        loops.push_back(loop);
    });
    for (AffineForOp loop : loops) {
      Line line;
      if (!line.read(loop, *registers))
        continue;
      int64_t most = togetherOf(line, *window), turns = turnsOf(loop);
      int64_t together = std::min<int64_t>(most, llvm::bit_floor<uint64_t>(turns / fewestTurns));
      std::string name = spokenLoop(loop.getInductionVar());
      if (together < 2) {
        Note note = notes.rejected(loop, "{0}: several turns beside each other", name);
        if (most > 1)
          note.because("it has {0} turns", turns);
        else if (line.longest > mostTurnsOfNest)
          note.because("a nest of {0} turns: the next one's first find what they load stored",
                       line.longest);
        else
          note.because("{0} operations a turn: a core that looks {1} ahead (reorder_window) has "
                       "enough of one",
                       line.operations, *window);
        note.number("operations", line.operations);
        continue;
      }
      notes.decided(loop, "{0}: {1} turns beside each other", name, together)
          .because("{0} operations a turn, in {1} nests: a core that looks {2} ahead "
                   "(reorder_window) would wait for one",
                   line.operations, line.nests, *window)
          .number("operations", line.operations)
          .number("turns", together);
      if (failed(affine::loopUnrollJamByFactor(loop, together))) {
        loop.emitError("interleave-lines: its turns could not be put beside each other");
        return signalPassFailure();
      }
      if (line.fits)
        writeOut(loop);
    }
  }
};

} // namespace
