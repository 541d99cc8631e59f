//===- KeptArrays.cpp - arrays that stay with the cores ---------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// What is done is chosen by the pitches of rows and columns alone, and then tried element by
// element; an array for which it does not hold stays in memory.
//
//===-----------------------------------------------------------------------===//

#include "passes/mesh/KeptArrays.h"

#include "passes/Notes.h"
#include "passes/mesh/CoreSteps.h"
#include "passes/mesh/KeptTables.h"
#include "passes/mesh/LocalSum.h"
#include "passes/mesh/MeshTiling.h"
#include "passes/transfers/LdmPlan.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"

#include <limits>

using namespace mlir;
using affine::AffineForOp;
using weft::CoreStep;
using weft::FootprintAnalysis;
using weft::Mesh;
using weft::MeshNest;
using weft::MeshPitch;
using weft::opsOf;
using weft::SpreadLayout;

namespace {

constexpr weft::Notes notes("insert-exchanges");

/// Bytes that each core has of an array.
int64_t partBytes(Value array, Mesh mesh) {
  return cast<MemRefType>(array.getType()).getNumElements() * weft::elementBytes(array) /
         mesh.cores();
}

/// A change of an array's layout before or after a step.
struct Change {
  Value array;
  unsigned from, to; ///< layouts
  weft::ExchangePlan plan;
};

class KeptArrays {
public:
  KeptArrays(weft::cpe::CoresOp cores, Mesh mesh, int64_t capacity)
      : cores(cores), mesh(mesh), capacity(capacity) {}

  void run();

private:
  void findArrays();
  void choose();
  int64_t bytesKept() const;
  void leaveRoomForShared();
  void leaveRoom();
  using Pitches = DenseMap<Value, MeshPitch>;
  int64_t costOf(const MeshNest &nest, std::pair<unsigned, unsigned> choice,
                 const Pitches &current) const;
  int64_t costFrom(size_t number, Pitches current, unsigned ahead) const;
  std::pair<int64_t, std::optional<std::pair<unsigned, unsigned>>>
  bestChoice(size_t number, const Pitches &current, unsigned ahead) const;
  bool isChosen(const CoreStep &step) const;
  void analyse();
  bool follow(Value array);
  std::optional<unsigned> layoutIn(const CoreStep &step, Value array);
  void apply();
  /// Bytes of a core that the places of what it adds may take.
  int64_t mostForLists() const { return capacity / 8; }
  void drop(Value array, const Twine &why);

