//===- SharePanels.cpp - products of matrices by a mesh of cores ------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// A core that fetches all that its part of a product needs fetches each element of a factor once
// for every core of a row or a column. Here it fetches its own part of a panel, and gets the rest
// by messages: the cores of one column of the mesh after the other send what they have of the left
// factor along their rows, those of one row after the other what they have of the right factor
// along their columns. A block of the result stays with each core, and some of its sums in
// registers, while panels along the reduced index pass by.
//
// The plan is PanelPlan's, the code PanelLoops'. Here nests are found, and left as they are where
// memory does not hold the factors and the result in a way that transfers can follow.
//
//===-----------------------------------------------------------------------===//

#include "dialect/Cpe.h"
#include "dialect/Target.h"
#include "passes/Notes.h"
#include "passes/Passes.h"
#include "passes/lowering/ContractionLoops.h"
#include "passes/mesh/NestsAround.h"
#include "passes/mesh/NestsOnCores.h"
#include "passes/panels/TileNests.h"
#include "passes/panels/WindowLoops.h"
#include "passes/transfers/Footprint.h"

#include <cmath>

namespace weft {
#define GEN_PASS_DEF_SHAREPANELS
#include "passes/Passes.h.inc"
} // namespace weft

using namespace mlir;
using affine::AffineForOp;

namespace {

constexpr weft::Notes notes("share-panels");

/// Products together give way where their cycles are so many times those of products apart:
/// estimates of nests know neither vectors nor waiting. In the emulator those of 6x6x6 (estimated
/// 5 times), 7x5x9 (3 times) and 4x32x4 (1.4 times) were faster apart, 16x8x16 (once) slower.
constexpr double clearly = 1.25;

/// A marked loop over columns, those around it and those over the terms of its sum.
struct MarkedNest {
  AffineForOp columns;
  SmallVector<AffineForOp> around, terms; ///< outermost first
  weft::PanelAccess left, right, result;
  Operation *store = nullptr;

  static std::optional<MarkedNest> of(AffineForOp columns);
  /// As products of matrices; nothing where it has another form.
  std::optional<weft::PanelNest> products() const;
};

bool isPlain(AffineForOp loop) {
  return loop && loop.hasConstantBounds() && loop.getConstantLowerBound() == 0 &&
         loop.getStepAsInt() == 1;
}

bool holdsOnly(AffineForOp loop, Operation *inner) {
  return llvm::hasSingleElement(loop.getBody()->without_terminator()) &&
         &loop.getBody()->front() == inner;
}

std::optional<MarkedNest> MarkedNest::of(AffineForOp columns) {
  MarkedNest nest;
  nest.columns = columns;
  affine::AffineStoreOp store;
  AffineForOp terms;
  for (Operation &op : columns.getBody()->without_terminator()) {
    if (auto loop = dyn_cast<AffineForOp>(op))
      terms = loop;
    if (auto one = dyn_cast<affine::AffineStoreOp>(op))
      store = one;
  }
  if (!isPlain(columns) || !store || !terms || store.getValueToStore() != terms->getResult(0))
    return std::nullopt;
  // One in the other, each passing its sum on.
  for (AffineForOp loop = terms; loop;) {
    if (!isPlain(loop) || loop.getNumResults() != 1)
      return std::nullopt;
    nest.terms.push_back(loop);
    auto inner = loop.getBody()->getOps<AffineForOp>();
    loop = inner.empty() ? AffineForOp() : *inner.begin();
  }
  AffineForOp inner = columns;
  while (auto outer = dyn_cast<AffineForOp>(inner->getParentOp())) {
    if (!isPlain(outer) || !holdsOnly(outer, inner) || !outer->hasAttr("weft.independent"))
      break;
    nest.around.insert(nest.around.begin(), outer);
    inner = outer;
  }
  if (nest.around.empty())
    return std::nullopt;
  auto result = weft::PanelAccess::of(store);
  SmallVector<weft::PanelAccess> factors;
  for (auto load : nest.terms.back().getBody()->getOps<affine::AffineLoadOp>())
    if (auto access = weft::PanelAccess::of(load))
      factors.push_back(*access);
  if (!result || factors.size() != 2)
    return std::nullopt;
  if (factors[0].strideOf(columns.getInductionVar()) != 0)
    std::swap(factors[0], factors[1]);
  nest.left = factors[0];
  nest.right = factors[1];
  nest.result = *result;
  nest.store = store;
  return nest;
}

std::optional<weft::PanelNest> MarkedNest::products() const {
  if (terms.size() != 1)
    return std::nullopt;
  weft::PanelNest nest;
  nest.columns = columns;
  nest.rows = nest.outermost = around.back();
  if (around.size() > 1)
    nest.batch = nest.outermost = around[around.size() - 2];
  nest.terms = terms.front();
  nest.left = left;
  nest.right = right;
  nest.result = result;
  return nest;
}

struct SharePanels : public weft::impl::SharePanelsBase<SharePanels> {
  using SharePanelsBase::SharePanelsBase;

