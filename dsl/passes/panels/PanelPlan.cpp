//===- PanelPlan.cpp - how a mesh of cores shares products of matrices ------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// All plans of a few sizes are tried by a count of cycles: products by the pipe that makes them,
// messages and copies by the pipe that loads and stores, transfers by lines of main memory. A
// panel's transfer goes on beside the products of the panel before.
//
//===-----------------------------------------------------------------------===//

#include "passes/panels/PanelPlan.h"

#include "passes/transfers/LdmPlan.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <numeric>

using llvm::alignTo;
using llvm::divideCeil;

namespace weft {

namespace {

/// Rows or columns of a core's block at most.
constexpr int64_t mostExtent = 256;
/// Of the instructions that a core holds, what the terms of a step may take: a plan has up to three
/// forms of a step.
constexpr int64_t shareOfCode = 8;

class Search {
public:
  Search(const ProductShape &shape, const MeshMachine &machine) : shape(shape), machine(machine) {}

  std::optional<PanelPlan> run();
  int64_t leastBytes = 0; ///< of the plans that did not fit

private:
  llvm::SmallVector<int64_t> extents(int64_t whole, int64_t places, bool isFilledUp) const;
  void tryDepths(PanelPlan plan);
  bool choosePhases(PanelPlan &plan, int64_t depth) const;
  void count(PanelPlan &plan, const PanelRegisters &in) const;
  int64_t arrayBytes(int64_t elements) const { return ldmBytesOf(elements, shape.elementBytes); }
  double moved(int64_t runs, int64_t run, int64_t apart) const {
    return run == apart ? panelMoved(1, runs * run, shape.elementBytes, machine)
                        : panelMoved(runs, run, shape.elementBytes, machine);
  }

