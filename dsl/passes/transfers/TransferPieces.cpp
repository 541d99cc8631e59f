//===- TransferPieces.cpp - how much passes through an LDM at a time ----------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/transfers/TransferPieces.h"

#include "passes/loops/Functions.h"
#include "passes/transfers/Footprint.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

/// What one iteration of a loop does.
struct Work {
  double operations = 0; ///< a vector of lanes at a time, where there are lanes
  double functions = 0;  ///< those of the C library, number by number
};

static Work workOf(AffineForOp loop) {
  Work all;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (auto inner = dyn_cast<AffineForOp>(op)) {
      Work each = workOf(inner);
      all.operations += each.operations * double(tripsOf(inner));
      all.functions += each.functions * double(tripsOf(inner));
    } else {
      (isFunction(op) ? all.functions : all.operations) += 1;
    }
  }
  return all;
}

/// Numbers that a core does at a time in a loop: its vectors have lanes of floats only.
static double lanesOf(AffineForOp loop, const PieceMachine &machine) {
  if (!machine.mesh || !loop->hasAttr("weft.lane"))
    return 1;
  bool hasFloats = loop->walk([](Operation *op) {
                         return llvm::any_of(op->getResultTypes(), llvm::IsaPred<FloatType>)
                                    ? WalkResult::interrupt()
                                    : WalkResult::advance();
                       })
                       .wasInterrupted();
  return hasFloats ? double(machine.mesh->lanes) : 1;
}

/// What a piece of so many iterations moves: cycles of the memory that all cores share, and those
/// that the transfers of one core take by themselves.
struct Moved {
  double shared = 0, own = 0;
  bool hasParts = false; ///< of lines of memory, apart from each other
  size_t alone = 0;      ///< arrays that are accessed where they are, word by word
};

static Moved movedBy(AffineForOp loop, int64_t times, const PieceMachine &machine) {
  const MeshMachine &mesh = *machine.mesh;
  SmallVector<Operation *> ops{loop};
  Moved moved;
  double bytes = 0;
  FootprintAnalysis analysis(ops, machine.ldmBytes, loop, times);
  for (const Footprint &footprint : analysis.footprints()) {
    int64_t run = footprint.region.block, runs = footprint.region.elements() / run;
    int64_t element = elementBytes(footprint.array);
    moved.hasParts |= !footprint.region.counts.empty() && run * element < mesh.lineBytes;
    double fetched = panelMoved(runs, run, element, mesh);
    double own = fetched / double(mesh.lineBytes) * mesh.ownLineCycles + double(mesh.replyCycles);
    if (footprint.needsGet) {
      bytes += fetched;
      moved.own += own;
    }
    if (footprint.isWritten) {
      // A run of half a line begins as a longer one, a shorter one costs a part of that.
      double begins = std::min(1.0, double(2 * run * element) / double(mesh.lineBytes));
      bytes += double(runs) * (double(run * element) + begins * double(mesh.longRunBytes));
      moved.own += own;
    }
  }
  moved.shared = bytes / mesh.bytesPerCycle;
  moved.alone = analysis.others().size();
  return moved;
}

int64_t evenPieceOf(int64_t trips, int64_t most) {
  int64_t best = 1, least = 0;
  for (int64_t times = 1; times <= most; ++times)
    if (int64_t rest = trips % times, own = rest ? rest : times; own > least) {
      least = own;
      best = times;
    }
  return best;
}

/// Iterations of a piece, and what all pieces take then.
struct Choice {
  int64_t times;
  double cycles;
  bool hasParts = false; ///< moves parts of lines
  size_t alone = 0;      ///< arrays that it does not move
};