  void runOnOperation() override {
    FailureOr<weft::Target> target = weft::Target::of(getOperation());
    if (failed(target))
      return signalPassFailure();
    std::optional<weft::MeshMachine> machine = weft::MeshMachine::of(*target);
    if (!machine)
      return;
    FailureOr<weft::StartCosts> starts = weft::StartCosts::of(*target);
    if (failed(starts))
      return signalPassFailure();
    costs = *starts;
    SmallVector<AffineForOp> marked;
    getOperation().walk([&](AffineForOp loop) {
      if (loop->removeDiscardableAttr(weft::sharedMark) &&
          loop->getParentOfType<weft::cpe::CoresOp>())
        marked.push_back(loop);
    });
    for (AffineForOp loop : marked)
      share(loop, *machine, target->flag("fma"));
  }

  /// Cycles of products of which each core does whole ones, many at a time, as of any nest; no
  /// number where there are fewer than cores.
  double cyclesApart(const weft::PanelNest &products, const weft::MeshMachine &machine) {
    weft::CoreNest nest{products.outermost};
    nest.parts = machine.meshRows * machine.meshColumns;
    if (products.shape().batch < nest.parts)
      return std::numeric_limits<double>::infinity();
    llvm::DenseMap<Value, double> seen;
    costs->estimate(nest, seen);
    // Some cores have one more than others.
    double most = std::ceil(double(products.shape().batch) / double(nest.parts));
    return nest.together * most * double(nest.parts) / double(products.shape().batch);
  }

  void share(AffineForOp loop, const weft::MeshMachine &machine, bool fma) {
    auto rejected = [&] {
      return notes.rejected(loop, "{0}: its products by all cores together",
                            weft::spokenLoop(loop.getInductionVar()));
    };
    std::optional<MarkedNest> marked = MarkedNest::of(loop);
    if (!marked) {
      rejected().because("it is no nest over rows, columns and terms any more");
      return;
    }
    std::string why, name = nameOf(*marked);
    std::optional<weft::PanelNest> products = marked->products();
    if (products && !products->problem()) {
      auto plan = weft::planPanels(products->shape(), machine, why);
      double apart = plan ? cyclesApart(*products, machine) : 0;
      if (shareTiles(loop, name, *products, plan, machine, fma))
        return;
      if (plan && clearly * apart < plan->cycles) {
        rejected()
            .because(
                "about {0} cycles, {1} where each core has whole ones of {2} products by itself",
                static_cast<int64_t>(plan->cycles), static_cast<int64_t>(apart),
                products->shape().batch)
            .number("cycles", static_cast<int64_t>(plan->cycles))
            .number("apart", static_cast<int64_t>(apart));
        return;
      }
      if (plan) {
        tell(loop, name, *products, *plan, machine);
        weft::writePanelLoops(*products, *plan, machine, fma);
        return;
      }
    } else {
      auto windows = weft::WindowNest::of(marked->around, loop, marked->terms, marked->left,
                                          marked->right, marked->result);
      if (const char *problem = windows.problem())
        why = products ? products->problem() : problem;
      else if (auto plan = planWindows(windows, marked->store, machine, why)) {
        tell(loop, name, windows, *plan, machine);
        if (windows.border && windows.border->needsOtherResult)
          windows.result.memref = weft::ownMemory(windows.result.memref, windows.reader());
        weft::writeWindowLoops(windows, *plan, machine, fma);
        return;
      }
    }
    rejected().because("{0}", why);
  }

  /// With what is done with each result, if there is such a nest.
  static std::optional<weft::WindowPlan> planWindows(weft::WindowNest &nest, Operation *store,
                                                     const weft::MeshMachine &machine,
                                                     std::string &why) {
    nest.findLast(store, machine);
    nest.findBorder();
    return weft::planWindows(nest.shape(), machine, why);
  }

