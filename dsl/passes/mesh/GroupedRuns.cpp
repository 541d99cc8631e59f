//===- GroupedRuns.cpp - long runs for several cores ------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// A line of a column of elements takes so much of a core's memory that few of them fit: each
// core would fetch runs of as few elements. The cores of a row work on neighbouring columns, so
// that their runs lie side by side. Each gets its share of the whole runs instead, rows of all
// columns, and gives each other core what is of its columns; and the same on the way back.
//
//===-----------------------------------------------------------------------===//

#include "passes/mesh/GroupedRuns.h"

#include "passes/Notes.h"
#include "passes/mesh/MeshTiling.h"
#include "passes/transfers/LdmPlan.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "llvm/ADT/MapVector.h"

#include <memory>

using namespace mlir;
using namespace weft;
using affine::AffineForOp;

namespace {

constexpr Notes notes("insert-exchanges");

/// A core's array of columns. What comes in and what goes out are two where the one has been read
/// before the other is written.
struct Columns {
  Value array; ///< in memory
  bool comesIn, goesOut;
  FootprintAnalysis::Accesses which;
  LdmDemand demand;
};

class GroupedNest {
public:
  GroupedNest(AffineForOp outer, Mesh mesh, int64_t capacity, LongRun longRun,
              const DenseSet<Value> &fewRead)
      : outer(outer), mesh(mesh), capacity(capacity), longRun(longRun), fewRead(fewRead) {}

  bool fits();
  void rewrite();
  /// Why cores cannot move runs as long as the schedule asks for together; none where theirs are as
  /// long. Of a nest that does not fit.
  std::optional<std::string> whyAlone();

private:
  bool isGrouped(const FootprintAnalysis &analysis, const Footprint &footprint);
  bool liesBeside(const FootprintAnalysis &analysis, const Footprint &footprint);
  void addColumns(const Footprint &footprint, ArrayRef<Operation *> ops);
  int64_t tableBytes(const FootprintAnalysis &known);
  void moveRuns(OpBuilder &builder, const Footprint &footprint, Value spread, bool gets);
  ExchangePlan planOf(const Footprint &footprint, bool toColumns) const;

