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
#include <utility>

using llvm::alignTo;
using llvm::divideCeil;

namespace weft {

namespace {

/// Rows or columns of a core's block at most.
constexpr int64_t mostExtent = 256;
/// Of the instructions that a core holds, what the terms of a step may take: a plan has up to four
/// forms of a step.
constexpr int64_t shareOfCode = 8;
/// Of a step whose factors are all there, beside its products: a turn of a loop.
constexpr int64_t panelOwnStep = 20;
/// What plans of cores that work for themselves take beyond what is counted, beside those that
/// share factors: waits for what comes for all, copies out of arrays. Fitted to products of
/// 100x100x10 to 512x512x512 numbers, of which each was run both ways.
constexpr double aloneShare = 1.1;
constexpr int64_t aloneStart = 25000;

class Search {
public:
  Search(const ProductShape &shape, const MeshMachine &machine) : shape(shape), machine(machine) {}

  std::optional<PanelPlan> run();
  int64_t leastBytes = 0; ///< of the plans that did not fit

private:
  llvm::SmallVector<int64_t> extents(int64_t whole, int64_t places, bool isFilledUp,
                                     bool isWhole) const;
  void tryBlocks(PanelPlan plan);
  void tryDepths(PanelPlan plan);
  void tryPlan(PanelPlan plan, const PanelRegisters &in);
  bool choosePhases(PanelPlan &plan, int64_t depth) const;
  void choosePhasesAlone(PanelPlan &plan, int64_t depth, int64_t steps) const;
  double sumsOverCores(PanelPlan &plan) const;
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
/// block that is the whole may be filled up, or be no multiple (`isWhole`).
llvm::SmallVector<int64_t> Search::extents(int64_t whole, int64_t places, bool isFilledUp,
                                           bool isWhole) const {
  llvm::SmallVector<int64_t> found;
  int64_t lanes = machine.lanes;
  auto add = [&](int64_t extent) {
    if (extent >= (isWhole ? 1 : lanes) && extent <= mostExtent &&
        !llvm::is_contained(found, extent))
      found.push_back(extent);
  };
  if (isWhole && places == 1)
    add(whole);
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

/// Panels that each core has for itself: of so many steps, then of what is left of them, and of
/// what is left of a step; where cores have parts of the terms, one more for some of them.
void Search::choosePhasesAlone(PanelPlan &plan, int64_t depth, int64_t steps) const {
  int64_t terms = plan.termsOfCore(shape), covered = 0;
  plan.phases.clear();
  auto add = [&](int64_t phaseSteps, int64_t phaseDepth) {
    int64_t panels =
        phaseSteps * phaseDepth > 0 ? (terms - covered) / (phaseSteps * phaseDepth) : 0;
    if (panels == 0)
      return;
    plan.phases.push_back({covered, phaseDepth, phaseSteps, panels});
    covered += panels * phaseSteps * phaseDepth;
  };
  add(steps, depth);
  plan.phases.front().ahead = plan.phases.front().panels * plan.blocks() > 1;
  add((terms - covered) / depth, depth);
  add(1, terms - covered);
  for (PanelPhase &phase : plan.phases)
    phase.forAll = plan.termPlaces == 1 && !plan.keepsForAll();
  if (shape.terms % plan.termPlaces != 0)
    plan.phases.push_back({terms * plan.termPlaces, 1, 1, 1, false, true});
}

/// What it costs to add what the cores have of all sums, so that each core has a part of them.
double Search::sumsOverCores(PanelPlan &plan) const {
  int64_t elements = panelSumsOf(plan.rows * plan.columnsThere(shape), machine);
  plan.bytes += arrayBytes(elements) - arrayBytes(plan.rows * plan.columns);
  if (plan.isFilledUp(shape))
    plan.bytes += arrayBytes(elements) - arrayBytes(plan.rows * plan.columnsThere(shape));
  double cycles = 0;
  for (int64_t others : {machine.meshColumns, machine.meshRows}) {
    plan.bytes += arrayBytes(elements) + arrayBytes(elements / others);
    double vectors = double(elements) / double(machine.lanes);
    cycles += vectors * (2 * panelMessage + panelCopy) + double(others * panelStep);
    elements /= others;
  }
  return cycles + double(panelTurn);
}

/// Bytes and cycles.
void Search::count(PanelPlan &plan, const PanelRegisters &in) const {
  int64_t rows = plan.rows, columns = plan.columns, cores = machine.meshRows * machine.meshColumns;
  int64_t there = plan.columnsThere(shape);
  bool isFilledUp = plan.isFilledUp(shape);
  plan.bytes = arrayBytes(rows * columns) + (isFilledUp ? arrayBytes(rows * there) : 0);
  double vectors = rows * columns / double(machine.lanes);
  int64_t runs = there == shape.resultApart ? 1 : rows;
  int64_t atWork = plan.coresAtWork(shape, cores);
  bool keeps = plan.keepsForAll();
  double put = double(plan.termPlaces == 1 ? atWork : 1) *
                   double(rows * there * shape.elementBytes + runs * machine.longRunBytes) /
                   machine.bytesPerCycle +
               double(panelTurn);
  double work = vectors + 4 * double(panelStep), beside = 0, alone = put;
  if (plan.termPlaces > 1)
    alone += sumsOverCores(plan);
  if (isFilledUp)
    work += vectors * panelRepitch;
  for (const PanelPhase &phase : plan.phases) {
    bool isAlone = phase.steps == 1;
    bool left = plan.sharesLeft() && !isAlone, right = plan.sharesRight() && !isAlone;
    int64_t terms = phase.depth * phase.steps;
    int64_t mineLeft = left ? phase.depth : terms, mineRight = right ? phase.depth : terms;
    int64_t ofLeft = arrayBytes(rows * mineLeft), ofRight = arrayBytes(columns * mineRight);
    bool leftAhead = phase.ahead && !(keeps && plan.isLeftForAll());
    bool rightAhead = phase.ahead && !(keeps && plan.isRightForAll());
    plan.bytes += ofLeft * (leftAhead ? 2 : 1) + ofRight * (rightAhead || isFilledUp ? 2 : 1);
    plan.bytes += (left ? ofLeft : 0) + (right ? ofRight : 0);
    double lines = shape.leftAlongTerms ? moved(rows, mineLeft, shape.leftApart)
                                        : moved(mineLeft, rows, shape.leftApart);
    double columnLines = moved(mineRight, there, shape.rightApart), forAll = 0;
    if (plan.isRightForAll())
      forAll = std::exchange(columnLines, 0);
    else if (plan.isLeftForAll())
      forAll = std::exchange(lines, 0);
    double transfer = double(atWork) * (lines + columnLines) / machine.bytesPerCycle;
    if (plan.isLeftForAll() || plan.isRightForAll()) {
      double comes = forAll / double(machine.lineBytes) * machine.ownLineCycles +
                     double(machine.replyCycles + 2 * panelStep);
      (keeps ? alone : transfer) += keeps ? comes / double(plan.blocks()) : comes;
    }
    double messages = ((left ? rows : 0) + (right ? columns : 0)) * phase.depth *
                      shape.elementBytes * panelMessage / machine.messageBytes;
    double ofPanel = phase.steps * (in.cyclesOfTerm * phase.depth + in.cyclesOfStep + messages +
                                    double(plan.isAlone ? panelOwnStep : panelStep));
    if (leftAhead)
      ofPanel += rows * mineLeft * panelCopy / double(machine.lanes);
    if (rightAhead || (isFilledUp && !(keeps && plan.isRightForAll())))
      ofPanel += columns * mineRight * (isFilledUp ? panelRepitch : panelCopy) / machine.lanes;
    work += phase.panels * ofPanel;
    (phase.ahead ? beside : alone) += phase.panels * transfer;
  }
  plan.cycles = plan.blocks() * (std::max(work, beside) + alone);
  if (plan.isAlone)
    plan.cycles = aloneShare * plan.cycles + aloneStart;
}

void Search::tryDepths(PanelPlan plan) {
  PanelRegisters in =
      choosePanelRegisters(plan.rows, plan.columns / machine.lanes, machine.registers);
  plan.registerRows = in.rows;
  plan.registerVectors = in.vectors;
  int64_t ofTerm = in.rows * in.vectors + in.rows + in.vectors;
  int64_t mostDepth = std::max<int64_t>(machine.codeInstructions / shareOfCode / ofTerm, 1);
  int64_t terms = plan.termsOfCore(shape);
  for (int64_t depth = 1; depth <= std::min(mostDepth, terms); ++depth) {
    if (!plan.isAlone) {
      if (choosePhases(plan, depth))
        tryPlan(plan, in);
      continue;
    }
    for (int64_t steps = terms / depth; steps >= 1; steps /= 2) {
      choosePhasesAlone(plan, depth, steps);
      tryPlan(plan, in);
    }
  }
}

void Search::tryPlan(PanelPlan plan, const PanelRegisters &in) {
  count(plan, in);
  if (plan.bytes > machine.ldmBytes)
    leastBytes = leastBytes ? std::min(leastBytes, plan.bytes) : plan.bytes;
  else if (!best || plan.cycles < best->cycles)
    best = plan;
}

void Search::tryBlocks(PanelPlan plan) {
  plan.batchRounds = divideCeil(shape.batch, plan.batchPlaces);
  for (int64_t rows : extents(shape.rows, plan.rowPlaces, false, plan.isAlone))
    for (int64_t columns : extents(shape.columns, plan.columnPlaces, true, false)) {
      plan.rows = rows;
      plan.columns = columns;
      plan.rowBlocks = divideCeil(shape.rows, plan.rowPlaces * rows);
      plan.columnBlocks = divideCeil(shape.columns, plan.columnPlaces * columns);
      // A core has the whole result in its own terms, each element where the others have it.
      bool isWhole = plan.rowBlocks * plan.columnBlocks == 1 && rows == shape.rows &&
                     plan.columnsThere(shape) == shape.resultApart;
      if (plan.termPlaces == 1 || isWhole)
        tryDepths(plan);
    }
}

std::optional<PanelPlan> Search::run() {
  // Of few rows or columns cores fetch for themselves what they need, unless all have parts of the
  // terms.
  bool isThin = std::min(shape.rows, shape.columns) < machine.lanes;
  for (bool overRows : {true, false})
    for (bool overColumns : {true, false}) {
      PanelPlan plan;
      plan.rowPlaces = overRows ? machine.meshRows : 1;
      plan.columnPlaces = overColumns ? machine.meshColumns : 1;
      plan.batchPlaces =
          machine.meshRows * machine.meshColumns / (plan.rowPlaces * plan.columnPlaces);
      // Steps are of a column and a row at once.
      if (isThin || (overRows && overColumns && machine.meshRows != machine.meshColumns))
        continue;
      tryBlocks(plan);
    }
  for (int64_t PanelPlan::*places :
       {&PanelPlan::rowPlaces, &PanelPlan::columnPlaces, &PanelPlan::termPlaces}) {
    if (isThin && (places != &PanelPlan::termPlaces || shape.batch != 1))
      continue;
    PanelPlan plan;
    plan.isAlone = true;
    plan.*places = machine.meshRows * machine.meshColumns;
    tryBlocks(plan);
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

int64_t PanelPlan::coresAtWork(const ProductShape &shape, int64_t cores) const {
  if (!isAlone || termPlaces > 1)
    return cores;
  return std::min(cores,
                  rowPlaces > 1 ? blocksOfRows(shape).count() : blocksOfColumns(shape).count());
}

int64_t panelSumsOf(int64_t elements, const MeshMachine &machine) {
  return alignTo(elements, machine.meshRows * machine.meshColumns * machine.lanes);
}

llvm::SmallVector<std::pair<int64_t, int64_t>> PanelPlan::partsOf(const ProductShape &shape) const {
  llvm::SmallVector<std::pair<int64_t, int64_t>> parts;
  for (int64_t height : {rows, blocksOfRows(shape).rest()})
    for (int64_t width : {columnsThere(shape), blocksOfColumns(shape).rest()})
      if (height * width > 0 && termPlaces == 1)
        parts.push_back({height, width});
  return parts;
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

std::optional<PanelPlan> planPanels(const ProductShape &shape, const MeshMachine &machine,
                                    std::string &why) {
  Search search(shape, machine);
  std::optional<PanelPlan> plan = search.run();
  if (!plan && search.leastBytes == 0)
    why = llvm::formatv("{0} rows and {1} columns: a core's block has {2} of each at least",
                        shape.rows, shape.columns, machine.lanes);
  else if (!plan)
    why = llvm::formatv("blocks and panels of a core take {0} bytes at least, of {1}",
                        search.leastBytes, machine.ldmBytes);
  return plan;
}

} // namespace weft
