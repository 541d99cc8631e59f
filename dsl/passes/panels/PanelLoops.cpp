//===- PanelLoops.cpp - loops in which a mesh shares products ---------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
//   for blocks of the result                 (one of each core at a time)
//     for panels of the reduced index        (the next one is on its way)
//       for steps                            (one column and one row of the mesh send)
//         for rows, for vectors of columns   (sums in registers)
//           terms of a step, written out
//
// Where each core works for itself, a panel is all that it needs of so many terms, and steps send
// nothing: what all of them need comes for all at once. Cores that have parts of the terms then
// exchange the parts of their sums, along rows and along columns, and add them up.
//
// A transfer fills an array that nothing else touches until the panel before is done; then its
// elements are copied to where they are sent from, which costs an eighth of what sending does.
//
//===-----------------------------------------------------------------------===//

#include "passes/panels/MeshCode.h"

#include "dialect/Cpe.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

static Value variableOf(AffineForOp loop) { return loop.getInductionVar(); }

namespace {

class PanelLoops : MeshCode {
public:
  PanelLoops(const PanelNest &nest, const PanelPlan &plan, const MeshMachine &machine, bool fma)
      : MeshCode(AffineForOp(nest.outermost), AffineForOp(nest.columns).getLoc(),
                 nest.result.memref, machine, fma),
        nest(nest), plan(plan), shape(nest.shape()) {}

  void run();

private:
  /// Where a core's block at work begins, and the numbers of products and blocks that say so.
  struct Place {
    AffineExpr batch, row, column;
    AffineExpr product, rowBlock, columnBlock;
  };

  /// Where a factor lies in main memory, and the runs of a panel of it.
  struct FactorAccess {
    const PanelAccess &of;
    Runs runs;
  };

  void makeArrays();
  FactorAccess accessOf(const Phase &phase, const FactorArrays &factor) const;
  Place placeOf(AffineExpr block, AffineExpr row, AffineExpr column) const;
  AffineExpr elementOf(const PanelAccess &access, IndexValues &values, const Place &place,
                       AffineExpr term) const;
  Value elementAt(OpBuilder &at, const PanelAccess &access, IndexValues &values, const Place &place,
                  AffineExpr term) const {
    return applied(at, elementOf(access, values, place, term), values);
  }
  void fetch(const Phase &phase, BlockAndPanel blockAndPanel);
  void fetchForAll(const Phase &phase, const FactorArrays &factor, AffineExpr number,
                   AffineExpr term, IndexValues &values);
  void keepForAll();
  void take(const Phase &phase);
  void take(const Phase &phase, const FactorArrays &factor);
  void clearTerm(const Phase &phase);
  void panels(const Phase &phase);
  void multiply(const Phase &phase, Value step);
  void terms(OpBuilder &at, const Phase &phase, Value row, Value column, Value step, Value i,
             Value j, SmallVector<Value> &sum) const;
  Value linesOf(int64_t elements);
  void put();
  void putSums();