  weft::cpe::CoresOp cores;
  Mesh mesh;
  int64_t capacity;
  std::vector<CoreStep> steps;
  llvm::SetVector<Value> arrays;
  std::vector<SpreadLayout> layouts;
  /// By step and array: the layout in it, and the change before it.
  DenseMap<std::pair<unsigned, Value>, unsigned> layoutAt;
  std::vector<std::vector<Change>> changesBefore;
};

void KeptArrays::findArrays() {
  cores->getParentOfType<func::FuncOp>().walk([&](memref::AllocOp made) {
    MemRefType type = made.getType();
    if (cores->isProperAncestor(made) || !type.hasStaticShape() ||
        !(type.getElementType().isF64() || type.getElementType().isF32()))
      return;
    int64_t touching = llvm::count_if(
        steps, [&](const CoreStep &step) { return step.nest && step.nest->touches(made); });
    if (touching >= 2 && type.getNumElements() % mesh.cores() == 0 && weft::isWithin(steps, made))
      arrays.insert(made);
  });
}

void KeptArrays::drop(Value array, const Twine &why) {
  notes
      .rejected(array.getDefiningOp(), "{0}: stays with the cores, which exchange its parts",
                weft::spoken(array))
      .because("{0}", why.str());
  arrays.remove(array);
}

/// Exchanges that a choice asks for: two where rows and columns change, which one cannot do.
int64_t KeptArrays::costOf(const MeshNest &nest, std::pair<unsigned, unsigned> choice,
                           const Pitches &current) const {
  constexpr int64_t impossible = 100;
  int64_t cost = 0;
  for (Value array : arrays) {
    if (!nest.touches(array))
      continue;
    std::optional<MeshPitch> pitch = nest.pitchOf(array, choice);
    auto before = current.find(array);
    if (!pitch)
      cost += impossible;
    else if (before != current.end() && nest.reads(array) && nest.mesh.parts > 1 &&
             before->second.row != pitch->row)
      cost += impossible; // cores of a column have no way to each other
    else if (before != current.end() && nest.reads(array))
      cost += (before->second.row != pitch->row) * 2 +
              (before->second.column != pitch->column) * 2 -
              (before->second.row != pitch->row || before->second.column != pitch->column);
  }
  return cost;
}

/// Whether a choice is to be made for a step: a sum is made where its elements are.
bool KeptArrays::isChosen(const CoreStep &step) const {
  return step.nest && step.kind != CoreStep::Sum &&
         llvm::any_of(arrays, [&](Value array) { return step.nest->touches(array); });
}

/// Exchanges from a step on, as far as `ahead` choices go.
int64_t KeptArrays::costFrom(size_t number, Pitches current, unsigned ahead) const {
  while (number < steps.size() && !isChosen(steps[number]))
    ++number;
  return number < steps.size() && ahead > 0 ? bestChoice(number, current, ahead).first : 0;
}

/// The loops of a nest that lead to the fewest exchanges, in it and in the next ones.
std::pair<int64_t, std::optional<std::pair<unsigned, unsigned>>>
KeptArrays::bestChoice(size_t number, const Pitches &current, unsigned ahead) const {
  const MeshNest &nest = *steps[number].nest;
  std::optional<std::pair<unsigned, unsigned>> best;
  int64_t least = std::numeric_limits<int64_t>::max();
  for (auto choice : nest.choices()) {
    Pitches next = current;
    for (Value array : arrays)
      if (auto pitch = nest.touches(array) ? nest.pitchOf(array, choice) : std::nullopt)
        next[array] = *pitch;
    int64_t cost = costOf(nest, choice, current);
    if (cost < least)
      cost += costFrom(number + 1, std::move(next), ahead - 1);
    if (cost < least) {
      least = cost;
      best = choice;
    }
  }
  return {best ? least : 0, best};
}

/// The loops over rows and columns of each nest, such that few exchanges are needed.
void KeptArrays::choose() {
  constexpr unsigned nestsAhead = 3;
  for (bool again = true; again && !arrays.empty();) {
    again = false;
    Pitches current;
    for (auto [number, step] : llvm::enumerate(steps)) {
      step.choice.reset();
      if (!isChosen(step))
        continue;
      step.choice = bestChoice(number, current, nestsAhead).second;
      for (Value array : llvm::to_vector(arrays)) {
        if (!step.nest->touches(array))
          continue;
        auto pitch = step.choice ? step.nest->pitchOf(array, *step.choice) : std::nullopt;
        if (!pitch) {
          const Mesh &own = step.nest->mesh;
          drop(array, "a nest that uses it has no two loops over " + Twine(own.rows) +
                          " rows and " + Twine(own.columns) + " columns");
          again = true;
        } else {
          current[array] = *pitch;
        }
      }
      if (again)
        break;
    }
  }
}

/// Bytes of a core's memory that what it would keep takes, an array in each of its layouts.
int64_t KeptArrays::bytesKept() const {
  SmallVector<weft::LdmLife> lives;
  for (Value array : arrays) {
    SmallVector<MeshPitch> forms;
    size_t mine = lives.size(), before = mine;
    int64_t bytes = partBytes(array, mesh);
    for (auto [number, step] : llvm::enumerate(steps)) {
      if (!step.choice || !step.nest->touches(array))
        continue;
      // Between two steps there is time for an exchange.
      auto [first, last] = weft::lifeAround(steps, static_cast<int64_t>(number), array);
      first *= 2;
      last *= 2;
      MeshPitch pitch = *step.nest->pitchOf(array, *step.choice);
      size_t form = llvm::find(forms, pitch) - forms.begin();
      if (form == forms.size()) {
        forms.push_back(pitch);
        lives.push_back({bytes, first, last});
      }
      weft::LdmLife &life = lives[mine + form];
      life.first = std::min(life.first, first);
      life.last = std::max(life.last, last);
      // An exchange has both; what is written anew needs none.
      if (before != mine + form && step.nest->reads(array)) {
        lives[before].last = std::max(lives[before].last, first - 1);
        life.first = std::min(life.first, first - 1);
      }
      before = mine + form;
    }
  }
  std::vector<int64_t> offsets = weft::placedApart(lives);
  int64_t most = 0;
  for (auto [life, offset] : llvm::zip(lives, offsets))
    most = std::max(most, offset + life.bytes);
  return most;
}

/// Arrays that would lie in a core's memory while a nest that is shared out already, as panels are,
/// has its own there, and not both have room.
void KeptArrays::leaveRoomForShared() {
  for (Value array : llvm::to_vector(arrays)) {
    weft::LdmDemand life{partBytes(array, mesh), nullptr, nullptr};
    for (const CoreStep &step : steps) {
      if (!step.nest || !step.nest->touches(array))
        continue;
      Operation *op = cores.getBody().front().findAncestorOpInBlock(*step.loop);
      life.last = op;
      if (!life.first)
        life.first = op;
    }
    int64_t bytes = weft::LdmPlan(cores.getBody(), {life}).bytes();
    if (bytes > capacity)
      drop(array, "other nests need memory while it would stay: with it " + Twine(bytes) +
                      " bytes, " + Twine(bytes - capacity) + " more than a core has");
  }
}

/// Leaves a third for all else: the largest array goes until the others have room.
void KeptArrays::leaveRoom() {
  int64_t room = capacity * 2 / 3;
  while (!arrays.empty()) {
    int64_t bytes = bytesKept();
    if (bytes <= room)
      return;
    Value largest = *llvm::max_element(
        arrays, [&](Value a, Value b) { return partBytes(a, mesh) < partBytes(b, mesh); });
    drop(largest, "what would stay takes " + Twine(bytes) + " bytes of a core's memory, " +
                      Twine(bytes - room) + " more than two thirds");
    choose();
  }
}

void KeptArrays::analyse() {
  for (CoreStep &step : steps) {
    if (!step.choice)
      continue;
    step.nest->tile(*step.choice);
    step.loop = step.nest->rowLoop;
    step.ops = opsOf(*step.nest->columnLoop.getBody());
    step.analysis = std::make_unique<FootprintAnalysis>(step.ops, capacity);
  }
}

/// The number of the layout that a nest wants of an array.
std::optional<unsigned> KeptArrays::layoutIn(const CoreStep &step, Value array) {
  const weft::Footprint *footprint = step.analysis ? step.analysis->of(array) : nullptr;
  // Where it is read from several starts, one part is not all that the nest wants.
  if (!footprint || llvm::count_if(step.analysis->footprints(), [&](const weft::Footprint &one) {
                      return one.array == array;
                    }) != 1)
    return std::nullopt;
  auto layout = SpreadLayout::of(*step.analysis, *footprint, step.nest->rowLoop.getInductionVar(),
                                 step.nest->columnLoop.getInductionVar(), step.nest->mesh);
  if (!layout)
    return std::nullopt;
  for (auto [number, known] : llvm::enumerate(layouts))
    if (known.array == array && known == *layout) {
      known.pairs &= layout->pairs;
      return number;
    }
  layouts.push_back(std::move(*layout));
  return layouts.size() - 1;
}

/// The layouts of an array from step to step, and the exchanges between; false where one is
/// not possible.
bool KeptArrays::follow(Value array) {
  std::optional<unsigned> current;
  struct Loop {
    std::optional<unsigned> entry;
    bool readFirst = false, touched = false;
  };
  SmallVector<Loop> loops;
  std::vector<std::pair<unsigned, Change>> changes;
  auto change = [&](unsigned before, unsigned to) {
    if (*current == to)
      return true;
    auto plan = weft::exchangeBetween(layouts[*current], layouts[to], mesh.messageLanes);
    if (plan)
      changes.push_back({before, {array, *current, to, *plan}});
    current = to;
    return plan.has_value();
  };
  SmallVector<std::pair<unsigned, unsigned>> at;
  for (auto [number, step] : llvm::enumerate(steps)) {
    if (step.kind == CoreStep::LoopBegins) {
      loops.push_back({current});
      continue;
    }
    if (step.kind == CoreStep::LoopEnds) {
      Loop loop = loops.pop_back_val();
      if (loop.readFirst && !change(number, *loop.entry))
        return false;
      continue;
    }
    if (!step.nest->touches(array))
      continue;
    bool needs = true;
    unsigned layout;
    if (step.kind == CoreStep::Sum) {
      if (!current || !weft::localSumOf(step.loop, layouts[*current], mostForLists()))
        return false;
      layout = *current;
    } else {
      auto wanted = layoutIn(step, array);
      if (!wanted)
        return false;
      layout = *wanted;
      needs = step.analysis->of(array)->needsGet;
    }
    if (needs) {
      for (Loop &loop : loops)
        loop.readFirst |= !loop.touched;
      if (!current || !change(number, layout))
        return false;
    }
    for (Loop &loop : loops)
      loop.touched = true;
    current = layout;
    at.push_back({number, layout});
  }
  for (auto [number, layout] : at)
    layoutAt[{number, array}] = layout;
  for (auto &[before, one] : changes)
    changesBefore[before].push_back(one);
  return true;
}

void KeptArrays::apply() {
  std::vector<Value> spread(layouts.size());
  for (auto [number, layout] : llvm::enumerate(layouts)) {
    if (!arrays.contains(layout.array))
      continue;
    MemRefType type = weft::spreadType(layout.array, layout.mesh, layout.elements(), layout.pairs);
    OpBuilder builder = OpBuilder::atBlockBegin(weft::homeOf(cores, steps, layout.array));
    spread[number] =
        weft::cpe::SpreadOp::create(builder, layout.array.getDefiningOp()->getLoc(), type);
  }
  int64_t forTables = 0;
  AffineForOp around;
  for (auto [number, step] : llvm::enumerate(steps)) {
    if (step.kind == CoreStep::LoopBegins && !around) {
      around = step.loop;
      forTables = capacity / 3; // loops that follow each other have it in turn
    } else if (step.kind == CoreStep::LoopEnds && around == step.loop) {
      around = {};
    }
    for (const Change &change : changesBefore[number]) {
      if (!arrays.contains(change.array))
        continue;
      Operation *before =
          step.kind == CoreStep::LoopEnds ? step.loop.getBody()->getTerminator() : step.loop;
      OpBuilder at(before);
      const weft::ExchangePlan &plan = change.plan;
      auto exchange = weft::cpe::ExchangeOp::create(
          at, step.loop.getLoc(), spread[change.from], spread[change.to], plan.alongRows,
          plan.block, plan.counts, plan.fromStep, plan.fromStrides, plan.toStep, plan.toStrides);
      notes
          .decided(exchange, "{0}: cores of a {1} exchange their parts of it",
                   weft::spoken(change.array), plan.alongRows ? "row" : "column")
          .because("the nests before and after want it in other parts; messages of {0} in runs "
                   "of {1}",
                   mesh.messageLanes, plan.block)
          .number("run", plan.block);
    }
    if (step.kind == CoreStep::Sum) {
      for (Value array : arrays)
        if (auto found = layoutAt.find({number, array}); found != layoutAt.end()) {
          const SpreadLayout &layout = layouts[found->second];
          auto local = *weft::localSumOf(step.loop, layout, mostForLists());
          bool isKept = around && local.bytes() <= forTables;
          forTables -= isKept ? local.bytes() : 0;
          step.loop = weft::addWhereTheyAre(step.loop, spread[found->second], layout.mesh, local,
                                            isKept ? around : AffineForOp());
          break;
        }
      continue;
    }
    for (Value array : arrays) {
      auto found = layoutAt.find({number, array});
      if (found == layoutAt.end())
        continue;
      AffineExpr row = step.analysis->dimOf(step.nest->rowLoop.getInductionVar());
      AffineExpr column = step.analysis->dimOf(step.nest->columnLoop.getInductionVar());
      step.analysis->redirect(*step.analysis->of(array), spread[found->second], {row, column});
    }
    if (step.analysis && around)
      weft::keepTableParts(around, *step.nest, *step.analysis, forTables);
  }
}

void KeptArrays::run() {
  steps = weft::coreStepsOf(cores, mesh);
  findArrays();
  leaveRoomForShared();
  choose();
  leaveRoom();
  if (arrays.empty())
    return;
  analyse();
  changesBefore.resize(steps.size());
  for (Value array : llvm::to_vector(arrays))
    if (!follow(array))
      drop(array, "its parts in one nest do not become those of the next by exchanges within "
                  "rows or within columns");
  apply();
  for (Value array : arrays)
    notes.decided(array.getDefiningOp(), "{0}: stays with the cores", weft::spoken(array))
        .because("each has {0} bytes of it", partBytes(array, mesh));
}

} // namespace

void weft::keepArrays(cpe::CoresOp cores, Mesh mesh, int64_t capacity) {
  KeptArrays(cores, mesh, capacity).run();
}