Piece pieceOf(AffineForOp loop, int64_t most, const PieceMachine &machine) {
  constexpr double start = 8, mostStart = 2000; // what a piece costs, in iterations and in cycles
  int64_t trips = tripsOf(loop), others = 1, sharing = isParallel(loop) ? machine.cores : 1;
  for (auto outer = dyn_cast<AffineForOp>(loop->getParentOp()); outer && isParallel(outer);
       outer = dyn_cast<AffineForOp>(outer->getParentOp()))
    others *= isParallel(loop) ? std::max<int64_t>(tripsOf(outer), 1) : 1;
  SmallVector<Choice> choices;
  Work work = workOf(loop);
  double lanes = lanesOf(loop, machine);
  double functions =
      work.functions * (machine.mesh ? machine.mesh->functionCycles : double(functionWork));
  // Whole vectors, but where functions, which have none, take most of the time.
  bool wholeVectors = loop->hasAttr("weft.lane") && work.operations >= functions;
  for (int64_t pieces = llvm::divideCeil(trips, most), n = 0; n < 2 * sharing && pieces <= trips;
       ++n, ++pieces) {
    int64_t times = llvm::divideCeil(trips, pieces);
    if (wholeVectors)
      times = std::min<int64_t>(llvm::alignTo(times, 8), trips);
    if (times > most || (!choices.empty() && choices.back().times == times))
      continue;
    int64_t rest = trips % times;
    double operations = work.operations / (double(times) < lanes ? 1 : lanes);
    double ofOne = operations + functions;
    double begins = std::min(start * operations, mostStart);
    double cycles = double(llvm::divideCeil(others * (trips / times), sharing)) *
                    (double(times) * ofOne + begins);
    if (rest)
      cycles += double(llvm::divideCeil(others, sharing)) * (double(rest) * ofOne + begins);
    choices.push_back({times, cycles});
  }
  auto less = [](const Choice &a, const Choice &b) { return a.cycles < b.cycles; };
  if (choices.empty())
    return {most, 0};
  if (!machine.mesh)
    return {llvm::min_element(choices, less)->times, 0};
  for (auto &[times, cycles, hasParts, alone] : choices) {
    Moved moved = movedBy(loop, times, machine);
    hasParts = moved.hasParts;
    alone = moved.alone;
    int64_t rounds = llvm::divideCeil(others * (trips / times), sharing);
    cycles +=
        std::max(double(others * trips) / double(times) * moved.shared, double(rounds) * moved.own);
    // Those left over are a nest of their own, for which a little less to move does not pay.
    if (trips % times != 0)
      cycles *= 1.02;
  }
  // Whatever it takes, it is less than single words do.
  auto fewest = llvm::min_element(
      choices, [](const Choice &a, const Choice &b) { return a.alone < b.alone; });
  llvm::erase_if(choices, [most = fewest->alone](const Choice &a) { return a.alone > most; });
  // Fewer cores with longer runs may be faster than all of them, as long as few keep memory busy:
  // where that is clear, if all of them would have even shares.
  auto even = std::stable_partition(choices.begin(), choices.end(), [&](const Choice &one) {
    int64_t pieces = others * (trips / one.times);
    return 8 * pieces >= 7 * sharing * int64_t(llvm::divideCeil(pieces, sharing));
  });
  auto best = std::min_element(choices.begin(), choices.end(), less);
  auto ofAll = std::min_element(choices.begin(), even, less);
  if (ofAll == even || 8 * others * (trips / best->times) >= 7 * sharing)
    return {best->times, best->cycles};
  double clearly = ofAll->hasParts ? 0.9 : 0.7;
  if (best->cycles >= clearly * ofAll->cycles)
    best = ofAll;
  return {best->times, best->cycles};
}

AffineForOp stripMine(AffineForOp loop, int64_t times) {
  int64_t step = loop.getStepAsInt();
  OpBuilder builder(loop);
  auto pieces = AffineForOp::create(builder, loop.getLoc(), loop.getConstantLowerBound(),
                                    loop.getConstantUpperBound(), step * times);
  pieces.getInductionVar().setLoc(loop.getInductionVar().getLoc());
  for (StringRef mark : {"weft.parallel", "weft.independent"})
    if (Attribute value = loop->removeDiscardableAttr(mark))
      pieces->setAttr(mark, value);
  if (pieces->hasAttr("weft.independent"))
    loop->setAttr("weft.independent", builder.getUnitAttr());
  loop->moveBefore(pieces.getBody()->getTerminator());
  loop.setConstantLowerBound(0);
  loop.setConstantUpperBound(times);
  loop.setStep(1);
  builder.setInsertionPointToStart(loop.getBody());
  AffineExpr base = builder.getAffineDimExpr(0), own = builder.getAffineDimExpr(1);
  auto apply = affine::AffineApplyOp::create(
      builder, loop.getInductionVar().getLoc(), AffineMap::get(2, 0, base + own * step),
      ValueRange{pieces.getInductionVar(), loop.getInductionVar()});
  loop.getInductionVar().replaceAllUsesExcept(apply, apply);
  return loop;
}

AffineForOp restOf(AffineForOp loop, int64_t rest) {
  AffineForOp outermost = loop;
  while (auto outer = dyn_cast<AffineForOp>(outermost->getParentOp())) {
    if (!isParallel(loop) || !isParallel(outer))
      break;
    outermost = outer;
  }
  OpBuilder builder(outermost->getContext());
  builder.setInsertionPointAfter(outermost);
  IRMapping mapping;
  builder.clone(*outermost, mapping);
  auto last = cast<AffineForOp>(mapping.lookup(loop.getOperation()));
  int64_t from = loop.getConstantLowerBound() + (tripsOf(loop) - rest) * loop.getStepAsInt();
  last.setConstantLowerBound(from);
  loop.setConstantUpperBound(from);
  return last;
}

} // namespace weft