  const PanelNest &nest;
  const PanelPlan &plan;
  ProductShape shape;
  Value sums; ///< of a core's block
  SmallVector<Phase, 3> phases;
};

void PanelLoops::makeArrays() {
  int64_t ofBlock = plan.rows * plan.columns;
  if (plan.termPlaces > 1 && !plan.isFilledUp(shape))
    ofBlock = panelSumsOf(ofBlock, machine);
  sums = spread(ofBlock, nest.result.memref, "block");
  for (const PanelPhase &of : plan.phases) {
    Phase phase{of, {}, {}};
    phase.left.forAll = plan.isLeftForAll();
    phase.right.forAll = plan.isRightForAll();
    auto make = [&](FactorArrays &factor, const PanelAccess &access, bool shares, int64_t extent,
                    int64_t comes) {
      factor.shared = shares && of.steps > 1;
      factor.terms = of.depth * (factor.shared ? 1 : of.steps);
      int64_t elements = extent * factor.terms;
      bool isFilledUp = extent > comes;
      auto array = [&](int64_t of, StringRef what) {
        return factor.forAll ? same(of, access.memref, what) : spread(of, access.memref, what);
      };
      if ((of.ahead && !(factor.forAll && plan.keepsForAll())) || isFilledUp)
        factor.coming = array(comes * factor.terms, "coming");
      factor.part = array(elements, "part");
      factor.all = factor.shared ? spread(elements, access.memref, "sent") : factor.part;
      if (isFilledUp)
        clear(factor.part, elements);
    };
    make(phase.left, nest.left, plan.sharesLeft(), plan.rows, plan.rows);
    make(phase.right, nest.right, plan.sharesRight(), plan.columns, plan.columnsThere(shape));
    phases.push_back(phase);
  }
}

PanelLoops::Place PanelLoops::placeOf(AffineExpr number, AffineExpr row, AffineExpr column) const {
  AffineExpr none = constant(0), core = row * mesh.columns + column;
  bool rowsAreBatch = plan.rowPlaces == 1, columnsAreBatch = plan.columnPlaces == 1;
  AffineExpr round = number.floorDiv(plan.rowBlocks * plan.columnBlocks);
  AffineExpr rowBlock = number.floorDiv(plan.columnBlocks) % plan.rowBlocks;
  AffineExpr columnBlock = number % plan.columnBlocks;
  AffineExpr product = round * plan.batchPlaces;
  if (!plan.isAlone)
    product = product + (rowsAreBatch ? row * (columnsAreBatch ? mesh.columns : 1) : none) +
              (columnsAreBatch ? column : none);
  rowBlock = rowBlock * plan.rowPlaces + (rowsAreBatch ? none : plan.isAlone ? core : row);
  columnBlock = columnBlock * plan.columnPlaces + (columnsAreBatch ? none
                                                   : plan.isAlone  ? core
                                                                   : column);
  return {product % shape.batch,
          beginOf(rowBlock, plan.blocksOfRows(shape), plan.rowBlocks * plan.rowPlaces),
          beginOf(columnBlock, plan.blocksOfColumns(shape), plan.columnBlocks * plan.columnPlaces),
          product,
          rowBlock,
          columnBlock};
}

AffineExpr PanelLoops::elementOf(const PanelAccess &access, IndexValues &values, const Place &place,
                                 AffineExpr term) const {
  return MeshCode::placeOf(access, values, [&](Value operand) {
    auto isOf = [&](AffineForOp one) { return one && operand == variableOf(one); };
    return isOf(nest.batch)     ? place.batch
           : isOf(nest.rows)    ? place.row
           : isOf(nest.columns) ? place.column
           : isOf(nest.terms)   ? term
                                : AffineExpr();
  });
}

PanelLoops::FactorAccess PanelLoops::accessOf(const Phase &phase,
                                              const FactorArrays &factor) const {
  if (&factor == &phase.right)
    return {nest.right, Runs(plan.columnsThere(shape), factor.terms,
                             nest.right.strideOf(variableOf(nest.terms)))};
  Value rows = variableOf(nest.rows), terms = variableOf(nest.terms);
  return {nest.left, shape.leftAlongTerms
                         ? Runs(factor.terms, plan.rows, nest.left.strideOf(rows))
                         : Runs(plan.rows, factor.terms, nest.left.strideOf(terms))};
}

/// Each core its parts of a panel; one core what comes for all, which a sync begins and ends.
void PanelLoops::fetch(const Phase &phase, BlockAndPanel blockAndPanel) {
  const FactorArrays *factors[] = {&phase.left, &phase.right};
  auto firstTerm = [&](AffineExpr panel) {
    return panel * (phase.of.depth * phase.of.steps) + phase.of.from;
  };
  for (const FactorArrays *factor : factors)
    if (factor->forAll && !plan.keepsForAll()) {
      IndexValues values;
      auto [number, panel] = blockAndPanel(values);
      fetchForAll(phase, *factor, number, firstTerm(panel), values);
    }
  onCores([&](OpBuilder &at, Value row, Value column) {
    IndexValues values;
    AffineExpr r = values.of(row), c = values.of(column);
    auto [number, panel] = blockAndPanel(values);
    Place place = placeOf(number, r, c);
    AffineExpr first = firstTerm(panel), core = r * mesh.columns + c;
    SmallVector<AffineExpr> atWork;
    if (phase.of.ofSome) {
      atWork.push_back(-core + (shape.terms % plan.termPlaces - 1));
      first = first + core;
    } else if (plan.termPlaces > 1) {
      first = first + core * plan.termsOfCore(shape);
    } else if (plan.isAlone) {
      bool areRows = plan.rowPlaces > 1;
      PanelBlocks blocks = areRows ? plan.blocksOfRows(shape) : plan.blocksOfColumns(shape);
      AffineExpr block = areRows ? place.rowBlock : place.columnBlock;
      if ((areRows ? plan.rowPlaces * plan.rowBlocks : plan.columnPlaces * plan.columnBlocks) >
          blocks.count())
        atWork.push_back(-block + (blocks.count() - 1));
    }
    if (!atWork.empty())
      at = onlyIf(at, atWork, {false}, values);
    for (const FactorArrays *factor : factors) {
      if (factor->forAll)
        continue;
      FactorAccess access = accessOf(phase, *factor);
      AffineExpr term = first;
      if (factor->shared)
        term = first + (factor == &phase.left ? c : r) * phase.of.depth;
      cpe::DmaGetOp::create(
          at, loc, access.of.memref, elementAt(at, access.of, values, place, term), factor->comes(),
          ValueRange{row, column}, access.runs.run, access.runs.counts, access.runs.strides);
    }
  });
}

void PanelLoops::fetchForAll(const Phase &phase, const FactorArrays &factor, AffineExpr number,
                             AffineExpr term, IndexValues &values) {
  FactorAccess access = accessOf(phase, factor);
  Place place = placeOf(number, constant(0), constant(0));
  auto get = cpe::DmaGetOp::create(
      builder, loc, access.of.memref, elementAt(builder, access.of, values, place, term),
      factor.comes(), ValueRange(), access.runs.run, access.runs.counts, access.runs.strides);
  get.setForAll(true);
}

/// What has come becomes what is sent.
void PanelLoops::take(const Phase &phase) {
  for (const FactorArrays *factor : {&phase.left, &phase.right})
    if (!(factor->forAll && plan.keepsForAll()))
      take(phase, *factor);
}

void PanelLoops::take(const Phase &phase, const FactorArrays &factor) {
  bool isRight = &factor == &phase.right;
  int64_t there = plan.columnsThere(shape);
  if (isRight && plan.isFilledUp(shape))
    copyRuns(factor.coming, factor.part, {{factor.terms, there, plan.columns}}, there);
  else if (factor.coming)
    copy(factor.coming, factor.part, (isRight ? plan.columns : plan.rows) * factor.terms);
}

/// What all blocks of all cores need, once.
void PanelLoops::keepForAll() {
  const Phase &phase = phases.front();
  IndexValues values;
  cpe::SyncOp::create(builder, loc);
  const FactorArrays &factor = plan.isLeftForAll() ? phase.left : phase.right;
  fetchForAll(phase, factor, constant(0), constant(0), values);
  cpe::DmaWaitOp::create(builder, loc);
  cpe::SyncOp::create(builder, loc);
  take(phase, factor);
}

void PanelLoops::panels(const Phase &phase) {
  MeshCode::panels(
      phase.of, plan.blocks(), [&](BlockAndPanel which) { fetch(phase, which); },
      [&] { take(phase); }, [&] { overSteps(phase, [&](Value step) { multiply(phase, step); }); });
}

/// Terms of those that have one more: of the others they are zeros.
void PanelLoops::clearTerm(const Phase &phase) {
  for (const FactorArrays *factor : {&phase.left, &phase.right})
    clear(factor->comes(), cast<MemRefType>(factor->comes().getType()).getShape().back());
}

/// The sums of a block of rows and vectors, with the terms of a step.
void PanelLoops::multiply(const Phase &phase, Value step) {
  MeshCode::multiply(
      {sums, plan.rows, plan.columns, plan.registerRows, plan.registerVectors},
      [&](OpBuilder &at, Value row, Value column, const SumsAt &place, SmallVector<Value> &sum) {
        terms(at, phase, row, column, step, place.i, place.j, sum);
      });
}

void PanelLoops::terms(OpBuilder &at, const Phase &phase, Value row, Value column, Value step,
                       Value i, Value j, SmallVector<Value> &sum) const {
  // The element of a factor's array: of a term and of a row or a column.
  auto load = [&](const FactorArrays &factor, int64_t term, Value place, int64_t beside,
                  int64_t ofTerm, int64_t ofPlace, bool isVector) -> Value {
    IndexValues values;
    values.of(row);
    values.of(column);
    AffineExpr number = termIn(factor, constant(term), phase, step, values);
    AffineExpr where = number * ofTerm + (values.of(place) + beside) * ofPlace;
    return MeshCode::load(at, factor.all, row, column, where, values, isVector);
  };
  for (int64_t term = 0; term < phase.of.depth; ++term) {
    SmallVector<Value> ofColumns;
    for (int64_t v = 0; v < plan.registerVectors; ++v)
      ofColumns.push_back(load(phase.right, term, j, v * machine.lanes, plan.columns, 1, true));
    addTerm(at, sum, ofColumns, [&](int64_t n) {
      return shape.leftAlongTerms ? load(phase.left, term, i, n, 1, phase.left.terms, false)
                                  : load(phase.left, term, i, n, plan.rows, 1, false);
    });
  }
}

/// A core's block without columns that there are not, in an array of so many elements.
Value PanelLoops::linesOf(int64_t elements) {
  if (!plan.isFilledUp(shape))
    return sums;
  int64_t there = plan.columnsThere(shape);
  Value lines = spread(elements, nest.result.memref, "lines");
  copyRuns(sums, lines, {{plan.rows, plan.columns, there}}, there);
  return lines;
}

/// Of the last block of rows, or of columns, what the one before has not.
void PanelLoops::put() {
  int64_t there = plan.columnsThere(shape);
  Value whole = linesOf(plan.rows * there);
  PanelBlocks rows = plan.blocksOfRows(shape), columns = plan.blocksOfColumns(shape);
  onCores([&](OpBuilder &at, Value row, Value column) {
    for (const auto &[height, width] : plan.partsOf(shape)) {
      IndexValues values;
      AffineExpr r = values.of(row), c = values.of(column);
      Place place = placeOf(blockIn(values), r, c);
      SmallVector<AffineExpr> conditions;
      SmallVector<bool> areZero;
      auto only = [&](AffineExpr condition, bool isZero) {
        conditions.push_back(condition);
        areZero.push_back(isZero);
      };
      if (plan.batchRounds * plan.batchPlaces > shape.batch)
        only(-place.product + (shape.batch - 1), false);
      onlyOf(rows, place.rowBlock, plan.rowBlocks * plan.rowPlaces, height, only);
      onlyOf(columns, place.columnBlock, plan.columnBlocks * plan.columnPlaces, width, only);
      OpBuilder where = conditions.empty() ? at : onlyIf(at, conditions, areZero, values);
      int64_t rowsBefore = plan.rows - height, columnsBefore = there - width;
      place.row = place.row + rowsBefore;
      place.column = place.column + columnsBefore;
      Value start = elementAt(where, nest.result, values, place, {});
      Runs lie(width, height, nest.result.strideOf(variableOf(nest.rows)));
      if (rowsBefore + columnsBefore == 0) {
        cpe::DmaPutOp::create(where, loc, whole, nest.result.memref, start, ValueRange{row, column},
                              lie.run, lie.counts, lie.strides);
        continue;
      }
      SmallVector<int64_t> pitches(lie.counts.size(), there);
      Value first = applied(where, constant(rowsBefore * there + columnsBefore), {});
      cpe::DmaPutOp::create(where, loc, whole, first, nest.result.memref, start,
                            ValueRange{row, column}, lie.run, lie.counts, lie.strides,
                            where.getDenseI64ArrayAttr(pitches));
    }
  });
  cpe::DmaWaitOp::create(builder, loc);
}

/// Each core a part of the sums, of which all have made some of the terms.
void PanelLoops::putSums() {
  int64_t elements = plan.rows * plan.columnsThere(shape);
  int64_t all = panelSumsOf(elements, machine);
  Value part = addOverCores(linesOf(all), all, nest.result.memref);
  int64_t each = all / (mesh.rows * mesh.columns);
  onCores([&](OpBuilder &at, Value row, Value column) {
    for (int64_t run : {each, elements % each}) {
      if (run == 0)
        continue;
      IndexValues values;
      AffineExpr r = values.of(row), c = values.of(column), number = c * mesh.rows + r;
      AffineExpr beyond = number - elements / each;
      OpBuilder where = run == each ? onlyIf(at, {-beyond - 1}, {false}, values)
                                    : onlyIf(at, {beyond}, {true}, values);
      Place place = placeOf(blockIn(values), r, c);
      Value start =
          applied(where, elementOf(nest.result, values, place, {}) + number * each, values);
      Value first = run == each ? Value() : applied(where, constant(0), {});
      cpe::DmaPutOp::create(where, loc, part, first, nest.result.memref, start,
                            ValueRange{row, column}, run, ArrayRef<int64_t>(), ArrayRef<int64_t>(),
                            DenseI64ArrayAttr());
    }
  });
  cpe::DmaWaitOp::create(builder, loc);
}

void PanelLoops::run() {
  makeArrays();
  if (plan.isAlone && plan.keepsForAll() && plan.termPlaces == 1)
    keepForAll();
  if (phases.front().of.ahead && phases.front().of.forAll)
    cpe::SyncOp::create(builder, loc);
  if (phases.front().of.ahead)
    fetch(phases.front(), [&](IndexValues &) { return std::pair(constant(0), constant(0)); });
  overBlocks(plan.blocks());
  clear(sums, plan.rows * plan.columns);
  for (const Phase &phase : phases) {
    if (phase.of.ofSome)
      clearTerm(phase);
    panels(phase);
  }
  if (plan.termPlaces > 1)
    putSums();
  else
    put();
  // What comes for all behind the last panel is over when the core that fetches it has waited.
  if (phases.front().of.ahead && phases.front().of.forAll)
    cpe::SyncOp::create(builder, loc);
  AffineForOp(nest.outermost).erase();
}

} // namespace

void writePanelLoops(const PanelNest &nest, const PanelPlan &plan, const MeshMachine &machine,
                     bool fma) {
  PanelLoops(nest, plan, machine, fma).run();
}

} // namespace weft