  AffineForOp outer, inner;
  Mesh mesh;
  int64_t capacity;
  LongRun longRun;
  const DenseSet<Value> &fewRead;
  SmallVector<Columns> columns;
  // While it is rewritten.
  std::unique_ptr<FootprintAnalysis> analysis;
  AffineForOp rowLoop, columnLoop;
};

/// Whether a core's runs of an array are short, and those of the next column lie beside them.
bool GroupedNest::isGrouped(const FootprintAnalysis &known, const Footprint &footprint) {
  const BlockedRegion &region = footprint.region;
  // What stays with the cores fixed the parts of a nest over the mesh, down to rows of rows.
  size_t levels = outer->hasAttr(meshMark) ? 1 : 3;
  // Rows of all columns that lie one behind the other become one run.
  bool areJoined = region.counts.size() > 1 && region.strides.back() == region.block * mesh.columns;
  if (region.counts.empty() || region.counts.size() > levels + (areJoined ? 1 : 0) ||
      region.counts[0] % mesh.columns != 0 ||
      llvm::any_of(region.strides,
                   [&](int64_t stride) { return stride < region.block * mesh.columns; }) ||
      !isa<FloatType>(cast<MemRefType>(footprint.array.getType()).getElementType()))
    return false;
  bool isLong = longRun.asked
                    ? region.block >= *longRun.asked * (known.isOfPairs(footprint) ? 2 : 1)
                    : region.block * elementBytes(footprint.array) >= longRun.bytes;
  if (region.block % mesh.messageLanes != 0 || isLong)
    return false;
  if (llvm::count_if(known.footprints(),
                     [&](const Footprint &one) { return one.array == footprint.array; }) != 1)
    return false;
  return liesBeside(known, footprint);
}

/// Whether the runs of every group of columns lie one behind the other: in the first iteration of
/// loops around the nest, and hence in all, as these move all columns alike.
bool GroupedNest::liesBeside(const FootprintAnalysis &known, const Footprint &footprint) {
  SmallVector<std::pair<Value, int64_t>> around;
  for (auto loop = dyn_cast<AffineForOp>(outer->getParentOp()); loop;
       loop = dyn_cast<AffineForOp>(loop->getParentOp()))
    if (loop.hasConstantLowerBound())
      around.push_back({loop.getInductionVar(), loop.getConstantLowerBound()});
  if (known.mixes(footprint, llvm::map_to_vector(around, [](auto &one) { return one.first; }),
                  {outer.getInductionVar(), inner.getInductionVar()}))
    return false;
  auto startAt = [&](int64_t row, int64_t column) {
    SmallVector<std::pair<Value, int64_t>> here(around);
    here.push_back(
        {outer.getInductionVar(), outer.getConstantLowerBound() + row * outer.getStepAsInt()});
    here.push_back(
        {inner.getInductionVar(), inner.getConstantLowerBound() + column * inner.getStepAsInt()});
    return known.startAt(footprint, here);
  };
  for (int64_t row = 0; row < tripsOf(outer); ++row)
    for (int64_t column = 0; column < tripsOf(inner); column += mesh.columns) {
      auto first = startAt(row, column);
      for (int64_t next = 1; next < mesh.columns; ++next)
        if (!first || startAt(row, column + next) != *first + next * footprint.region.block)
          return false;
    }
  return true;
}

bool GroupedNest::fits() {
  if (!outer->hasAttr("weft.parallel") || outer->hasAttr("weft.sums") ||
      !llvm::hasSingleElement(outer.getBody()->without_terminator()))
    return false;
  inner = dyn_cast<AffineForOp>(outer.getBody()->front());
  if (!inner || !inner->hasAttr("weft.parallel") || !outer.hasConstantBounds() ||
      !inner.hasConstantBounds() || inner.getNumIterOperands() != 0 ||
      outer.getNumIterOperands() != 0 || tripsOf(outer) % mesh.rows != 0 ||
      tripsOf(inner) % mesh.columns != 0)
    return false;
  SmallVector<Operation *> ops = opsOf(*inner.getBody());
  FootprintAnalysis known(ops, capacity);
  int64_t others = tableBytes(known);
  for (const Footprint &footprint : known.footprints())
    if (isGrouped(known, footprint))
      addColumns(footprint, ops);
    else if (!footprint.array.getDefiningOp<memref::GetGlobalOp>())
      others += footprint.bytes();
  // While a core works on columns; and while runs come in and go out, which take an array more.
  SmallVector<LdmDemand> demands;
  int64_t in = 0, out = 0, runs = 0;
  for (const Columns &one : columns) {
    demands.push_back(one.demand);
    in += one.comesIn ? one.demand.bytes : 0;
    out += one.goesOut ? one.demand.bytes : 0;
    runs = std::max(runs, one.demand.bytes);
  }
  if (columns.empty())
    return false;
  Region &all = outer->getParentOfType<cpe::CoresOp>().getBody();
  Operation *end = inner.getBody()->getTerminator();
  int64_t most = LdmPlan(all, demands).bytes();
  most = std::max(most,
                  LdmPlan(all, {{in + runs, ops.front(), ops.front(), LdmDemand::Before}}).bytes());
  most = std::max(most, LdmPlan(all, {{out + runs, end, end, LdmDemand::Behind}}).bytes());
  return most + others <= capacity;
}

std::optional<std::string> GroupedNest::whyAlone() {
  bool hasTwo = inner && inner->hasAttr("weft.parallel");
  SmallVector<Operation *> ops = opsOf(*(hasTwo ? inner : outer).getBody());
  FootprintAnalysis known(ops, capacity);
  const Footprint *shortest = nullptr;
  for (const Footprint &footprint : known.footprints())
    if (!footprint.region.counts.empty() && !footprint.array.getDefiningOp<memref::GetGlobalOp>() &&
        footprint.region.block < *longRun.asked * (known.isOfPairs(footprint) ? 2 : 1) &&
        (!shortest || footprint.region.elements() > shortest->region.elements()))
      shortest = &footprint;
  if (!shortest)
    return std::nullopt;
  auto noMultiple = [](int64_t count, StringRef what, int64_t cores, StringRef of) {
    return llvm::formatv("{0} {1} are no multiple of the {2} {3}", count, what, cores, of).str();
  };
  if (!hasTwo)
    return "there is one loop for rows and columns of cores";
  if (tripsOf(outer) % mesh.rows != 0)
    return noMultiple(tripsOf(outer), "planes", mesh.rows, "rows of cores");
  if (tripsOf(inner) % mesh.columns != 0)
    return noMultiple(tripsOf(inner), "blocks of columns", mesh.columns, "cores of a row");
  if (int64_t points = shortest->region.counts[0]; points % mesh.columns != 0)
    return noMultiple(points, "points", mesh.columns, "cores of a row");
  if (columns.empty())
    return "the columns of the cores of a row do not lie side by side";
  return "a core has no room for the runs beside its columns";
}

void GroupedNest::addColumns(const Footprint &footprint, ArrayRef<Operation *> ops) {
  using Accesses = FootprintAnalysis::Accesses;
  Operation *lastRead = nullptr, *firstWritten = nullptr;
  for (const Touch &touch : footprint.touches) {
    Operation *op = inner.getBody()->findAncestorOpInBlock(*touch.op);
    if (!touch.isWrite && (!lastRead || lastRead->isBeforeInBlock(op)))
      lastRead = op;
    if (touch.isWrite && (!firstWritten || op->isBeforeInBlock(firstWritten)))
      firstWritten = op;
  }
  int64_t bytes = footprint.bytes();
  bool comesIn = footprint.needsGet, goesOut = footprint.isWritten;
  if (comesIn && goesOut && footprint.isWhollyWritten && lastRead->isBeforeInBlock(firstWritten)) {
    columns.push_back(
        {footprint.array, true, false, Accesses::Reads, {bytes, ops.front(), lastRead}});
    columns.push_back(
        {footprint.array, false, true, Accesses::Writes, {bytes, firstWritten, ops.back()}});
    return;
  }
  Operation *first = comesIn ? ops.front() : firstWritten, *last = goesOut ? ops.back() : lastRead;
  columns.push_back({footprint.array, comesIn, goesOut, Accesses::All, {bytes, first, last}});
}

/// Of the tables that the LDM may hold while the nest runs: those that it reads, or nests before
/// and behind it. Those of which little is read come whenever they are.
int64_t GroupedNest::tableBytes(const FootprintAnalysis &known) {
  auto cores = outer->getParentOfType<cpe::CoresOp>();
  Block &body = cores.getBody().front();
  Operation *here = body.findAncestorOpInBlock(*outer);
  struct Use {
    bool before = false, behind = false;
  };
  llvm::MapVector<Value, Use> tables;
  cores.walk([&](Operation *op) {
    if (isa<cpe::DmaGetOp>(op)) // parts of it stay already
      return;
    for (Value operand : op->getOperands())
      if (operand.getDefiningOp<memref::GetGlobalOp>() && !fewRead.contains(operand)) {
        Operation *part = body.findAncestorOpInBlock(*op);
        tables[operand].before |= !here->isBeforeInBlock(part);
        tables[operand].behind |= !part->isBeforeInBlock(here);
      }
  });
  int64_t bytes = 0;
  for (auto &[table, use] : tables)
    if (use.before && use.behind)
      bytes += ldmBytesOf(cast<MemRefType>(table.getType()));
  bytes = std::min(bytes, capacity / 3);
  for (const Footprint &footprint : known.footprints())
    if (fewRead.contains(footprint.array))
      bytes += footprint.bytes();
  return bytes;
}

/// From memory to the parts of `spread`, or back: of the column's runs, those of all columns, a
/// share of them for each core of a row.
void GroupedNest::moveRuns(OpBuilder &builder, const Footprint &footprint, Value spread,
                           bool gets) {
  auto [rows, columns] = loopsOverMesh(builder, outer.getLoc(), mesh);
  OpBuilder here = OpBuilder::atBlockBegin(columns.getBody());
  const BlockedRegion &region = footprint.region;
  SmallVector<int64_t> counts(region.counts), strides(region.strides);
  counts[0] /= mesh.columns;
  LinearForm start = footprint.start;
  start.constant += footprint.elements.front();
  AffineExpr first = analysis->exprOf(start);
  AffineExpr row = analysis->dimOf(rowLoop.getInductionVar());
  AffineExpr column = analysis->dimOf(columnLoop.getInductionVar());
  AffineExpr myRow = analysis->dimOf(rows.getInductionVar());
  AffineExpr myColumn = analysis->dimOf(columns.getInductionVar());
  DenseMap<AffineExpr, AffineExpr> mine{{row, myRow},
                                        {column, getAffineConstantExpr(0, first.getContext())}};
  AffineExpr at = first.replace(mine) + myColumn * (counts[0] * strides[0]);
  auto [map, operands] = analysis->mapOf({at});
  Location loc = outer.getLoc();
  Value place = affine::AffineApplyOp::create(here, loc, map, operands);
  SmallVector<Value> core{rows.getInductionVar(), columns.getInductionVar()};
  int64_t block = region.block * mesh.columns;
  if (strides.back() == block) {
    block *= counts.pop_back_val();
    strides.pop_back();
  }
  if (gets)
    cpe::DmaGetOp::create(here, loc, footprint.array, place, spread, core, block, counts, strides);
  else
    cpe::DmaPutOp::create(here, loc, spread, footprint.array, place, core, block, counts, strides);
  cpe::DmaWaitOp::create(here, loc);
}

/// Between rows of all columns and whole columns.
ExchangePlan GroupedNest::planOf(const Footprint &footprint, bool toColumns) const {
  int64_t block = footprint.region.block;
  int64_t share = footprint.region.elements() / block / mesh.columns;
  ExchangePlan plan;
  plan.alongRows = true;
  plan.block = block;
  plan.counts = {share};
  plan.fromStep = block;
  plan.fromStrides = {block * mesh.columns};
  plan.toStep = share * block;
  plan.toStrides = {block};
  if (!toColumns) {
    std::swap(plan.fromStep, plan.toStep);
    std::swap(plan.fromStrides, plan.toStrides);
  }
  return plan;
}

void GroupedNest::rewrite() {
  Location loc = outer.getLoc();
  OpBuilder builder(outer);
  // One round needs no loops: what is made for it then shares the bytes of what is made around it.
  auto openRounds = [&](int64_t rounds) {
    if (rounds == 1)
      return AffineForOp();
    auto loop = AffineForOp::create(builder, loc, 0, rounds, 1);
    builder.setInsertionPointToStart(loop.getBody());
    return loop;
  };
  AffineForOp rowRounds = openRounds(tripsOf(outer) / mesh.rows);
  AffineForOp columnRounds = openRounds(tripsOf(inner) / mesh.columns);
  std::tie(rowLoop, columnLoop) = loopsOverMesh(builder, loc, mesh);
  Block &body = *columnLoop.getBody();
  body.getOperations().splice(body.begin(), inner.getBody()->getOperations(),
                              inner.getBody()->begin(), std::prev(inner.getBody()->end()));
  auto replace = [&](AffineForOp loop, AffineForOp rounds, AffineForOp place, int64_t places) {
    OpBuilder at = OpBuilder::atBlockBegin(&body);
    AffineExpr own = at.getAffineDimExpr(0);
    SmallVector<Value> values{place.getInductionVar()};
    if (rounds) {
      own = own + at.getAffineDimExpr(1) * places;
      values.push_back(rounds.getInductionVar());
    }
    Value index = affine::AffineApplyOp::create(
        at, loop.getInductionVar().getLoc(),
        AffineMap::get(values.size(), 0, own * loop.getStepAsInt() + loop.getConstantLowerBound()),
        values);
    loop.getInductionVar().replaceAllUsesWith(index);
  };
  replace(outer, rowRounds, rowLoop, mesh.rows);
  replace(inner, columnRounds, columnLoop, mesh.columns);

  SmallVector<Operation *> ops = opsOf(body);
  analysis = std::make_unique<FootprintAnalysis>(ops, capacity);
  OpBuilder spreads(rowLoop), before(rowLoop), after(rowLoop->getNextNode());
  AffineExpr row = analysis->dimOf(rowLoop.getInductionVar());
  AffineExpr column = analysis->dimOf(columnLoop.getInductionVar());
  for (const Columns &one : columns) {
    const Footprint &footprint = *analysis->of(one.array);
    MemRefType type =
        spreadType(one.array, mesh, footprint.region.elements(), analysis->isOfPairs(footprint));
    auto make = [&] { return cpe::SpreadOp::create(spreads, one.array.getLoc(), type).getArray(); };
    auto exchange = [&](OpBuilder &at, Value from, Value to, bool toColumns) {
      ExchangePlan plan = planOf(footprint, toColumns);
      cpe::ExchangeOp::create(at, loc, from, to, plan.alongRows, plan.block, plan.counts,
                              plan.fromStep, plan.fromStrides, plan.toStep, plan.toStrides);
    };
    Value own = make();
    if (one.which != FootprintAnalysis::Accesses::Writes)
      notes
          .decided(outer, "{0}: the cores of a row move runs of {1} elements together",
                   spoken(one.array), footprint.region.block * mesh.columns)
          .because("alone each would move runs of {0}, of {1} bytes", footprint.region.block,
                   footprint.region.block * elementBytes(one.array))
          .number("run", footprint.region.block * mesh.columns);
    if (one.comesIn) {
      Value rows = make();
      moveRuns(before, footprint, rows, true);
      exchange(before, rows, own, true);
    }
    if (one.goesOut) {
      Value rows = make();
      exchange(after, own, rows, false);
      moveRuns(after, footprint, rows, false);
    }
    analysis->redirect(footprint, own, {row, column}, one.which);
  }
  outer.erase();
}

} // namespace

