//===- Unroll.cpp - short inner loops written out ---------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Copies of a body pay while their values fit the registers together and the code
// stays small; large bodies (a butterfly of radix 8 has about 100 operations) have
// enough work in one copy. The factor divides the number of iterations where it
// can, so that no loop is left for the rest. Where the target tells of its pipes, it is
// the one with the fewest cycles an iteration.
//
//===-----------------------------------------------------------------------===//

#include "dialect/Target.h"
#include "passes/Notes.h"
#include "passes/Passes.h"
#include "passes/loops/Hoist.h"
#include "passes/loops/Pressure.h"
#include "passes/loops/SharedLoads.h"
#include "passes/pipes/PipeModel.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/Dialect/Affine/LoopUtils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace weft {
#define GEN_PASS_DEF_UNROLL
#include "passes/Passes.h.inc"
} // namespace weft

using namespace mlir;
using affine::AffineForOp;

namespace {

constexpr weft::Notes notes("unroll");

/// Operations in an unrolled body at most, and iterations of a loop that is written
/// out whole.
constexpr int64_t mostOperations = 64, mostWhole = 4;

/// The same of sums over a window, 7 by 7 at most.
constexpr int64_t mostTerms = 7, mostOfWindow = 160;

/// Of the instructions that a core holds, what one loop may take: a kernel has several.
constexpr int64_t shareOfCode = 4;

bool hasVectors(Block &body) {
  return llvm::any_of(body.getOperations(), [](Operation &op) {
    return llvm::any_of(op.getOperandTypes(), llvm::IsaPred<VectorType>);
  });
}

class Unroll : public weft::impl::UnrollBase<Unroll> {
public:
  using UnrollBase::UnrollBase;
  void runOnOperation() override;

private:
  /// Copies of a body, and why so many: what the text speaks of in its order.
  struct Choice {
    int64_t copies;
    const char *reason;
    SmallVector<int64_t, 8> numbers = {};
  };
  Choice choose(AffineForOp loop, int64_t trips) const;
  Choice chooseByCycles(AffineForOp loop, int64_t trips, const weft::Pressure &pressure) const;
  void warn(AffineForOp loop, int64_t copies) const;
  static void explain(AffineForOp loop, int64_t trips, const Choice &choice);
  int64_t givenFactor(AffineForOp loop) const;

