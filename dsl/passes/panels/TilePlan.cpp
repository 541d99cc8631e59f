//===- TilePlan.cpp - how a mesh of cores keeps transformed tiles -----------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// All plans whose blocks divide tiles, channels and filters are tried by a count of cycles, as
// PanelPlan does. Images of the next round come, and results of the last one go, while a round
// multiplies.
//
//===-----------------------------------------------------------------------===//

#include "passes/panels/TilePlan.h"

#include "passes/transfers/LdmPlan.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <numeric>

using llvm::alignTo;
using llvm::divideCeil;

namespace weft {

namespace {

/// Tiles of a block at most, filters of a core at a time.
constexpr int64_t mostTiles = 64, mostFilters = 64;
/// Of the instructions that a core holds, what the terms of a step may take, beside the transforms.
constexpr int64_t shareOfCode = 8;
/// Cycles for an operation of a transform, or one of its loads and stores, in vectors and one by
/// one.
constexpr double vectorOperation = 2.5, scalarOperation = 1.4;
/// Of two messages' worth of syncs and loops: a row's and a column's.
constexpr double broadcastPair = 146;
/// What it takes a core to begin a transfer, and to make an element of a border zero.
constexpr double transferStart = 45, clearedElement = 2;
/// Of what begins and ends a block of sums, what a turn of the loop over its terms costs.
constexpr double loopRamp = 0.3;

int64_t product(llvm::ArrayRef<int64_t> factors) {
  return std::accumulate(factors.begin(), factors.end(), int64_t(1), std::multiplies<>());
}

llvm::SmallVector<int64_t> divisors(int64_t number, int64_t most) {
  llvm::SmallVector<int64_t> found;
  for (int64_t n = 1; n <= std::min(number, most); ++n)
    if (number % n == 0)
      found.push_back(n);
  return found;
}

class Search {
public:
  Search(const TileShape &shape, const MeshMachine &machine) : shape(shape), machine(machine) {}

  std::optional<TilePlan> run();
  int64_t leastBytes = 0; ///< of the plans that did not fit

private:
  void overBlocks(TilePlan plan);
  void overFilters(TilePlan plan);
  void tryGroups(TilePlan plan, const PanelRegisters &in);
  bool sendsWholeMessages(const TilePlan &plan) const;
  void count(TilePlan &plan, const PanelRegisters &in) const;
  /// Of a plane of a block: tiles along the last axis are the lanes.
  double transform(const TilePlan &plan, double operations) const;
  int64_t arrayBytes(int64_t elements) const { return ldmBytesOf(elements, shape.elementBytes); }