  /// Where what goes into products and what comes out of them are tiles that are transformed: all
  /// three in one, if that is faster than tiles that go through memory.
  static bool shareTiles(AffineForOp loop, const std::string &name, const weft::PanelNest &products,
                         const std::optional<weft::PanelPlan> &alone,
                         const weft::MeshMachine &machine, bool fma) {
    std::string why;
    std::optional<weft::TileNests> nests = weft::TileNests::of(products, machine, why);
    std::optional<weft::TilePlan> plan;
    weft::TileShape shape;
    if (nests) {
      shape = nests->shape();
      plan = weft::planTiles(shape, machine, why);
    }
    if (plan && alone) {
      double through = alone->cycles + weft::tilesThroughMemory(shape, machine);
      if (plan->cycles > through) {
        why = llvm::formatv("about {0} cycles, and {1} with tiles that go through memory",
                            static_cast<int64_t>(plan->cycles), static_cast<int64_t>(through));
        plan.reset();
      }
    }
    if (!plan) {
      notes.rejected(loop, "{0}: tiles that stay with the cores", name).because("{0}", why);
      return false;
    }
    tell(loop, name, *plan, machine);
    if (nests->border && nests->border->needsOtherResult)
      nests->results.outer = weft::ownMemory(nests->results.outer, nests->results.outermost);
    weft::writeTileLoops(*nests, *plan, machine, fma);
    return true;
  }

  static void tell(AffineForOp loop, const std::string &name, const weft::TilePlan &plan,
                   const weft::MeshMachine &machine) {
    weft::Note note = notes.decided(
        loop,
        "{0}: tiles stay with the cores, {1} of {2} channels each, {3} filters a core at a time, "
        "{4} points a step, {5} rows by {6} vectors in registers; filters {7}",
        name, plan.tiles, plan.channels, plan.filters, plan.group, plan.registerRows,
        plan.registerVectors, plan.keepsFilters ? "stay" : "come in each round");
    tellCosts(note, plan, machine);
    note.number("tiles", plan.tiles).number("filters", plan.filters).number("points", plan.group);
  }

  /// Of what a nest makes: its memory may have been that of something else before.
  static std::string nameOf(const MarkedNest &nest) {
    return weft::nameIn(nest.store->getLoc()).empty() ? weft::spoken(nest.result.memref)
                                                      : weft::spoken(nest.store);
  }

  static void tell(AffineForOp loop, const std::string &name, const weft::WindowNest &nest,
                   const weft::WindowPlan &plan, const weft::MeshMachine &machine) {
    weft::WindowShape shape = nest.shape();
    int64_t depth = plan.phases.front().depth;
    weft::Note note = notes.decided(
        loop,
        "{0}: windows of {1} in {2} channels of {3} images, in blocks of {4} filters by {5} lines "
        "a core, {6} filters by {7} vectors in registers, {8} channels a step",
        name, shape.taps, shape.channels, shape.images, plan.filters, plan.lines, plan.registerRows,
        plan.registerVectors, depth);
    tellCosts(note, plan, machine);
    note.number("filters", plan.filters).number("lines", plan.lines).number("depth", depth);
  }

  static void tell(AffineForOp loop, const std::string &name, const weft::PanelNest &nest,
                   const weft::PanelPlan &plan, const weft::MeshMachine &machine) {
    weft::ProductShape shape = nest.shape();
    int64_t depth = plan.phases.front().depth;
    std::string how = llvm::formatv("{0} at a time", plan.batchPlaces);
    if (plan.isAlone)
      how = llvm::formatv("each core a part of the {0} and all that it needs",
                          plan.rowPlaces > 1      ? "rows"
                          : plan.columnPlaces > 1 ? "columns"
                                                  : "terms");
    weft::Note note = notes.decided(
        loop,
        "{0}: {1} products of {2} by {3} by {4}, {5}, in blocks of {6} by {7} a core, "
        "{8} rows by {9} vectors in registers, {10} terms a step",
        name, shape.batch, shape.rows, shape.terms, shape.columns, how, plan.rows, plan.columns,
        plan.registerRows, plan.registerVectors, depth);
    tellCosts(note, plan, machine);
    note.number("rows", plan.rows)
        .number("columns", plan.columns)
        .number("depth", depth)
        .number("at_a_time", plan.batchPlaces);
  }

  template <typename Plan>
  static void tellCosts(weft::Note &note, const Plan &plan, const weft::MeshMachine &machine) {
    auto cycles = static_cast<int64_t>(plan.cycles), bound = static_cast<int64_t>(plan.bound);
    note.because("{0} bytes of a core's {1}; about {2} cycles, {3} at least by products alone",
                 plan.bytes, machine.ldmBytes, cycles, bound)
        .number("bytes", plan.bytes)
        .number("cycles", cycles)
        .number("bound", bound);
  }

  std::optional<weft::StartCosts> costs;
};

} // namespace
