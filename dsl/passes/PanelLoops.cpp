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

#include "passes/PanelLoops.h"

#include "dialect/Cpe.h"
#include "dialect/Places.h"
#include "passes/Footprint.h"
#include "passes/MeshTiling.h"
#include "passes/RealArithmetic.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IntegerSet.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

static Value variableOf(AffineForOp loop) { return loop.getInductionVar(); }

namespace {

/// The values of an index, numbered.
struct IndexValues {
  SmallVector<Value> values;
  AffineExpr of(Value value) {
    auto found = llvm::find(values, value);
    unsigned number = found - values.begin();
    if (found == values.end())
      values.push_back(value);
    return getAffineDimExpr(number, value.getContext());
  }
};

/// One factor of a phase: the core's part of a panel, where the next one comes to, and all that a
/// step needs.
struct FactorArrays {
  Value part, coming, all;
  bool shared = false;
  int64_t terms = 0; ///< of the part
};

class PanelLoops {
public:
  PanelLoops(const PanelNest &nest, const PanelPlan &plan, const PanelMachine &machine, bool fma)
      : nest(nest), plan(plan), machine(machine), fma(fma), shape(nest.shape()),
        mesh{machine.meshRows, machine.meshColumns, machine.lanes},
        builder(AffineForOp(nest.outermost).getOperation()),
        loc(AffineForOp(nest.columns).getLoc()),
        element(cast<MemRefType>(nest.result.memref.getType()).getElementType()),
        vector(VectorType::get({machine.lanes}, element)) {}

  void run();

private:
  struct Phase {
    PanelPhase of;
    FactorArrays left, right;
  };
  /// Where a core's block at work begins, and the numbers of products and blocks that say so.
  struct Place {
    AffineExpr batch, row, column;
    AffineExpr product, rowBlock, columnBlock;
  };
  using Body = llvm::function_ref<void(OpBuilder &, Value row, Value column)>;

  Value spread(int64_t elements, const PanelAccess &access, StringRef what);
  void makeArrays();
  void onCores(Body body);
  AffineForOp loop(int64_t upper, int64_t step, ValueRange carried = {});
  AffineExpr cover(AffineExpr number, int64_t extent, int64_t width, int64_t count) const;
  Place placeOf(AffineExpr block, AffineExpr row, AffineExpr column) const;
  Value elementAt(OpBuilder &at, const PanelAccess &access, IndexValues &values, const Place &place,
                  AffineExpr term) const;
  void fetch(const Phase &phase, bool ahead,
             function_ref<std::pair<AffineExpr, AffineExpr>(IndexValues &)> blockAndPanel);
  void take(const Phase &phase);
  void copy(Value from, Value to, int64_t elements);
  void panels(const Phase &phase);
  void steps(const Phase &phase);
  void multiply(const Phase &phase, Value step);
  SmallVector<Value> terms(OpBuilder &at, const Phase &phase, Value row, Value column, Value step,
                           Value i, Value j, SmallVector<Value> sums);
  void put();
  AffineExpr blockIn(IndexValues &values) const {
    return block ? values.of(block) : getAffineConstantExpr(0, loc.getContext());
  }

