//===- TransferPieces.cpp - how much passes through an LDM at a time ----------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/TransferPieces.h"

#include "passes/Footprint.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

/// Operations of one iteration of a loop.
static double operationsOf(AffineForOp loop) {
  double all = 0;
  for (Operation &op : loop.getBody()->without_terminator()) {
    auto inner = dyn_cast<AffineForOp>(op);
    all += inner ? operationsOf(inner) * double(tripsOf(inner)) : 1;
  }
  return all;
}

/// Cycles of the memory that all cores share for what a piece of so many iterations moves.
static double memoryCycles(AffineForOp loop, int64_t times, const PieceMachine &machine) {
  const PanelMachine &mesh = *machine.mesh;
  SmallVector<Operation *> ops{loop};
  double bytes = 0;
  FootprintAnalysis analysis(ops, machine.ldmBytes, loop, times);
  for (const Footprint &footprint : analysis.footprints()) {
    int64_t run = footprint.region.block, runs = footprint.region.elements() / run;
    int64_t element = elementBytes(footprint.array);
    if (footprint.needsGet)
      bytes += panelMoved(runs, run, element, mesh);
    if (footprint.isWritten)
      bytes += double(runs) * double(run * element + mesh.longRunBytes);
  }
  return bytes / mesh.bytesPerCycle;
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

Piece pieceOf(AffineForOp loop, int64_t most, const PieceMachine &machine) {
  constexpr int64_t start = 8; // what a piece costs, in iterations
  int64_t trips = tripsOf(loop), others = 1, sharing = isParallel(loop) ? machine.cores : 1;
  for (auto outer = dyn_cast<AffineForOp>(loop->getParentOp()); outer && isParallel(outer);
       outer = dyn_cast<AffineForOp>(outer->getParentOp()))
    others *= isParallel(loop) ? std::max<int64_t>(tripsOf(outer), 1) : 1;
  SmallVector<std::pair<int64_t, double>> choices;
  double ofOne =
      operationsOf(loop) / (machine.mesh && loop->hasAttr("weft.lane") ? machine.mesh->lanes : 1);
  for (int64_t pieces = llvm::divideCeil(trips, most), n = 0; n < 2 * sharing && pieces <= trips;
       ++n, ++pieces) {
    int64_t times = llvm::divideCeil(trips, pieces);
    if (loop->hasAttr("weft.lane"))
      times = std::min<int64_t>(llvm::alignTo(times, 8), trips);
    if (times > most || (!choices.empty() && choices.back().first == times))
      continue;
    int64_t rest = trips % times;
    int64_t iterations = llvm::divideCeil(others * (trips / times), sharing) * (times + start);
    if (rest)
      iterations += llvm::divideCeil(others, sharing) * (rest + start);
    choices.push_back({times, double(iterations) * ofOne});
  }
  auto fewest = [&] {
    return *llvm::min_element(choices, [](auto &a, auto &b) { return a.second < b.second; });
  };
  if (choices.empty())
    return {most, 0};
  // Longer runs are no gain where cores have nothing to do.
  auto feeds = [&](int64_t times) { return others * (trips / times) >= sharing; };
  if (int64_t best = fewest().first; !machine.mesh || !feeds(best))
    return {best, 0};
  llvm::erase_if(choices, [&](auto &one) { return !feeds(one.first); });
  for (auto &[times, spent] : choices)
    spent += double(others * trips) / double(times) * memoryCycles(loop, times, machine);
  auto [times, cycles] = fewest();
  return {times, cycles};
}

} // namespace weft