  const TileShape &shape;
  const MeshMachine &machine;
  TileFetch fetch; ///< of the blocks that are tried
  std::optional<TilePlan> best;
};

double Search::transform(const TilePlan &plan, double operations) const {
  int64_t row = plan.block.back(), lanes = machine.lanes;
  double ofRow = row < lanes ? double(row) * scalarOperation
                             : double(divideCeil(row, lanes)) * vectorOperation;
  return operations * ofRow * (double(plan.tiles) / row);
}

bool Search::sendsWholeMessages(const TilePlan &plan) const {
  int64_t message = machine.messageBytes / shape.elementBytes;
  return plan.group * plan.channels * plan.pitch % message == 0 &&
         plan.group * plan.channels * plan.filters % message == 0;
}

void Search::count(TilePlan &plan, const PanelRegisters &in) const {
  double cores = double(machine.meshRows) * machine.meshColumns;
  int64_t points = shape.points, groups = points / plan.group, steps = machine.meshColumns;
  int64_t ofFilters = plan.filters * plan.channels, ofTiles = plan.channels * plan.pitch;
  auto results = shape.results.extents(plan.block, plan.filters);
  plan.bytes = shape.keptBytes + arrayBytes(fetch.elements) + arrayBytes(product(results)) +
               arrayBytes(points * ofTiles) + arrayBytes(points * plan.filters * plan.pitch) +
               arrayBytes(plan.together * plan.group * ofFilters) +
               arrayBytes(plan.together * plan.group * ofTiles) +
               (plan.keepsFilters ? arrayBytes(points * plan.filterBlocks * ofFilters)
                                  : 2 * arrayBytes(plan.group * ofFilters));

  double vectors = 1.0 / machine.lanes;
  double copies = plan.keepsFilters ? 0 : double(plan.group * ofFilters) * vectors * panelCopy;
  double messages = double(plan.group * (ofFilters + ofTiles) * shape.elementBytes) * panelMessage /
                    machine.messageBytes;
  // Sums are loaded and stored for each stretch of steps; a loop goes over what is not written out.
  double products = plan.group * (in.cyclesOfTerm * plan.channels * plan.together +
                                  in.cyclesOfStep * (1 + loopRamp * (plan.together - 1)));
  auto [resultRun, resultDims] = shape.results.run(results);
  int64_t turns = steps / plan.together, runs = product(results) / resultRun;
  double ofGroup =
      copies + double(steps) * (messages + broadcastPair) + double(turns) * (products + panelStep);
  double come = cores * panelMoved(product(fetch.counts), fetch.run, shape.elementBytes, machine);
  double go = cores * plan.filterBlocks *
              double(product(results) * shape.elementBytes + runs * machine.longRunBytes);
  double filters = cores * panelMoved(points * plan.filterBlocks * plan.filters, plan.channels,
                                      shape.elementBytes, machine);
  come /= machine.bytesPerCycle;
  go /= machine.bytesPerCycle * plan.filterBlocks;
  filters /= machine.bytesPerCycle;

  // Transfers go on beside products: all of a block's, or those of a group whose filters come.
  double ends = double(points * plan.filters * plan.pitch) * vectors +
                plan.filters * transform(plan, shape.resultOperations);
  double blocks = 0;
  for (int64_t n = 0; n < plan.filterBlocks; ++n) {
    double moved = go + (n == 0 ? come : 0), next = filters / double(groups * plan.filterBlocks);
    blocks += ends;
    if (plan.keepsFilters)
      blocks += std::max(groups * ofGroup, moved);
    else
      blocks += std::max(ofGroup, next + (groups > 1 ? moved : 0)) +
                double(groups - 1) * std::max(ofGroup, next) + (groups > 1 ? 0 : moved);
  }
  double ofImages = plan.channels * transform(plan, shape.imageOperations) +
                    double(fetch.transfers()) * transferStart +
                    double(fetch.cleared()) * clearedElement;
  double once = come + go + (plan.keepsFilters ? filters : 0) + panelTurn;
  plan.cycles = plan.rounds * (ofImages + blocks + 2 * double(panelStep)) + once;
}

void Search::tryGroups(TilePlan plan, const PanelRegisters &in) {
  for (int64_t group : divisors(shape.points, shape.points))
    for (int64_t together : divisors(machine.meshColumns, machine.meshColumns))
      for (bool keeps : {true, false}) {
        plan.group = group;
        plan.together = together;
        plan.keepsFilters = keeps;
        if (!sendsWholeMessages(plan))
          continue;
        count(plan, in);
        if (plan.bytes > machine.ldmBytes)
          leastBytes = leastBytes ? std::min(leastBytes, plan.bytes) : plan.bytes;
        else if (!best || plan.cycles < best->cycles)
          best = plan;
      }
}

void Search::overFilters(TilePlan plan) {
  for (int64_t filters : divisors(shape.filters / machine.meshRows, mostFilters)) {
    plan.filters = filters;
    plan.filterBlocks = shape.filters / machine.meshRows / filters;
    PanelRegisters in =
        choosePanelRegisters(filters, plan.pitch / machine.lanes, machine.registers);
    plan.registerRows = in.rows;
    plan.registerVectors = in.vectors;
    int64_t ofTerm = in.rows * in.vectors + in.rows + in.vectors;
    int64_t most = std::max<int64_t>(machine.codeInstructions / shareOfCode / ofTerm, 1);
    plan.depth = divisors(plan.channels, most).back();
    tryGroups(plan, in);
  }
}

void Search::overBlocks(TilePlan plan) {
  if (plan.block.size() < shape.tiles.size()) {
    int64_t before = product(plan.block);
    plan.block.push_back(1);
    for (int64_t width : divisors(shape.tiles[plan.block.size() - 1], mostTiles / before)) {
      plan.block.back() = width;
      overBlocks(plan);
    }
    return;
  }
  plan.tiles = product(plan.block);
  plan.pitch = alignTo(plan.tiles, machine.lanes);
  plan.blocks = shape.allTiles() / plan.tiles;
  plan.rounds = divideCeil(plan.blocks, machine.meshColumns);
  fetch = shape.fetch(plan.block, plan.channels, machine.lanes);
  overFilters(plan);
}

std::optional<TilePlan> Search::run() {
  TilePlan plan;
  plan.channels = shape.channels / machine.meshRows;
  overBlocks(plan);
  if (best)
    best->bound = double(shape.points) * shape.allTiles() * shape.filters * shape.channels /
                  (machine.lanes * machine.meshRows * machine.meshColumns);
  return best;
}

} // namespace

int64_t TileShape::allTiles() const { return product(tiles); }

double tileTraffic(const TilePlanes &planes, int64_t points, int64_t elementBytes,
                   const MeshMachine &machine) {
  auto put = [&](double runs, int64_t elements) {
    return runs * double(elements * elementBytes + machine.longRunBytes);
  };
  double bytes = planes.images * double(planes.pixels * elementBytes) +
                 put(planes.images * double(points), planes.tiles) +
                 planes.results * panelMoved(points, planes.tiles, elementBytes, machine) +
                 put(planes.results, planes.resultPixels);
  return bytes / machine.bytesPerCycle;
}

double copyTraffic(double planes, int64_t from, int64_t to, int64_t elementBytes,
                   const MeshMachine &machine) {
  return planes * double((from + to) * elementBytes + machine.longRunBytes) / machine.bytesPerCycle;
}

double tilesThroughMemory(const TileShape &shape, const MeshMachine &machine) {
  auto elements = [](const TileRegion &region) {
    int64_t all = 1;
    for (const TileDim &dim : region.dims)
      all *= dim.whole;
    return all;
  };
  double images = double(shape.channels), results = double(shape.filters);
  double operations = double(shape.allTiles()) *
                      (images * shape.imageOperations + results * shape.resultOperations);
  double cores = double(machine.meshRows) * machine.meshColumns;
  int64_t pixels = elements(shape.images) / shape.channels, padded = 1;
  for (int64_t extent : shape.images.extents(shape.tiles, 1))
    padded *= extent;
  double copied = 0;
  if (shape.images.hasBorder(shape.tiles)) {
    copied = copyTraffic(images, pixels, padded, shape.elementBytes, machine);
    pixels = padded;
  }
  return tileTraffic(
             {images, results, shape.allTiles(), pixels, elements(shape.results) / shape.filters},
             shape.points, shape.elementBytes, machine) +
         copied + operations * vectorOperation / machine.lanes / cores;
}

std::optional<TilePlan> planTiles(const TileShape &shape, const MeshMachine &machine,
                                  std::string &why) {
  // Steps are of a column and a row at once.
  if (machine.meshRows != machine.meshColumns) {
    why = "the mesh has not as many rows as columns";
    return std::nullopt;
  }
  for (auto [name, extent] : {std::pair("channels", shape.channels), {"filters", shape.filters}})
    if (extent % machine.meshRows != 0) {
      why = llvm::formatv("{0} {1} are not the same number for each of {2} rows of cores", extent,
                          name, machine.meshRows);
      return std::nullopt;
    }
  Search search(shape, machine);
  std::optional<TilePlan> plan = search.run();
  if (!plan)
    why = search.leastBytes
              ? llvm::formatv("a block of tiles with all its products takes {0} bytes of a core "
                              "at least, of {1}",
                              search.leastBytes, machine.ldmBytes)
                    .str()
              : "parts of the cores are no whole messages";
  return plan;
}

} // namespace weft