/// Tables of which parts stay with the cores, and of which nests read a few elements beside these.
static DenseSet<Value> tablesOfFew(cpe::CoresOp cores, ArrayRef<AffineForOp> nests,
                                   int64_t capacity) {
  constexpr int64_t few = 512; // bytes
  DenseSet<Value> inParts, found;
  cores.walk([&](cpe::DmaGetOp get) {
    if (get.getMain().getDefiningOp<memref::GetGlobalOp>())
      inParts.insert(get.getMain());
  });
  for (Value table : inParts) {
    bool all = llvm::all_of(table.getUsers(), [&](Operation *user) {
      return isa<cpe::DmaGetOp>(user) || !cores->isProperAncestor(user) ||
             llvm::any_of(nests, [&](AffineForOp nest) { return nest->isProperAncestor(user); });
    });
    for (AffineForOp nest : nests) {
      auto inner = dyn_cast<AffineForOp>(nest.getBody()->front());
      if (!all || !inner || llvm::none_of(table.getUsers(), [&](Operation *user) {
            return !isa<cpe::DmaGetOp>(user) && nest->isProperAncestor(user);
          }))
        continue;
      SmallVector<Operation *> ops = opsOf(*inner.getBody());
      FootprintAnalysis known(ops, capacity);
      int64_t bytes = 0;
      for (const Footprint &footprint : known.footprints())
        bytes += footprint.array == table ? footprint.bytes() : 0;
      all &= bytes > 0 && bytes <= few;
    }
    if (all)
      found.insert(table);
  }
  return found;
}

void weft::groupRuns(cpe::CoresOp cores, Mesh mesh, int64_t capacity, LongRun longRun) {
  if ((mesh.columns & (mesh.columns - 1)) != 0)
    return;
  SmallVector<AffineForOp> nests;
  cores.walk<WalkOrder::PreOrder>([&](AffineForOp loop) {
    if (!loop->hasAttr("weft.parallel"))
      return WalkResult::advance();
    nests.push_back(loop);
    return WalkResult::skip();
  });
  DenseSet<Value> fewRead = tablesOfFew(cores, nests, capacity);
  for (AffineForOp loop : nests) {
    GroupedNest nest(loop, meshAt(loop, mesh), capacity, longRun, fewRead);
    if (nest.fits())
      nest.rewrite();
    else if (longRun.asked.value_or(1) > 1)
      if (std::optional<std::string> why = nest.whyAlone())
        loop->setAttr(runsAloneMark, StringAttr::get(loop.getContext(), *why));
  }
}
