//===- WindowPlan.cpp - how a mesh of cores shares sums over windows --------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// As with products of matrices (PanelPlan), plans of a few sizes are tried by a count of cycles.
//
//===-----------------------------------------------------------------------===//

#include "passes/panels/WindowPlan.h"

#include "passes/transfers/LdmPlan.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using llvm::alignTo;
using llvm::divideCeil;

namespace weft {

namespace {

/// What begins and ends a block of sums in registers. Turns of the loop over channels overlap,
/// which takes one turn more.
constexpr int64_t blockStart = 150;
/// Of the instructions that a core holds, what the taps of a channel may take.
constexpr int64_t shareOfCode = 4;
/// Channels of a step, and filters of a block, at most.
constexpr int64_t mostChannels = 16, mostFilters = 128;

class Search {
public:
  Search(const WindowShape &shape, const MeshMachine &machine) : shape(shape), machine(machine) {}

  std::optional<WindowPlan> run();
  int64_t leastBytes = 0; ///< of the plans that did not fit

private:
  bool chooseRegisters(WindowPlan &plan);
  void tryBlock(WindowPlan plan);
  void count(WindowPlan &plan) const;
  int64_t bytesOf(const WindowPlan &plan) const;
  int64_t arrayBytes(int64_t elements) const { return ldmBytesOf(elements, shape.elementBytes); }
  int64_t message() const { return machine.messageBytes / shape.elementBytes; }