  const PanelNest &nest;
  const PanelPlan &plan;
  const PanelMachine &machine;
  bool fma;
  ProductShape shape;
  Mesh mesh;
  OpBuilder builder;
  Location loc;
  Type element;
  VectorType vector;
  Value sums;  ///< of a core's block
  Value block; ///< its number, null where there is one
  SmallVector<Phase, 3> phases;
};

Value PanelLoops::spread(int64_t elements, const PanelAccess &access, StringRef what) {
  StringRef name = nameIn(access.memref.getLoc());
  Location where = named(loc, name.empty() ? what : name.str() + "_" + what);
  return cpe::SpreadOp::create(builder, where, spreadType(access.memref, mesh, elements, false));
}

void PanelLoops::makeArrays() {
  sums = spread(plan.rows * plan.columns, nest.result, "block");
  for (const PanelPhase &of : plan.phases) {
    Phase phase{of, {}, {}};
    auto make = [&](FactorArrays &factor, const PanelAccess &access, bool shares, int64_t extent) {
      factor.shared = shares && of.steps > 1;
      factor.terms = of.depth * (factor.shared ? 1 : of.steps);
      int64_t elements = extent * factor.terms;
      if (of.ahead)
        factor.coming = spread(elements, access, "coming");
      factor.part = spread(elements, access, "part");
      factor.all = factor.shared ? spread(elements, access, "sent") : factor.part;
    };
    make(phase.left, nest.left, plan.sharesLeft(), plan.rows);
    make(phase.right, nest.right, plan.sharesRight(), plan.columns);
    phases.push_back(phase);
  }
}

/// What one core does, at the builder's place.
void PanelLoops::onCores(Body body) {
  auto [rows, columns] = loopsOverMesh(builder, loc, mesh);
  OpBuilder inner = OpBuilder::atBlockBegin(columns.getBody());
  body(inner, rows.getInductionVar(), columns.getInductionVar());
  builder.setInsertionPointAfter(rows);
}

AffineForOp PanelLoops::loop(int64_t upper, int64_t step, ValueRange carried) {
  return AffineForOp::create(builder, loc, 0, upper, step, carried);
}

/// Where the block of a number begins, of so many that cover an extent: evenly, so that the first
/// one begins with it and the last one ends with it.
AffineExpr PanelLoops::cover(AffineExpr number, int64_t extent, int64_t width,
                             int64_t count) const {
  if (count == 1)
    return getAffineConstantExpr(0, loc.getContext());
  if (extent == width * count)
    return number * width;
  return (number * (extent - width)).floorDiv(count - 1);
}

PanelLoops::Place PanelLoops::placeOf(AffineExpr number, AffineExpr row, AffineExpr column) const {
  AffineExpr none = getAffineConstantExpr(0, loc.getContext());
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
  SmallVector<AffineExpr> replacements;
  for (Value operand : access.operands) {
    auto isOf = [&](AffineForOp one) { return one && operand == variableOf(one); };
    replacements.push_back(isOf(nest.batch)     ? place.batch
                           : isOf(nest.rows)    ? place.row
                           : isOf(nest.columns) ? place.column
                           : isOf(nest.terms)   ? term
                                                : values.of(operand));
  }
  AffineExpr expr = access.place.replaceDims(replacements);
  AffineMap map =
      AffineMap::get(values.values.size(), 0, simplifyAffineExpr(expr, values.values.size(), 0));
  return affine::AffineApplyOp::create(at, loc, map, values.values);
}

/// Each core its parts of a panel.
void PanelLoops::fetch(
    const Phase &phase, bool ahead,
    function_ref<std::pair<AffineExpr, AffineExpr>(IndexValues &)> blockAndPanel) {
  onCores([&](OpBuilder &at, Value row, Value column) {
    IndexValues values;
    AffineExpr r = values.of(row), c = values.of(column);
    auto [number, panel] = blockAndPanel(values);
    Place place = placeOf(number, r, c);
    AffineExpr first = panel * (phase.of.depth * phase.of.steps) + phase.of.from;
    auto get = [&](const PanelAccess &access, const FactorArrays &factor, AffineExpr term,
                   int64_t run, int64_t runs, int64_t apart) {
      SmallVector<int64_t> counts, strides;
      if (apart == run) {
        run *= runs;
      } else if (runs > 1) {
        counts = {runs};
        strides = {apart};
      }
      cpe::DmaGetOp::create(at, loc, access.memref, elementAt(at, access, values, place, term),
                            ahead ? factor.coming : factor.part, ValueRange{row, column}, run,
                            counts, strides);
    };
    Value rows = variableOf(nest.rows), terms = variableOf(nest.terms);
    const FactorArrays &left = phase.left, &right = phase.right;
    AffineExpr ofLeft = left.shared ? first + c * phase.of.depth : first;
    AffineExpr ofRight = right.shared ? first + r * phase.of.depth : first;
    if (shape.leftAlongTerms)
      get(nest.left, left, ofLeft, left.terms, plan.rows, nest.left.strideOf(rows));
    else
      get(nest.left, left, ofLeft, plan.rows, left.terms, nest.left.strideOf(terms));
    get(nest.right, right, ofRight, plan.columns, right.terms, nest.right.strideOf(terms));
  });
}

void PanelLoops::copy(Value from, Value to, int64_t elements) {
  onCores([&](OpBuilder &at, Value row, Value column) {
    auto n = AffineForOp::create(at, loc, 0, elements, mesh.messageLanes);
    OpBuilder inner = OpBuilder::atBlockBegin(n.getBody());
    SmallVector<Value> index{row, column, n.getInductionVar()};
    Value moved = affine::AffineVectorLoadOp::create(inner, loc, vector, from, index);
    affine::AffineVectorStoreOp::create(inner, loc, moved, to, index);
  });
}

/// What has come becomes what is sent.
void PanelLoops::take(const Phase &phase) {
  copy(phase.left.coming, phase.left.part, plan.rows * phase.left.terms);
  copy(phase.right.coming, phase.right.part, plan.columns * phase.right.terms);
}

void PanelLoops::panels(const Phase &phase) {
  OpBuilder::InsertionGuard guard(builder);
  Value panel;
  if (phase.of.panels > 1) {
    AffineForOp over = loop(phase.of.panels, 1);
    panel = over.getInductionVar();
    builder.setInsertionPointToStart(over.getBody());
  }
  auto panelIn = [&](IndexValues &values) {
    return panel ? values.of(panel) : getAffineConstantExpr(0, loc.getContext());
  };
  if (!phase.of.ahead)
    fetch(phase, false,
          [&](IndexValues &values) { return std::pair(blockIn(values), panelIn(values)); });
  cpe::DmaWaitOp::create(builder, loc);
  if (phase.of.ahead) {
    take(phase);
    // Behind the last one of all the first one again: nobody reads it.
    fetch(phase, true, [&](IndexValues &values) {
      AffineExpr next = (blockIn(values) * phase.of.panels + panelIn(values) + 1) %
                        (plan.blocks() * phase.of.panels);
      return std::pair(next.floorDiv(phase.of.panels), next % phase.of.panels);
    });
  }
  steps(phase);
}

void PanelLoops::steps(const Phase &phase) {
  OpBuilder::InsertionGuard guard(builder);
  Value step;
  if (phase.of.steps > 1) {
    AffineForOp over = loop(phase.of.steps, 1);
    step = over.getInductionVar();
    builder.setInsertionPointToStart(over.getBody());
  }
  if (phase.left.shared)
    cpe::BroadcastOp::create(builder, loc, phase.left.part, step, phase.left.all, true);
  if (phase.right.shared)
    cpe::BroadcastOp::create(builder, loc, phase.right.part, step, phase.right.all, false);
  multiply(phase, step);
}

/// The sums of a block of rows and vectors, with the terms of a step.
void PanelLoops::multiply(const Phase &phase, Value step) {
  int64_t lanes = machine.lanes, width = plan.registerVectors, height = plan.registerRows;
  onCores([&](OpBuilder &at, Value row, Value column) {
    auto rows = AffineForOp::create(at, loc, 0, plan.rows, height);
    OpBuilder inRow = OpBuilder::atBlockBegin(rows.getBody());
    auto columns = AffineForOp::create(inRow, loc, 0, plan.columns, width * lanes);
    OpBuilder inner = OpBuilder::atBlockBegin(columns.getBody());
    Value i = rows.getInductionVar(), j = columns.getInductionVar();
    auto sumAt = [&](int64_t n, int64_t v) {
      AffineExpr d0 = inner.getAffineDimExpr(2), d1 = inner.getAffineDimExpr(3);
      return AffineMap::get(4, 0,
                            {inner.getAffineDimExpr(0), inner.getAffineDimExpr(1),
                             (d0 + n) * plan.columns + d1 + v * lanes},
                            loc.getContext());
    };
    SmallVector<Value> index{row, column, i, j}, carried;
    for (int64_t n = 0; n < height; ++n)
      for (int64_t v = 0; v < width; ++v)
        carried.push_back(
            affine::AffineVectorLoadOp::create(inner, loc, vector, sums, sumAt(n, v), index));
    carried = terms(inner, phase, row, column, step, i, j, carried);
    for (int64_t n = 0; n < height; ++n)
      for (int64_t v = 0; v < width; ++v)
        affine::AffineVectorStoreOp::create(inner, loc, carried[n * width + v], sums, sumAt(n, v),
                                            index);
  });
}

SmallVector<Value> PanelLoops::terms(OpBuilder &at, const Phase &phase, Value row, Value column,
                                     Value step, Value i, Value j, SmallVector<Value> sum) {
  int64_t lanes = machine.lanes, width = plan.registerVectors, height = plan.registerRows;
  // The element of a factor's array: of a term and of a row or a column.
  auto load = [&](const FactorArrays &factor, int64_t term, Value place, int64_t beside,
                  int64_t ofTerm, int64_t ofPlace, bool isVector) -> Value {
    IndexValues values;
    AffineExpr r = values.of(row), c = values.of(column);
    AffineExpr number = getAffineConstantExpr(term, loc.getContext());
    if (step && !factor.shared)
      number = number + values.of(step) * phase.of.depth;
    AffineExpr where = number * ofTerm + (values.of(place) + beside) * ofPlace;
    AffineMap map = AffineMap::get(values.values.size(), 0, {r, c, where}, loc.getContext());
    if (isVector)
      return affine::AffineVectorLoadOp::create(at, loc, vector, factor.all, map, values.values);
    return affine::AffineLoadOp::create(at, loc, factor.all, map, values.values);
  };
  for (int64_t term = 0; term < phase.of.depth; ++term) {
    SmallVector<Value> ofColumns;
    for (int64_t v = 0; v < width; ++v)
      ofColumns.push_back(load(phase.right, term, j, v * lanes, plan.columns, 1, true));
    for (int64_t n = 0; n < height; ++n) {
      Value one = shape.leftAlongTerms ? load(phase.left, term, i, n, 1, phase.left.terms, false)
                                       : load(phase.left, term, i, n, plan.rows, 1, false);
      Value all = vector::BroadcastOp::create(at, loc, vector, one);
      for (int64_t v = 0; v < width; ++v) {
        Value &into = sum[n * width + v];
        if (fma)
          into = math::FmaOp::create(at, loc, all, ofColumns[v], into);
        else
          into = arith::AddFOp::create(at, loc, into,
                                       arith::MulFOp::create(at, loc, all, ofColumns[v]));
      }
    }
  }
  return sum;
}

/// Blocks that overlap take turns to write, and a product that two make is written by one.
void PanelLoops::put() {
  OpBuilder::InsertionGuard guard(builder);
  int64_t rowTurns = plan.rowTurns(shape), columnTurns = plan.columnTurns(shape);
  Value rowTurn, columnTurn;
  for (auto [turns, turn] : {std::pair{rowTurns, &rowTurn}, {columnTurns, &columnTurn}})
    if (turns > 1) {
      AffineForOp over = loop(turns, 1);
      *turn = over.getInductionVar();
      builder.setInsertionPointToStart(over.getBody());
    }
  onCores([&](OpBuilder &at, Value row, Value column) {
    IndexValues values;
    AffineExpr r = values.of(row), c = values.of(column);
    Place place = placeOf(blockIn(values), r, c);
    SmallVector<AffineExpr> constraints;
    SmallVector<bool> areEqual;
    auto holds = [&](AffineExpr constraint, bool isEqual) {
      constraints.push_back(constraint);
      areEqual.push_back(isEqual);
    };
    if (plan.batchRounds * plan.batchPlaces > shape.batch)
      holds(-place.product + (shape.batch - 1), false);
    if (rowTurn)
      holds(place.rowBlock % rowTurns - values.of(rowTurn), true);
    if (columnTurn)
      holds(place.columnBlock % columnTurns - values.of(columnTurn), true);
    OpBuilder where = at;
    if (!constraints.empty()) {
      auto condition = affine::AffineIfOp::create(
          at, loc, TypeRange(), IntegerSet::get(values.values.size(), 0, constraints, areEqual),
          ValueRange(values.values), false);
      where = OpBuilder::atBlockBegin(condition.getThenBlock());
    }
    Value start = elementAt(where, nest.result, values, place, {});
    int64_t apart = nest.result.strideOf(variableOf(nest.rows));
    int64_t run = plan.columns;
    SmallVector<int64_t> counts, strides;
    if (apart == run) {
      run *= plan.rows;
    } else if (plan.rows > 1) {
      counts = {plan.rows};
      strides = {apart};
    }
    cpe::DmaPutOp::create(where, loc, sums, nest.result.memref, start, ValueRange{row, column}, run,
                          counts, strides);
  });
  cpe::DmaWaitOp::create(builder, loc);
  if (rowTurn || columnTurn)
    cpe::SyncOp::create(builder, loc);
}

void PanelLoops::run() {
  makeArrays();
  AffineExpr none = getAffineConstantExpr(0, loc.getContext());
  if (phases.front().of.ahead)
    fetch(phases.front(), true, [&](IndexValues &) { return std::pair(none, none); });
  AffineForOp blocks;
  if (plan.blocks() > 1) {
    blocks = loop(plan.blocks(), 1);
    block = blocks.getInductionVar();
    builder.setInsertionPointToStart(blocks.getBody());
  }
  onCores([&](OpBuilder &at, Value row, Value column) {
    Value zero = arith::ConstantOp::create(at, loc, vector, at.getZeroAttr(vector));
    auto n = AffineForOp::create(at, loc, 0, plan.rows * plan.columns, machine.lanes);
    OpBuilder inner = OpBuilder::atBlockBegin(n.getBody());
    affine::AffineVectorStoreOp::create(inner, loc, zero, sums,
                                        ValueRange{row, column, n.getInductionVar()});
  });
  for (const Phase &phase : phases)
    panels(phase);
  put();
  AffineForOp(nest.outermost).erase();
}

} // namespace

void writePanelLoops(const PanelNest &nest, const PanelPlan &plan, const PanelMachine &machine,
                     bool fma) {
  PanelLoops(nest, plan, machine, fma).run();
}

} // namespace weft