  int64_t registers = 0, maxUnroll = 1;
  std::optional<weft::PipeModel> pipes;
};

/// What the kernel's schedule asks for, else the pass's option; 0 where neither does.
int64_t Unroll::givenFactor(AffineForOp loop) const {
  auto kernel = loop->getParentOfType<func::FuncOp>();
  if (auto scheduled = kernel ? kernel->getAttrOfType<IntegerAttr>("weft.unroll") : IntegerAttr())
    return scheduled.getInt();
  return factor;
}

Unroll::Choice Unroll::choose(AffineForOp loop, int64_t trips) const {
  if (int64_t given = givenFactor(loop))
    return {std::min<int64_t>(given, trips), "the schedule or an option asks for {0}", {given}};
  int64_t operations = llvm::range_size(loop.getBody()->without_terminator());
  bool isSum = loop.getNumIterOperands() != 0 && hasVectors(*loop.getBody());
  if (isSum && !pipes && trips <= mostTerms && trips * operations <= mostOfWindow)
    return {trips, "so few terms of a sum are written out; {0} operations each", {operations}};
  if (operations == 0 || (operations > mostOperations && !pipes))
    return {1, "its body has {0} operations; copies pay up to {1}", {operations, mostOperations}};
  if (trips <= mostWhole && trips <= maxUnroll && trips * operations <= mostOperations)
    return {trips, "so few iterations are written out; {0} operations each", {operations}};
  // Copies of a scalar body would only repeat its index arithmetic: the sums that it
  // computes have to stay in order.
  if (!hasVectors(*loop.getBody()))
    return {1, "its body is scalar: copies would only repeat index arithmetic"};
  weft::Pressure pressure = weft::pressureOf(*loop.getBody());
  if (pipes)
    return chooseByCycles(loop, trips, pressure);
  int64_t fitting = (registers - pressure.outside) / std::max<int64_t>(pressure.within, 1);
  int64_t most = std::min({maxUnroll, fitting, mostOperations / operations, trips});
  const char *reason = fitting == most     ? "{0} vectors a copy and {1} for all, of {2} registers"
                       : maxUnroll == most ? "the target allows {3} copies (max_unroll)"
                       : trips == most     ? "it has {4} iterations"
                                           : "its body has {5} operations; copies pay up to {6}";
  SmallVector<int64_t, 8> numbers{pressure.within, pressure.outside, registers,      maxUnroll,
                                  trips,           operations,       mostOperations, most};
  for (int64_t candidate = most; candidate > 1; --candidate)
    if (trips % candidate == 0)
      return {candidate,
              candidate < most ? "the most up to {7} that divide its {4} iterations" : reason,
              numbers};
  // A rest is short beside the whole only in a long loop.
  if (most > 1 && trips >= 8 * most)
    return {most, reason, numbers};
  return {1, most > 1 ? "nothing up to {7} divides its {4} iterations" : reason, numbers};
}

/// The copies with the fewest cycles an iteration, of those whose values fit the registers and
/// whose code fits its share; of nearly equals the fewest copies.
Unroll::Choice Unroll::chooseByCycles(AffineForOp loop, int64_t trips,
                                      const weft::Pressure &pressure) const {
  Block &body = *loop.getBody();
  weft::PipeModel::Work one = pipes->work(body, 1), least = one;
  int64_t best = 1;
  for (int64_t copies = 2; copies <= std::min(maxUnroll, trips); ++copies) {
    if (trips % copies != 0 && trips < 8 * copies)
      continue;
    weft::PipeModel::Work work = pipes->work(body, copies);
    if (work.instructions * shareOfCode > pipes->codeInstructions() ||
        work.live + pressure.outside > registers)
      break;
    // By two in a hundred at least.
    if (work.cycles * best * 100 <= least.cycles * copies * 98) {
      best = copies;
      least = work;
    }
  }
  const char *reason =
      best == 1
          ? "{0} cycles an iteration; {1} values at a time and {2} for all, of {3} registers"
          : "{4} cycles a turn of {5} iterations instead of {0} an iteration; {1} values at a "
            "time and {2} for all, of {3} registers";
  return {best, reason, {one.cycles, least.live, pressure.outside, registers, least.cycles, best}};
}

/// Of copies that a schedule asks for: what does not fit the registers or the core's memory of
/// instructions.
void Unroll::warn(AffineForOp loop, int64_t copies) const {
  if (!pipes || copies == 1)
    return;
  weft::Pressure pressure = weft::pressureOf(*loop.getBody());
  weft::PipeModel::Work work = pipes->work(*loop.getBody(), copies);
  int64_t spills = work.live + pressure.outside - registers;
  std::string name = weft::spokenLoop(loop.getInductionVar());
  if (spills > 0) {
    loop.emitWarning() << "unroll: " << copies << " copies of the body of " << name
                       << " spill about " << spills << " values: expected at most " << registers
                       << " at a time, found " << work.live << " and " << pressure.outside
                       << " for all";
    notes.rejected(loop, "{0}: {1} copies in registers", name, copies)
        .because("about {0} values are spilled: {1} at a time and {2} for all, of {3} registers",
                 spills, work.live, pressure.outside, registers)
        .number("spills", spills);
  }
  int64_t code = work.instructions;
  if (code > pipes->codeInstructions()) {
    loop.emitWarning() << "unroll: " << copies << " copies of the body of " << name << " take "
                       << code << " instructions: a core holds " << pipes->codeInstructions();
    notes.rejected(loop, "{0}: {1} copies in the memory of instructions", name, copies)
        .because("{0} instructions; a core holds {1}", code, pipes->codeInstructions())
        .number("instructions", code);
  }
}

void Unroll::explain(AffineForOp loop, int64_t trips, const Choice &choice) {
  if (!weft::Notes::wanted(loop.getLoc()))
    return;
  std::string name = weft::spokenLoop(loop.getInductionVar());
  SmallVector<int64_t, 8> n(choice.numbers);
  n.resize(8);
  auto tell = [&](weft::Note note) {
    note.because(choice.reason, n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7])
        .number("copies", choice.copies)
        .number("iterations", trips);
  };
  if (choice.copies == 1)
    tell(notes.rejected(loop, "{0}: copies of its body", name));
  else if (choice.copies == trips)
    tell(notes.decided(loop, "{0}: all {1} iterations written out", name, trips));
  else
    tell(notes.decided(loop, "{0}: {1} copies of its body", name, choice.copies));
}

