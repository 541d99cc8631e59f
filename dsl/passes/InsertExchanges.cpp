//===- InsertExchanges.cpp - arrays that stay with the cores ----------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Nests that one start of the cores does one after the other pass arrays on. Where all cores
// together have room for such an array, it need not go through memory: the nests are shared
// out over the rows and the columns of the mesh, each core keeps its part, and where the next
// nest wants the array in other parts, cores of a row or of a column exchange them.
//
// What is done is chosen by the pitches of rows and columns alone, and then tried element by
// element; an array for which it does not hold stays in memory.
//
//===-----------------------------------------------------------------------===//

#include "dialect/Cpe.h"
#include "dialect/Target.h"
#include "passes/LdmPlan.h"
#include "passes/MeshTiling.h"
#include "passes/Notes.h"
#include "passes/Passes.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

#include <limits>
#include <memory>

namespace weft {
#define GEN_PASS_DEF_INSERTEXCHANGES
#include "passes/Passes.h.inc"
} // namespace weft

using namespace mlir;
using affine::AffineForOp;
using weft::FootprintAnalysis;
using weft::Mesh;
using weft::MeshNest;
using weft::MeshPitch;
using weft::SpreadLayout;

namespace {

constexpr weft::Notes notes("insert-exchanges");

/// Elements of a message: 256 bits.
constexpr int64_t messageLanes = 4;

/// What the cores do one after the other: a nest that they share out, the beginning and the end
/// of a loop around such nests.
struct Step {
  enum Kind { Nest, Sum, LoopBegins, LoopEnds } kind;
  AffineForOp loop;
  std::unique_ptr<MeshNest> nest; ///< of a nest or a sum
  std::optional<std::pair<unsigned, unsigned>> choice;
  SmallVector<Operation *> ops; ///< of one core
  std::unique_ptr<FootprintAnalysis> analysis;
};

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
  void collect(Block &block);
  void findArrays();
  bool isWithin(Value array) const;
  void choose();
  bool leavesRoom() const;
  int64_t costOf(const MeshNest &nest, std::pair<unsigned, unsigned> choice,
                 const DenseMap<Value, MeshPitch> &current) const;
  void analyse();
  bool follow(Value array);
  std::optional<unsigned> layoutIn(const Step &step, Value array);
  void apply();
  void rewriteSum(Step &step, ArrayRef<std::pair<Value, unsigned>> sources);
  bool isLocalSum(const Step &step, Value array, const SpreadLayout &layout) const;
  void drop(Value array, const Twine &why);

  weft::cpe::CoresOp cores;
  Mesh mesh;
  int64_t capacity;
  std::vector<Step> steps;
  llvm::SetVector<Value> arrays;
  std::vector<SpreadLayout> layouts;
  /// By step and array: the layout in it, and the change before it.
  DenseMap<std::pair<unsigned, Value>, unsigned> layoutAt;
  std::vector<std::vector<Change>> changesBefore;
};

SmallVector<Operation *> opsOf(Block &block) {
  return llvm::map_to_vector(block.without_terminator(), [](Operation &op) { return &op; });
}

void KeptArrays::collect(Block &block) {
  for (Operation &op : block) {
    auto loop = dyn_cast<AffineForOp>(op);
    if (!loop)
      continue;
    if (loop->hasAttr("weft.parallel")) {
      auto kind = loop->hasAttr("weft.sums") ? Step::Sum : Step::Nest;
      steps.push_back({kind, loop, std::make_unique<MeshNest>(loop, mesh), {}, {}, {}});
    } else if (loop.walk([](AffineForOp inner) {
                     return inner->hasAttr("weft.parallel") ? WalkResult::interrupt()
                                                            : WalkResult::advance();
                   }).wasInterrupted()) {
      steps.push_back({Step::LoopBegins, loop, {}, {}, {}, {}});
      collect(*loop.getBody());
      steps.push_back({Step::LoopEnds, loop, {}, {}, {}, {}});
    }
  }
}