  const WindowShape &shape;
  const MeshMachine &machine;
  double ofTap = 0, ofBlock = 0; ///< cycles of one tap, and of a step, of all sums of a core
  std::optional<WindowPlan> best;
};

/// Sums in registers: vectors of the image lie anywhere, so each is loaded in two halves by one
/// pipe and put together by the other.
bool Search::chooseRegisters(WindowPlan &plan) {
  int64_t vectors = divideCeil((plan.lines - 1) * shape.pitch + shape.columns, machine.lanes);
  bool found = false;
  for (int64_t height = 1; height <= std::min<int64_t>(plan.filters, 12); ++height)
    for (int64_t width = 1; width <= std::min<int64_t>(vectors, 4); ++width) {
      int64_t instructions = shape.taps * (height * width + height + 3 * width);
      if (plan.filters % height || (height + 3) * width + 2 > machine.registers ||
          instructions > machine.codeInstructions / shareOfCode)
        continue;
      int64_t high = plan.filters / height;
      double blocks = double(high) * double(divideCeil(vectors, width));
      double tap =
          blocks * double(std::max({height * width + width, height + 2 * width + 1, panelChain}));
      double begin = blocks * double(blockStart) + tap * double(shape.taps);
      if (found && ofTap * double(shape.taps) + ofBlock <= tap * double(shape.taps) + begin)
        continue;
      found = true;
      ofTap = tap;
      ofBlock = begin;
      plan.registerRows = height;
      plan.registerVectors = width;
      plan.sumPitch = alignTo(vectors, width) * machine.lanes;
    }
  plan.imagePitch = alignTo(std::max(plan.stretch(shape), plan.sumPitch + shape.reach), message());
  return found;
}

void Search::count(WindowPlan &plan) const {
  int64_t cores = machine.meshRows * machine.meshColumns;
  int64_t run = plan.lines * shape.columns;
  double vectors = double(plan.filters) / machine.lanes;
  double put = double(cores * plan.filters) *
                   double(run * shape.elementBytes + machine.longRunBytes) / machine.bytesPerCycle +
               double(panelTurn) * plan.filterTurns(shape) * plan.lineTurns(shape);
  double work = vectors * (plan.sumPitch + double(run) * panelRepitch), beside = 0, alone = put;
  for (const PanelPhase &phase : plan.phases) {
    bool isShared = phase.steps > 1, image = isShared && plan.sharesImages();
    int64_t channels = phase.depth * phase.steps, mine = image ? phase.depth : channels;
    int64_t mineLeft = isShared ? phase.depth : channels;
    int64_t ofFilters = plan.filters * mineLeft * shape.taps, come = plan.fetched(shape);
    double transfer =
        double(cores) *
        (panelMoved(plan.filters, mineLeft * shape.taps, shape.elementBytes, machine) +
         panelMoved(mine, come, shape.elementBytes, machine)) /
        machine.bytesPerCycle;
    double messages = double((isShared ? ofFilters : 0) + (image ? mine * plan.imagePitch : 0)) *
                      panelMessage / double(message());
    double ofStep =
        double(phase.depth) * ofTap * double(shape.taps) + ofBlock + messages + double(panelStep);
    double copied = double(ofFilters + 2 * mine * come) * panelCopy / double(machine.lanes);
    work += phase.panels * (phase.steps * ofStep + copied);
    (phase.ahead ? beside : alone) += phase.panels * transfer + double(panelTurn) * !phase.ahead;
  }
  plan.cycles = plan.blocks() * (std::max(work, beside) + alone);
}

/// What comes ahead is there while a block is put, what is sent is not.
int64_t Search::bytesOf(const WindowPlan &plan) const {
  enum Time { Ahead, Clear, Panels, Put = Panels + 3 }; // there are up to three phases
  llvm::SmallVector<LdmLife> lives;
  auto add = [&](int64_t elements, int64_t first, int64_t last) {
    lives.push_back({arrayBytes(elements), first, last});
  };
  add(plan.filters * plan.sumPitch, Clear, Put);
  for (auto [n, phase] : llvm::enumerate(plan.phases)) {
    int64_t now = Panels + static_cast<int64_t>(n);
    bool isShared = phase.steps > 1, image = isShared && plan.sharesImages();
    int64_t ofFilters = plan.filters * shape.taps * phase.depth * (isShared ? 1 : phase.steps);
    int64_t channels = phase.depth * (image ? 1 : phase.steps);
    for (auto [comes, stays, sent] :
         {std::tuple(ofFilters, alignTo(ofFilters, message()), isShared),
          std::tuple(channels * plan.fetched(shape), alignTo(channels * plan.imagePitch, message()),
                     image)}) {
      add(comes, phase.ahead ? Ahead : now, phase.ahead && plan.blocks() > 1 ? Put : now);
      add(stays, Clear, now);
      if (sent)
        add(stays, now, now);
    }
  }
  if (plan.isCompacted(shape))
    add(plan.filters * plan.lines * shape.columns, Put, Put);
  std::vector<int64_t> offsets = placedApart(lives);
  int64_t most = 0;
  for (auto [life, offset] : llvm::zip(lives, offsets))
    most = std::max(most, offset + life.bytes);
  return most + shape.keptBytes;
}

void Search::tryBlock(WindowPlan plan) {
  if (!chooseRegisters(plan))
    return;
  for (int64_t depth = 1; depth <= std::min(mostChannels, shape.channels); ++depth) {
    plan.phases = panelPhases(shape.channels, machine.meshColumns, depth, 1, plan.blocks());
    plan.phases.front().ahead = plan.phases.front().panels * plan.blocks() > 1;
    count(plan);
    if (best && plan.cycles >= best->cycles)
      continue;
    plan.bytes = bytesOf(plan);
    if (plan.bytes > machine.ldmBytes)
      leastBytes = leastBytes ? std::min(leastBytes, plan.bytes) : plan.bytes;
    else
      best = plan;
  }
}

std::optional<WindowPlan> Search::run() {
  for (int64_t filterPlaces : {machine.meshRows, int64_t(1)}) {
    WindowPlan plan;
    plan.filterPlaces = filterPlaces;
    plan.imagePlaces = machine.meshColumns * (machine.meshRows / filterPlaces);
    int64_t last = 0;
    for (int64_t blocks = 1; blocks <= divideCeil(shape.filters, filterPlaces); ++blocks) {
      int64_t least = divideCeil(shape.filters, filterPlaces * blocks);
      plan.filterBlocks = blocks;
      if (least == last || least > mostFilters)
        continue;
      last = least;
      // What registers divide as well.
      for (int64_t unit : {1, 4, 8}) {
        plan.filters = alignTo(least, unit);
        if (plan.filters > shape.filters || (unit > 1 && plan.filters == least))
          continue;
        for (plan.lines = 1; plan.lines <= shape.lines; ++plan.lines) {
          plan.linesOfImage = divideCeil(shape.lines, plan.lines);
          plan.rounds = divideCeil(shape.images * plan.linesOfImage, plan.imagePlaces);
          if (arrayBytes(plan.filters * plan.lines * shape.columns) > machine.ldmBytes)
            break;
          tryBlock(plan);
        }
      }
    }
  }
  if (best)
    best->bound = double(shape.images) * shape.filters * shape.lines * shape.columns *
                  shape.channels * shape.taps /
                  (machine.lanes * machine.meshRows * machine.meshColumns);
  return best;
}

} // namespace

std::optional<WindowPlan> planWindows(const WindowShape &shape, const MeshMachine &machine,
                                      std::string &why) {
  if (shape.columns < machine.lanes) {
    why =
        llvm::formatv("lines of {0} elements do not fill {1} lanes", shape.columns, machine.lanes);
    return std::nullopt;
  }
  // One column and one row of the mesh send at a time.
  if (machine.meshRows != machine.meshColumns) {
    why = "the mesh is not square";
    return std::nullopt;
  }
  Search search(shape, machine);
  std::optional<WindowPlan> plan = search.run();
  if (!plan && search.leastBytes)
    why = llvm::formatv("lines and panels of a core take {0} bytes at least, of {1}",
                        search.leastBytes, machine.ldmBytes);
  else if (!plan)
    why = llvm::formatv("lines of {0} elements, or windows of {1}, are too many for a core",
                        shape.columns, shape.taps);
  return plan;
}

int64_t turnsOf(int64_t extent, int64_t width, int64_t count) {
  if (count == 1 || extent == width * count)
    return 1;
  int64_t apart = (extent - width) / (count - 1);
  return apart ? std::min<int64_t>(divideCeil(width, apart), count) : count;
}

} // namespace weft
