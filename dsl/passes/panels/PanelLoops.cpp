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

  void makeArrays();
  Place placeOf(AffineExpr block, AffineExpr row, AffineExpr column) const;
  Value elementAt(OpBuilder &at, const PanelAccess &access, IndexValues &values, const Place &place,
                  AffineExpr term) const;
  void fetch(const Phase &phase, BlockAndPanel blockAndPanel);
  void take(const Phase &phase);
  void panels(const Phase &phase);
  void multiply(const Phase &phase, Value step);
  void terms(OpBuilder &at, const Phase &phase, Value row, Value column, Value step, Value i,
             Value j, SmallVector<Value> &sum) const;
  void put();

  const PanelNest &nest;
  const PanelPlan &plan;
  ProductShape shape;
  Value sums; ///< of a core's block
  SmallVector<Phase, 3> phases;
};

void PanelLoops::makeArrays() {
  sums = spread(plan.rows * plan.columns, nest.result.memref, "block");
  for (const PanelPhase &of : plan.phases) {
    Phase phase{of, {}, {}};
    auto make = [&](FactorArrays &factor, const PanelAccess &access, bool shares, int64_t extent,
                    int64_t comes) {
      factor.shared = shares && of.steps > 1;
      factor.terms = of.depth * (factor.shared ? 1 : of.steps);
      int64_t elements = extent * factor.terms;
      bool isFilledUp = extent > comes;
      if (of.ahead || isFilledUp)
        factor.coming = spread(comes * factor.terms, access.memref, "coming");
      factor.part = spread(elements, access.memref, "part");
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
  AffineExpr none = constant(0);
  bool rowsAreBatch = plan.rowPlaces == 1, columnsAreBatch = plan.columnPlaces == 1;
  AffineExpr round = number.floorDiv(plan.rowBlocks * plan.columnBlocks);
  AffineExpr rowBlock = number.floorDiv(plan.columnBlocks) % plan.rowBlocks;
  AffineExpr columnBlock = number % plan.columnBlocks;
  AffineExpr product = round * plan.batchPlaces +
                       (rowsAreBatch ? row * (columnsAreBatch ? mesh.columns : 1) : none) +
                       (columnsAreBatch ? column : none);
  rowBlock = rowBlock * plan.rowPlaces + (rowsAreBatch ? none : row);
  columnBlock = columnBlock * plan.columnPlaces + (columnsAreBatch ? none : column);
  return {product % shape.batch,
          cover(rowBlock, shape.rows, plan.rows, plan.rowBlocks * plan.rowPlaces),
          cover(columnBlock, shape.columns, plan.columns, plan.columnBlocks * plan.columnPlaces),
          product,
          rowBlock,
          columnBlock};
}

Value PanelLoops::elementAt(OpBuilder &at, const PanelAccess &access, IndexValues &values,
                            const Place &place, AffineExpr term) const {
  return MeshCode::elementAt(at, access, values, [&](Value operand) {
    auto isOf = [&](AffineForOp one) { return one && operand == variableOf(one); };
    return isOf(nest.batch)     ? place.batch
           : isOf(nest.rows)    ? place.row
           : isOf(nest.columns) ? place.column
           : isOf(nest.terms)   ? term
                                : AffineExpr();
  });
}

/// Each core its parts of a panel.
void PanelLoops::fetch(const Phase &phase, BlockAndPanel blockAndPanel) {
  onCores([&](OpBuilder &at, Value row, Value column) {
    IndexValues values;
    AffineExpr r = values.of(row), c = values.of(column);
    auto [number, panel] = blockAndPanel(values);
    Place place = placeOf(number, r, c);
    AffineExpr first = panel * (phase.of.depth * phase.of.steps) + phase.of.from;
    auto get = [&](const PanelAccess &access, const FactorArrays &factor, AffineExpr term,
                   int64_t run, int64_t runs, int64_t apart) {
      Runs lie(run, runs, apart);
      cpe::DmaGetOp::create(at, loc, access.memref, elementAt(at, access, values, place, term),
                            factor.coming ? factor.coming : factor.part, ValueRange{row, column},
                            lie.run, lie.counts, lie.strides);
    };
    Value rows = variableOf(nest.rows), terms = variableOf(nest.terms);
    const FactorArrays &left = phase.left, &right = phase.right;
    AffineExpr ofLeft = left.shared ? first + c * phase.of.depth : first;
    AffineExpr ofRight = right.shared ? first + r * phase.of.depth : first;
    if (shape.leftAlongTerms)
      get(nest.left, left, ofLeft, left.terms, plan.rows, nest.left.strideOf(rows));
    else
      get(nest.left, left, ofLeft, plan.rows, left.terms, nest.left.strideOf(terms));
    get(nest.right, right, ofRight, plan.columnsThere(shape), right.terms,
        nest.right.strideOf(terms));
  });
}

/// What has come becomes what is sent.
void PanelLoops::take(const Phase &phase) {
  const FactorArrays &left = phase.left, &right = phase.right;
  int64_t there = plan.columnsThere(shape);
  if (left.coming)
    copy(left.coming, left.part, plan.rows * left.terms);
  if (plan.isFilledUp(shape))
    copyRuns(right.coming, right.part, {{right.terms, there, plan.columns}}, there);
  else if (right.coming)
    copy(right.coming, right.part, plan.columns * right.terms);
}

void PanelLoops::panels(const Phase &phase) {
  MeshCode::panels(
      phase.of, plan.blocks(), [&](BlockAndPanel which) { fetch(phase, which); },
      [&] { take(phase); }, [&] { overSteps(phase, [&](Value step) { multiply(phase, step); }); });
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

void PanelLoops::put() {
  auto placeIn = [&](IndexValues &values, AffineExpr r, AffineExpr c) {
    return placeOf(blockIn(values), r, c);
  };
  int64_t there = plan.columnsThere(shape);
  Value whole = sums;
  if (plan.isFilledUp(shape)) {
    whole = spread(plan.rows * there, nest.result.memref, "lines");
    copyRuns(sums, whole, {{plan.rows, plan.columns, there}}, there);
  }
  putInTurns(
      plan.rowTurns(shape), plan.columnTurns(shape),
      [&](IndexValues &values, AffineExpr r, AffineExpr c) {
        Place place = placeIn(values, r, c);
        Turn turn{place.rowBlock, place.columnBlock, {}};
        if (plan.batchRounds * plan.batchPlaces > shape.batch)
          turn.exists.push_back(-place.product + (shape.batch - 1));
        return turn;
      },
      [&](OpBuilder &at, Value row, Value column) {
        IndexValues values;
        AffineExpr r = values.of(row), c = values.of(column);
        Value start = elementAt(at, nest.result, values, placeIn(values, r, c), {});
        Runs lie(there, plan.rows, nest.result.strideOf(variableOf(nest.rows)));
        cpe::DmaPutOp::create(at, loc, whole, nest.result.memref, start, ValueRange{row, column},
                              lie.run, lie.counts, lie.strides);
      });
}

void PanelLoops::run() {
  makeArrays();
  if (phases.front().of.ahead)
    fetch(phases.front(), [&](IndexValues &) { return std::pair(constant(0), constant(0)); });
  overBlocks(plan.blocks());
  clear(sums, plan.rows * plan.columns);
  for (const Phase &phase : phases)
    panels(phase);
  put();
  AffineForOp(nest.outermost).erase();
}

} // namespace

void writePanelLoops(const PanelNest &nest, const PanelPlan &plan, const MeshMachine &machine,
                     bool fma) {
  PanelLoops(nest, plan, machine, fma).run();
}

} // namespace weft