/// Whether the steps alone see an array.
bool KeptArrays::isWithin(Value array) const {
  SmallVector<Value> views{array};
  while (!views.empty())
    for (Operation *user : views.pop_back_val().getUsers()) {
      if (user->getNumResults() == 1 && isa<MemRefType>(user->getResult(0).getType())) {
        views.push_back(user->getResult(0));
        continue;
      }
      bool isOfStep = weft::accessedArray(user) == array && llvm::any_of(steps, [&](const Step &s) {
                        return s.nest && s.loop->isProperAncestor(user);
                      });
      if (!isOfStep)
        return false;
    }
  return true;
}

void KeptArrays::findArrays() {
  cores->getParentOfType<func::FuncOp>().walk([&](memref::AllocOp made) {
    MemRefType type = made.getType();
    if (cores->isProperAncestor(made) || !type.hasStaticShape() || !type.getElementType().isF64())
      return;
    int64_t touching = llvm::count_if(
        steps, [&](const Step &step) { return step.nest && step.nest->touches(made); });
    if (touching >= 2 && type.getNumElements() % mesh.cores() == 0 && isWithin(made))
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
                           const DenseMap<Value, MeshPitch> &current) const {
  constexpr int64_t impossible = 100;
  int64_t cost = 0;
  for (Value array : arrays) {
    if (!nest.touches(array))
      continue;
    std::optional<MeshPitch> pitch = nest.pitchOf(array, choice);
    auto before = current.find(array);
    if (!pitch)
      cost += impossible;
    else if (before != current.end() && nest.reads(array))
      cost += (before->second.row != pitch->row) * 2 + (before->second.column != pitch->column) * 2 -
              (before->second.row != pitch->row || before->second.column != pitch->column);
  }
  return cost;
}

/// The loops over rows and columns of each nest, such that few exchanges are needed.
void KeptArrays::choose() {
  for (bool again = true; again && !arrays.empty();) {
    again = false;
    DenseMap<Value, MeshPitch> current;
    for (Step &step : steps) {
      auto touched = llvm::filter_to_vector(
          arrays, [&](Value array) { return step.nest && step.nest->touches(array); });
      step.choice.reset();
      if (touched.empty() || step.kind == Step::Sum)
        continue;
      int64_t least = std::numeric_limits<int64_t>::max();
      for (auto choice : step.nest->choices())
        if (int64_t cost = costOf(*step.nest, choice, current); cost < least) {
          least = cost;
          step.choice = choice;
        }
      for (Value array : touched) {
        auto pitch = step.choice ? step.nest->pitchOf(array, *step.choice) : std::nullopt;
        if (!pitch) {
          drop(array, "a nest that uses it has no two loops over " + Twine(mesh.rows) +
                          " rows and " + Twine(mesh.columns) + " columns");
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

/// Whether what the cores would keep, an array in each of its layouts, leaves a third for all
/// else.
bool KeptArrays::leavesRoom() const {
  SmallVector<weft::LdmLife> lives;
  for (Value array : arrays) {
    SmallVector<std::pair<MeshPitch, weft::LdmLife>> forms;
    int64_t bytes = cast<MemRefType>(array.getType()).getNumElements() * 8 / mesh.cores();
    for (auto [number, step] : llvm::enumerate(steps)) {
      if (!step.choice || !step.nest->touches(array))
        continue;
      MeshPitch pitch = *step.nest->pitchOf(array, *step.choice);
      // Around a loop for all of it.
      int64_t first = number, last = number;
      for (int64_t begin = number, depth = 0; begin >= 0; --begin) {
        depth += steps[begin].kind == Step::LoopEnds;
        if (steps[begin].kind == Step::LoopBegins && depth-- == 0) {
          first = begin;
          depth = 0;
        }
      }
      for (size_t end = number, depth = 0; end < steps.size(); ++end) {
        depth += steps[end].kind == Step::LoopBegins;
        if (steps[end].kind == Step::LoopEnds) {
          if (depth == 0)
            last = static_cast<int64_t>(end);
          else
            --depth;
        }
      }
      auto *form = llvm::find_if(forms, [&](const auto &one) { return one.first == pitch; });
      if (form == forms.end()) {
        forms.push_back({pitch, {bytes, first, last}});
      } else {
        form->second.first = std::min(form->second.first, first);
        form->second.last = std::max(form->second.last, last);
      }
    }
    for (auto &[pitch, life] : forms)
      lives.push_back(life);
  }
  std::vector<int64_t> offsets = weft::placedApart(lives);
  int64_t most = 0;
  for (auto [life, offset] : llvm::zip(lives, offsets))
    most = std::max(most, offset + life.bytes);
  int64_t room = capacity * 2 / 3;
  if (most <= room)
    return true;
  for (Value array : arrays)
    notes
        .rejected(array.getDefiningOp(), "{0}: stays with the cores, which exchange its parts",
                  weft::spoken(array))
        .because("what would stay takes {0} bytes of a core's memory, {1} more than two thirds",
                 most, most - room)
        .number("bytes", most);
  return false;
}

void KeptArrays::analyse() {
  for (Step &step : steps) {
    if (!step.choice)
      continue;
    step.nest->tile(*step.choice);
    step.loop = step.nest->rowLoop;
    step.ops = opsOf(*step.nest->columnLoop.getBody());
    step.analysis = std::make_unique<FootprintAnalysis>(step.ops, capacity);
  }
}

/// The number of the layout that a nest wants of an array.
std::optional<unsigned> KeptArrays::layoutIn(const Step &step, Value array) {
  const weft::Footprint *footprint = step.analysis ? step.analysis->of(array) : nullptr;
  if (!footprint)
    return std::nullopt;
  auto layout =
      SpreadLayout::of(*step.analysis, *footprint, step.nest->rowLoop.getInductionVar(),
                       step.nest->columnLoop.getInductionVar(), mesh);
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
    auto plan = weft::exchangeBetween(layouts[*current], layouts[to], messageLanes);
    if (plan)
      changes.push_back({before, {array, *current, to, *plan}});
    current = to;
    return plan.has_value();
  };
  SmallVector<std::pair<unsigned, unsigned>> at;
  for (auto [number, step] : llvm::enumerate(steps)) {
    if (step.kind == Step::LoopBegins) {
      loops.push_back({current});
      continue;
    }
    if (step.kind == Step::LoopEnds) {
      Loop loop = loops.pop_back_val();
      if (loop.readFirst && !change(number, *loop.entry))
        return false;
      continue;
    }
    if (!step.nest->touches(array))
      continue;
    bool needs = true;
    unsigned layout;
    if (step.kind == Step::Sum) {
      if (!current || !isLocalSum(step, array, layouts[*current]))
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

/// The indices of a load in a sum, of its iteration alone.
struct SumLoad {
  affine::AffineLoadOp op;
  AffineMap map;
};

/// A sum's own iterations: number n has the index `lower` + n * `step`.
struct SumRange {
  AffineForOp inner;
  affine::AffineApplyOp index;
  int64_t lower, step, trips;
};

std::optional<SumRange> rangeOf(AffineForOp shared) {
  auto inner = dyn_cast<AffineForOp>(shared.getBody()->front());
  auto index = inner ? dyn_cast<affine::AffineApplyOp>(inner.getBody()->front())
                     : affine::AffineApplyOp();
  if (!index || index.getMapOperands().size() != 2)
    return std::nullopt;
  AffineMap map = index.getAffineMap();
  int64_t lower = map.compose({0, 0})[0];
  return SumRange{inner, index, lower, map.compose({1, 0})[0] - lower,
                  shared.getConstantUpperBound() * inner.getConstantUpperBound()};
}

/// The loads of a sum as functions of its index; nothing where one depends on more.
std::optional<SmallVector<SumLoad>> loadsOf(SumRange range) {
  SmallVector<SumLoad> loads;
  for (Operation &op : range.inner.getBody()->without_terminator()) {
    auto load = dyn_cast<affine::AffineLoadOp>(op);
    if (!load)
      continue;
    AffineMap map = load.getAffineMap();
    for (Value operand : load.getMapOperands())
      if (operand != range.index.getResult())
        return std::nullopt;
    if (map.getNumDims() + map.getNumSymbols() > 1)
      return std::nullopt;
    if (map.getNumSymbols() == 1)
      map = map.replaceDimsAndSymbols({}, {getAffineDimExpr(0, map.getContext())}, 1, 0);
    loads.push_back({load, AffineMap::get(1, 0, map.getResults(), map.getContext())});
  }
  return loads;
}

/// Whether each of a sum's values is with one core, which then can add it: all that an iteration
/// loads is of this array and of one core.
bool KeptArrays::isLocalSum(const Step &step, Value array, const SpreadLayout &layout) const {
  auto range = rangeOf(step.loop);
  auto loads = range ? loadsOf(*range) : std::nullopt;
  if (!loads)
    return false;
  AffineExpr owner;
  for (SumLoad &load : *loads) {
    if (weft::rootOf(load.op.getMemref()) != array)
      return false;
    auto exprs = layout.exprs(load.map.getResults(), load.op.getMemRefType().getShape());
    if (!exprs)
      return false;
    AffineExpr its = simplifyAffineExpr(exprs->first, 1, 0);
    if (owner && owner != its)
      return false;
    owner = its;
  }
  return owner != AffineExpr();
}

/// Each core goes through all iterations and adds what it has.
void KeptArrays::rewriteSum(Step &step, ArrayRef<std::pair<Value, unsigned>> sources) {
  AffineForOp shared = step.loop;
  SumRange range = *rangeOf(shared);
  SmallVector<SumLoad> loads = *loadsOf(range);
  const SpreadLayout &layout = layouts[sources.front().second];
  Value array = sources.front().first;
  OpBuilder builder(shared);
  Location loc = shared.getLoc();
  auto all = AffineForOp::create(builder, loc, 0, mesh.cores(), 1, shared.getInits());
  all->setAttrs(shared->getDiscardableAttrDictionary());
  OpBuilder inner = OpBuilder::atBlockEnd(all.getBody());
  auto own = AffineForOp::create(inner, loc, 0, range.trips, 1, all.getRegionIterArgs());
  affine::AffineYieldOp::create(inner, loc, own.getResults());
  for (NamedAttribute mark : range.inner->getDiscardableAttrs())
    own->setAttr(mark.getName(), mark.getValue());
  inner.setInsertionPointToEnd(own.getBody());
  Value core = all.getInductionVar(), turn = own.getInductionVar();
  AffineExpr coreDim = inner.getAffineDimExpr(0), turnDim = inner.getAffineDimExpr(1);
  AffineExpr index = turnDim * range.step + range.lower;
  Value isMine, zero = arith::ConstantOp::create(inner, loc, inner.getF64FloatAttr(0.0));
  IRMapping mapping;
  mapping.map(range.index.getResult(),
              affine::AffineApplyOp::create(inner, loc, AffineMap::get(2, 0, index),
                                            ValueRange{core, turn})
                  .getResult());
  mapping.map(range.inner.getRegionIterArgs(), own.getRegionIterArgs());
  auto at = [&](AffineExpr expr) {
    return simplifyAffineExpr(expr.replaceDims({index}), 2, 0);
  };
  for (Operation &op : *range.inner.getBody()) {
    if (&op == range.index.getOperation())
      continue;
    auto load = dyn_cast<affine::AffineLoadOp>(op);
    if (!load) {
      Operation *copy = inner.clone(op, mapping);
      (void)copy;
      continue;
    }
    auto *known = llvm::find_if(loads, [&](const SumLoad &one) { return one.op == load; });
    auto exprs = *layout.exprs(known->map.getResults(), load.getMemRefType().getShape());
    if (!isMine) {
      Value owner = affine::AffineApplyOp::create(
          inner, loc, AffineMap::get(2, 0, at(exprs.first)), ValueRange{core, turn});
      isMine = arith::CmpIOp::create(inner, loc, arith::CmpIPredicate::eq, owner, core);
    }
    AffineExpr where = at(exprs.second);
    SmallVector<AffineExpr> indices{coreDim.floorDiv(mesh.columns), coreDim % mesh.columns};
    auto type = cast<MemRefType>(array.getType());
    if (type.getRank() == 4) {
      indices.push_back(simplifyAffineExpr(where.floorDiv(2), 2, 0));
      indices.push_back(simplifyAffineExpr(where % 2, 2, 0));
    } else {
      indices.push_back(where);
    }
    Value value = affine::AffineLoadOp::create(
        inner, loc, array, AffineMap::get(2, 0, indices, inner.getContext()),
        ValueRange{core, turn});
    mapping.map(load.getResult(), value);
  }
  // What is added is nothing where it is another core's.
  for (auto [sum, next] :
       llvm::zip(own.getRegionIterArgs(), own.getBody()->getTerminator()->getOperands())) {
    auto add = next.getDefiningOp<arith::AddFOp>();
    unsigned addend = add.getLhs() == sum ? 1 : 0;
    OpBuilder before(add);
    add->setOperand(addend, arith::SelectOp::create(before, loc, isMine, add->getOperand(addend),
                                                    zero));
  }
  shared.replaceAllUsesWith(all.getResults());
  shared.erase();
  step.loop = all;
}

void KeptArrays::apply() {
  OpBuilder builder = OpBuilder::atBlockBegin(&cores.getBody().front());
  std::vector<Value> spread(layouts.size());
  for (auto [number, layout] : llvm::enumerate(layouts)) {
    if (!arrays.contains(layout.array))
      continue;
    SmallVector<int64_t> shape{mesh.rows, mesh.columns, layout.elements()};
    if (layout.pairs)
      shape = {mesh.rows, mesh.columns, layout.elements() / 2, 2};
    auto type =
        MemRefType::get(shape, cast<MemRefType>(layout.array.getType()).getElementType());
    spread[number] =
        weft::cpe::SpreadOp::create(builder, layout.array.getDefiningOp()->getLoc(), type);
  }
  for (auto [number, step] : llvm::enumerate(steps)) {
    for (const Change &change : changesBefore[number]) {
      if (!arrays.contains(change.array))
        continue;
      Operation *before =
          step.kind == Step::LoopEnds ? step.loop.getBody()->getTerminator() : step.loop;
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
                   messageLanes, plan.block)
          .number("run", plan.block);
    }
    if (step.kind == Step::Sum) {
      for (Value array : arrays)
        if (auto found = layoutAt.find({number, array}); found != layoutAt.end()) {
          rewriteSum(step, {{spread[found->second], found->second}});
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
  }
}

void KeptArrays::run() {
  collect(cores.getBody().front());
  findArrays();
  choose();
  if (arrays.empty() || !leavesRoom())
    return;
  analyse();
  changesBefore.resize(steps.size());
  for (Value array : llvm::to_vector(arrays))
    if (!follow(array))
      drop(array, "its parts in one nest do not become those of the next by exchanges within "
                  "rows or within columns");
  apply();
  for (Value array : arrays)
    notes
        .decided(array.getDefiningOp(), "{0}: stays with the cores", weft::spoken(array))
        .because("each has {0} bytes of it",
                 cast<MemRefType>(array.getType()).getNumElements() * 8 / mesh.cores());
}

struct InsertExchanges : public weft::impl::InsertExchangesBase<InsertExchanges> {
  using InsertExchangesBase::InsertExchangesBase;

  void runOnOperation() override {
    FailureOr<weft::Target> target = weft::Target::of(getOperation());
    if (failed(target))
      return signalPassFailure();
    SmallVector<weft::cpe::CoresOp> all;
    getOperation().walk([&](weft::cpe::CoresOp op) { all.push_back(op); });
    std::optional<int64_t> rows = target->numberIfAny("mesh_rows");
    if (all.empty() || !rows)
      return;
    FailureOr<int64_t> ldm = target->number("ldm_bytes");
    FailureOr<int64_t> reserved = target->number("ldm_reserved_bytes");
    FailureOr<int64_t> cores = target->number("cores");
    if (failed(ldm) || failed(reserved) || failed(cores))
      return signalPassFailure();
    for (weft::cpe::CoresOp op : all)
      KeptArrays(op, {*rows, *cores / *rows}, *ldm - *reserved).run();
  }
};

} // namespace