  const ProductShape &shape;
  const MeshMachine &machine;
  std::optional<PanelPlan> best;
};

/// Extents of a core's block, multiples of the lanes, with which so many places cover the whole; a
/// block that is the whole may be filled up.
llvm::SmallVector<int64_t> Search::extents(int64_t whole, int64_t places, bool isFilledUp) const {
  llvm::SmallVector<int64_t> found;
  int64_t lanes = machine.lanes;
  auto add = [&](int64_t extent) {
    if (extent >= lanes && extent <= mostExtent && !llvm::is_contained(found, extent))
      found.push_back(extent);
  };
  auto most = static_cast<int64_t>(divideCeil(whole, places * lanes)) + 1;
  for (int64_t blocks = 1; blocks <= most; ++blocks) {
    int64_t extent = alignTo(divideCeil(whole, places * blocks), lanes);
    if (extent > whole)
      extent -= lanes;
    if (extent * places * blocks >= whole)
      add(extent);
  }
  // As many vectors as those in registers divide.
  for (int64_t vectors : {1, 2, 4})
    if (isFilledUp && places == 1)
      add(alignTo(whole, vectors * lanes));
  return found;
}

/// False where parts are no whole messages.
bool Search::choosePhases(PanelPlan &plan, int64_t depth) const {
  int64_t steps = plan.sharesLeft() ? machine.meshColumns : 1;
  if (plan.sharesRight())
    steps = machine.meshRows;
  int64_t message = machine.messageBytes / shape.elementBytes, whole = 1;
  if (plan.sharesLeft())
    whole = std::max(whole, message / std::gcd(message, plan.rows));
  if (plan.sharesRight())
    whole = std::max(whole, message / std::gcd(message, plan.columns));
  if (depth % whole)
    return false;
  plan.phases = panelPhases(shape.terms, steps, depth, whole, plan.blocks());
  return true;
}

/// Bytes and cycles.
void Search::count(PanelPlan &plan, const PanelRegisters &in) const {
  int64_t rows = plan.rows, columns = plan.columns, cores = machine.meshRows * machine.meshColumns;
  int64_t there = plan.columnsThere(shape);
  bool isFilledUp = plan.isFilledUp(shape);
  plan.bytes = arrayBytes(rows * columns) + (isFilledUp ? arrayBytes(rows * there) : 0);
  double vectors = rows * columns / double(machine.lanes);
  int64_t runs = there == shape.resultApart ? 1 : rows;
  double put = double(cores) *
                   double(rows * there * shape.elementBytes + runs * machine.longRunBytes) /
                   machine.bytesPerCycle +
               double(panelTurn) * plan.rowTurns(shape) * plan.columnTurns(shape);
  double work = vectors + 4 * double(panelStep), beside = 0, alone = put;
  if (isFilledUp)
    work += vectors * panelRepitch;
  for (const PanelPhase &phase : plan.phases) {
    bool isAlone = phase.steps == 1;
    bool left = plan.sharesLeft() && !isAlone, right = plan.sharesRight() && !isAlone;
    int64_t terms = phase.depth * phase.steps;
    int64_t mineLeft = left ? phase.depth : terms, mineRight = right ? phase.depth : terms;
    int64_t ofLeft = arrayBytes(rows * mineLeft), ofRight = arrayBytes(columns * mineRight);
    plan.bytes += (ofLeft + ofRight) * (phase.ahead ? 2 : 1);
    if (isFilledUp && !phase.ahead)
      plan.bytes += ofRight;
    plan.bytes += (left ? ofLeft : 0) + (right ? ofRight : 0);
    double lines = shape.leftAlongTerms ? moved(rows, mineLeft, shape.leftApart)
                                        : moved(mineLeft, rows, shape.leftApart);
    double transfer =
        cores * (lines + moved(mineRight, there, shape.rightApart)) / machine.bytesPerCycle;
    double messages = ((left ? rows : 0) + (right ? columns : 0)) * phase.depth *
                      shape.elementBytes * panelMessage / machine.messageBytes;
    double ofPanel = phase.steps * (in.cyclesOfTerm * phase.depth + in.cyclesOfStep + messages +
                                    double(panelStep));
    if (phase.ahead)
      ofPanel += rows * mineLeft * panelCopy / double(machine.lanes);
    if (phase.ahead || isFilledUp)
      ofPanel += columns * mineRight * (isFilledUp ? panelRepitch : panelCopy) / machine.lanes;
    work += phase.panels * ofPanel;
    (phase.ahead ? beside : alone) += phase.panels * transfer;
  }
  plan.cycles = plan.blocks() * (std::max(work, beside) + alone);
}

void Search::tryDepths(PanelPlan plan) {
  PanelRegisters in =
      choosePanelRegisters(plan.rows, plan.columns / machine.lanes, machine.registers);
  plan.registerRows = in.rows;
  plan.registerVectors = in.vectors;
  int64_t ofTerm = in.rows * in.vectors + in.rows + in.vectors;
  int64_t mostDepth = std::max<int64_t>(machine.codeInstructions / shareOfCode / ofTerm, 1);
  for (int64_t depth = 1; depth <= std::min(mostDepth, shape.terms); ++depth) {
    if (!choosePhases(plan, depth))
      continue;
    count(plan, in);
    if (plan.bytes > machine.ldmBytes)
      leastBytes = leastBytes ? std::min(leastBytes, plan.bytes) : plan.bytes;
    else if (!best || plan.cycles < best->cycles)
      best = plan;
  }
}

std::optional<PanelPlan> Search::run() {
  for (bool overRows : {true, false})
    for (bool overColumns : {true, false}) {
      PanelPlan plan;
      plan.rowPlaces = overRows ? machine.meshRows : 1;
      plan.columnPlaces = overColumns ? machine.meshColumns : 1;
      plan.batchPlaces =
          machine.meshRows * machine.meshColumns / (plan.rowPlaces * plan.columnPlaces);
      // Steps are of a column and a row at once.
      if (overRows && overColumns && machine.meshRows != machine.meshColumns)
        continue;
      plan.batchRounds = divideCeil(shape.batch, plan.batchPlaces);
      for (int64_t rows : extents(shape.rows, plan.rowPlaces, false))
        for (int64_t columns : extents(shape.columns, plan.columnPlaces, true)) {
          plan.rows = rows;
          plan.columns = columns;
          plan.rowBlocks = divideCeil(shape.rows, plan.rowPlaces * rows);
          plan.columnBlocks = divideCeil(shape.columns, plan.columnPlaces * columns);
          tryDepths(plan);
        }
    }
  if (best)
    best->bound = double(shape.batch) * shape.rows * shape.columns * shape.terms /
                  (machine.lanes * machine.meshRows * machine.meshColumns);
  return best;
}

} // namespace

PanelRegisters choosePanelRegisters(int64_t rows, int64_t vectors, int64_t registers) {
  PanelRegisters best;
  for (int64_t height = 1; height <= std::min<int64_t>(rows, 8); ++height)
    for (int64_t width = 1; width <= std::min<int64_t>(vectors, 6); ++width) {
      // Factors of the columns, and of some rows.
      if (rows % height || vectors % width || height * width + width + 4 > registers)
        continue;
      int64_t blocks = (rows / height) * (vectors / width);
      double term = blocks * double(std::max({height * width, height + width + 1, panelChain}));
      double step = blocks * double(panelBlockStart);
      if (best.rows == 0 || term * 8 + step < best.cyclesOfTerm * 8 + best.cyclesOfStep)
        best = {height, width, term, step};
    }
  return best;
}

llvm::SmallVector<PanelPhase, 3> panelPhases(int64_t terms, int64_t steps, int64_t depth,
                                             int64_t whole, int64_t blocks) {
  llvm::SmallVector<PanelPhase, 3> phases;
  int64_t covered = 0;
  auto add = [&](int64_t phaseSteps, int64_t phaseDepth) {
    int64_t panels = phaseDepth ? (terms - covered) / (phaseSteps * phaseDepth) : 0;
    if (panels == 0)
      return;
    phases.push_back({covered, phaseDepth, phaseSteps, panels, false});
    covered += panels * phaseSteps * phaseDepth;
  };
  add(steps, depth);
  if (!phases.empty())
    phases.front().ahead = phases.front().panels * blocks > 1;
  add(steps, (terms - covered) / steps / whole * whole);
  add(1, terms - covered);
  return phases;
}

int64_t turnsOf(int64_t extent, int64_t width, int64_t count) {
  if (count == 1 || extent == width * count)
    return 1;
  int64_t apart = (extent - width) / (count - 1);
  return apart ? std::min<int64_t>(divideCeil(width, apart), count) : count;
}

std::optional<PanelPlan> planPanels(const ProductShape &shape, const MeshMachine &machine,
                                    std::string &why) {
  if (shape.rows < machine.lanes || shape.columns < machine.lanes) {
    why = llvm::formatv("{0} rows and {1} columns: a core's block has {2} of each at least",
                        shape.rows, shape.columns, machine.lanes);
    return std::nullopt;
  }
  Search search(shape, machine);
  std::optional<PanelPlan> plan = search.run();
  if (!plan)
    why = llvm::formatv("blocks and panels of a core take {0} bytes at least, of {1}",
                        search.leastBytes, machine.ldmBytes);
  return plan;
}

} // namespace weft