void Unroll::runOnOperation() {
  FailureOr<weft::Target> target = weft::Target::of(getOperation());
  if (failed(target))
    return signalPassFailure();
  FailureOr<int64_t> vectorRegisters = target->number("vector_registers");
  FailureOr<int64_t> most = target->number("max_unroll");
  if (failed(vectorRegisters) || failed(most))
    return signalPassFailure();
  if (factor < 0) {
    getOperation().emitError("unroll: expected a factor of 0 (chosen by cost) or more, found ")
        << factor.getValue();
    return signalPassFailure();
  }
  registers = *vectorRegisters;
  maxUnroll = *most;
  if (FailureOr<weft::VectorUnit> unit = target->vectors(); succeeded(unit))
    pipes = weft::PipeModel::of(*target, *unit);

  // What a loop has read by its own variable may vary no longer where that is a number.
  auto hoistFrom = [&](AffineForOp around) {
    if (pipes)
      weft::hoistOutwards(around, registers / 2);
  };

  // Inner loops first: one that is written out may leave its parent innermost.
  SmallVector<AffineForOp> loops;
  getOperation()->walk([&](AffineForOp loop) { loops.push_back(loop); });
  for (AffineForOp loop : loops) {
    std::optional<uint64_t> trips = affine::getConstantTripCount(loop);
    if (!trips || *trips == 0 || loop->hasAttr("weft.parallel"))
      continue;
    if (*trips == 1) {
      auto around = dyn_cast<AffineForOp>(loop->getParentOp());
      (void)affine::promoteIfSingleIteration(loop);
      hoistFrom(around);
      continue;
    }
    bool innermost = llvm::all_of(*loop.getBody(), [](Operation &op) {
      return op.getNumRegions() == 0 && !isa<memref::AllocaOp, memref::AllocOp>(op);
    });
    if (!innermost)
      continue;
    // Of scalars the C compiler makes vectors itself, where turns are not put together.
    if (!pipes && givenFactor(loop) == 0 && hasVectors(*loop.getBody()))
      if (std::optional<weft::Together> together = weft::shareLoads(loop, registers)) {
        notes
            .decided(loop, "{0}: {1} turns of it and of loops around it as one",
                     weft::spokenLoop(loop.getInductionVar()), together->copies)
            .because("they load the same: {0} loads a turn instead of {1}", together->shared,
                     together->alone)
            .number("copies", together->copies);
        weft::putTogether(*together);
        continue;
      }
    Choice choice = choose(loop, static_cast<int64_t>(*trips));
    int64_t &copies = choice.copies;
    // Upstream's loop for the rest confuses carried values that start alike.
    while (loop.getNumIterOperands() > 1 && *trips % copies != 0)
      --copies;
    explain(loop, static_cast<int64_t>(*trips), choice);
    if (givenFactor(loop))
      warn(loop, copies);
    if (copies == static_cast<int64_t>(*trips)) {
      auto around = dyn_cast<AffineForOp>(loop->getParentOp());
      (void)affine::loopUnrollFull(loop);
      hoistFrom(around);
    } else if (copies > 1) {
      (void)affine::loopUnrollByFactor(loop, copies);
    }
  }
}

} // namespace
