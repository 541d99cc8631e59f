//===- MeshCode.cpp - what loops over panels are made of --------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/panels/MeshCode.h"

#include "dialect/Cpe.h"
#include "dialect/Places.h"
#include "passes/transfers/Footprint.h"
#include "passes/transforms/RealArithmetic.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IntegerSet.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

MeshCode::MeshCode(Operation *nest, Location loc, Value result, const MeshMachine &machine,
                   bool fma)
    : machine(machine), fma(fma), mesh{machine.meshRows, machine.meshColumns, machine.lanes},
      builder(nest), loc(loc), element(cast<MemRefType>(result.getType()).getElementType()),
      vector(VectorType::get({machine.lanes}, element)) {}

Value MeshCode::spread(int64_t elements, Value memref, StringRef what) {
  StringRef name = nameIn(memref.getLoc());
  Location where = named(loc, name.empty() ? what : name.str() + "_" + what);
  return cpe::SpreadOp::create(builder, where, spreadType(memref, mesh, elements, false));
}

Value MeshCode::same(int64_t elements, Value memref, StringRef what) {
  StringRef name = nameIn(memref.getLoc());
  Location where = named(loc, name.empty() ? what : name.str() + "_" + what);
  return memref::AllocaOp::create(builder, where, MemRefType::get({elements}, element));
}

void MeshCode::onCores(Body body) {
  auto [rows, columns] = loopsOverMesh(builder, loc, mesh);
  OpBuilder inner = OpBuilder::atBlockBegin(columns.getBody());
  body(inner, rows.getInductionVar(), columns.getInductionVar());
  builder.setInsertionPointAfter(rows);
}

AffineForOp MeshCode::loop(int64_t upper, int64_t step, ValueRange carried) {
  return AffineForOp::create(builder, loc, 0, upper, step, carried);
}

AffineExpr MeshCode::beginOf(AffineExpr number, const PanelBlocks &blocks, int64_t numbers) const {
  if (blocks.count() == 1)
    return constant(0);
  if (numbers > blocks.count())
    number = number % blocks.count();
  AffineExpr begin = number * blocks.width;
  if (blocks.rest() == 0)
    return begin;
  return begin - number.floorDiv(blocks.whole()) * (blocks.width - blocks.rest());
}

void MeshCode::onlyOf(const PanelBlocks &blocks, AffineExpr number, int64_t numbers, int64_t extent,
                      function_ref<void(AffineExpr, bool)> only) const {
  if (extent < blocks.width)
    only(number - blocks.whole(), true);
  else if (numbers > blocks.whole())
    only(-number + (blocks.whole() - 1), false);
}

Value MeshCode::applied(OpBuilder &at, AffineExpr expr, const IndexValues &values) const {
  unsigned dims = values.values.size();
  return affine::AffineApplyOp::create(
      at, loc, AffineMap::get(dims, 0, simplifyAffineExpr(expr, dims, 0)), values.values);
}

AffineExpr MeshCode::stepsOf(ArrayRef<int64_t> ofBlocks, AffineExpr block) const {
  int64_t count = ofBlocks.size();
  AffineExpr sum = constant(ofBlocks.front());
  for (int64_t n = 1; n < count; ++n)
    if (int64_t step = ofBlocks[n] - ofBlocks[n - 1])
      sum = sum + (block + (count - n)).floorDiv(count) * step;
  return sum;
}

AffineExpr MeshCode::placeOf(const PanelAccess &access, IndexValues &values,
                             Replacement replaced) const {
  SmallVector<AffineExpr> replacements;
  for (Value operand : access.operands) {
    AffineExpr other = replaced(operand);
    replacements.push_back(other ? other : values.of(operand));
  }
  return access.place.replaceDims(replacements);
}

AffineMap MeshCode::indexOf(Value array, AffineExpr row, AffineExpr column, AffineExpr place,
                            const IndexValues &values) const {
  SmallVector<AffineExpr> index{row, column, place};
  return AffineMap::get(values.values.size(), 0,
                        ArrayRef(index).take_back(cast<MemRefType>(array.getType()).getRank()),
                        loc.getContext());
}

Value MeshCode::load(OpBuilder &at, Value array, Value row, Value column, AffineExpr place,
                     IndexValues &values, bool isVector) const {
  AffineExpr r = values.of(row), c = values.of(column);
  AffineMap map = indexOf(array, r, c, place, values);
  if (isVector)
    return affine::AffineVectorLoadOp::create(at, loc, vector, array, map, values.values);
  return affine::AffineLoadOp::create(at, loc, array, map, values.values);
}

MeshCode::Runs::Runs(int64_t run, int64_t runs, int64_t apart) : run(run) {
  if (apart == run) {
    this->run *= runs;
  } else if (runs > 1) {
    counts = {runs};
    strides = {apart};
  }
}

void MeshCode::overBlocks(int64_t blocks) {
  if (blocks == 1)
    return;
  AffineForOp over = loop(blocks, 1);
  block = over.getInductionVar();
  builder.setInsertionPointToStart(over.getBody());
}

void MeshCode::panels(const PanelPhase &phase, int64_t blocks,
                      function_ref<void(BlockAndPanel)> fetch, function_ref<void()> take,
                      function_ref<void()> steps) {
  OpBuilder::InsertionGuard guard(builder);
  Value panel;
  if (phase.panels > 1) {
    AffineForOp over = loop(phase.panels, 1);
    panel = over.getInductionVar();
    builder.setInsertionPointToStart(over.getBody());
  }
  auto panelIn = [&](IndexValues &values) { return panel ? values.of(panel) : constant(0); };
  if (!phase.ahead) {
    if (phase.forAll)
      cpe::SyncOp::create(builder, loc);
    fetch([&](IndexValues &values) { return std::pair(blockIn(values), panelIn(values)); });
  }
  cpe::DmaWaitOp::create(builder, loc);
  if (phase.forAll)
    cpe::SyncOp::create(builder, loc);
  take();
  if (phase.ahead && phase.forAll)
    cpe::SyncOp::create(builder, loc);
  // Behind the last one of all the first one again: nobody reads it.
  if (phase.ahead)
    fetch([&](IndexValues &values) {
      AffineExpr next =
          (blockIn(values) * phase.panels + panelIn(values) + 1) % (blocks * phase.panels);
      return std::pair(next.floorDiv(phase.panels), next % phase.panels);
    });
  steps();
}

void MeshCode::broadcast(const FactorArrays &factor, Value place, bool alongRows) {
  cpe::BroadcastOp::create(builder, loc, factor.part, Value(), place, factor.all, Value(),
                           alongRows, IntegerAttr());
}

void MeshCode::overSteps(const Phase &phase, function_ref<void(Value)> body) {
  OpBuilder::InsertionGuard guard(builder);
  Value step;
  if (phase.of.steps > 1) {
    AffineForOp over = loop(phase.of.steps, 1);
    step = over.getInductionVar();
    builder.setInsertionPointToStart(over.getBody());
  }
  if (phase.left.shared)
    broadcast(phase.left, step, true);
  if (phase.right.shared)
    broadcast(phase.right, step, false);
  body(step);
}

AffineExpr MeshCode::termIn(const FactorArrays &factor, AffineExpr term, const Phase &phase,
                            Value step, IndexValues &values) const {
  return step && !factor.shared ? term + values.of(step) * phase.of.depth : term;
}

void MeshCode::copy(Value from, Value to, int64_t elements) {
  if (elements % mesh.messageLanes != 0)
    return copyRuns(from, to, {}, elements);
  onCores([&](OpBuilder &at, Value row, Value column) {
    auto n = AffineForOp::create(at, loc, 0, elements, mesh.messageLanes);
    OpBuilder inner = OpBuilder::atBlockBegin(n.getBody());
    IndexValues values;
    AffineExpr r = values.of(row), c = values.of(column), place = values.of(n.getInductionVar());
    Value moved = load(inner, from, row, column, place, values, true);
    affine::AffineVectorStoreOp::create(inner, loc, moved, to, indexOf(to, r, c, place, values),
                                        values.values);
  });
}

void MeshCode::copyRuns(Value from, Value to, ArrayRef<Pitch> pitches, int64_t run,
                        const FirstRun &first) {
  onCores([&](OpBuilder &at, Value row, Value column) {
    OpBuilder inner = at;
    IndexValues values;
    AffineExpr r = values.of(row), c = values.of(column);
    AffineExpr source = constant(first.from), target = constant(first.to);
    if (first.conditions)
      if (auto conditions = first.conditions(values, r, c); !conditions.empty())
        inner = onlyIf(at, conditions, SmallVector<bool>(conditions.size(), false), values);
    for (const Pitch &pitch : pitches) {
      auto over = AffineForOp::create(inner, loc, 0, pitch.runs, 1);
      inner = OpBuilder::atBlockBegin(over.getBody());
      AffineExpr number = values.of(over.getInductionVar());
      source = source + number * pitch.from;
      target = target + number * pitch.to;
    }
    auto move = [&](OpBuilder &one, IndexValues here, AffineExpr element, bool isVector) {
      Value moved = load(one, from, row, column, source + element, here, isVector);
      AffineMap map = indexOf(to, r, c, target + element, here);
      if (isVector)
        affine::AffineVectorStoreOp::create(one, loc, moved, to, map, here.values);
      else
        affine::AffineStoreOp::create(one, loc, moved, to, map, here.values);
    };
    auto moveAll = [&](int64_t end, bool isVector) {
      auto within = AffineForOp::create(inner, loc, 0, end, isVector ? machine.lanes : 1);
      OpBuilder one = OpBuilder::atBlockBegin(within.getBody());
      IndexValues here = values;
      AffineExpr element = here.of(within.getInductionVar());
      move(one, here, element, isVector);
    };
    if (run < machine.lanes)
      return moveAll(run, false);
    moveAll(run / machine.lanes * machine.lanes, true);
    if (run % machine.lanes != 0)
      move(inner, values, constant(run - machine.lanes), true);
  });
}

void MeshCode::keep(const std::optional<PointNest> &reworked) {
  if (!reworked || reworked->kept.empty())
    return;
  auto elements = [](Value array) { return cast<MemRefType>(array.getType()).getNumElements(); };
  for (Value array : reworked->kept)
    kept.push_back(spread(elements(array), array, "kept"));
  onCores([&](OpBuilder &at, Value row, Value column) {
    for (auto [array, own] : llvm::zip_equal(reworked->kept, kept)) {
      Value start = applied(at, constant(0), {});
      cpe::DmaGetOp::create(at, loc, array, start, own, ValueRange{row, column}, elements(array),
                            ArrayRef<int64_t>(), ArrayRef<int64_t>());
    }
  });
}

SmallVector<AffineExpr> MeshCode::overElements(OpBuilder &at, ArrayRef<int64_t> extents,
                                               IndexValues &values) const {
  SmallVector<AffineExpr> numbers;
  for (int64_t extent : extents) {
    auto loop = AffineForOp::create(at, loc, 0, extent);
    loop->setAttr("weft.independent", at.getUnitAttr());
    numbers.push_back(values.of(loop.getInductionVar()));
    if (numbers.size() == extents.size())
      loop->setAttr("weft.lane", at.getUnitAttr());
    at = OpBuilder::atBlockBegin(loop.getBody());
  }
  return numbers;
}

void MeshCode::rework(OpBuilder &at, const PointNest &reworked, Value array, AffineExpr element,
                      ArrayRef<AffineExpr> whole, const IndexValues &values) const {
  reworked.writeBody(at, [&](Operation *op) -> PointNest::Place {
    std::optional<unsigned> number = reworked.keptNumber(op);
    AffineExpr place = number ? reworked.placeOfKept(op, whole) : element;
    AffineExpr row = getAffineDimExpr(0, loc.getContext()),
               column = getAffineDimExpr(1, loc.getContext());
    return {number ? kept[*number] : array,
            AffineMap::get(values.values.size(), 0, {row, column, place}, loc.getContext()),
            values.values};
  });
}

void MeshCode::clear(Value array, int64_t elements) {
  onCores([&](OpBuilder &at, Value row, Value column) {
    int64_t whole = elements / machine.lanes * machine.lanes;
    auto store = [&](OpBuilder &inner, Type type, Value index) {
      Value zero = arith::ConstantOp::create(inner, loc, inner.getZeroAttr(type));
      IndexValues values;
      AffineExpr r = values.of(row), c = values.of(column);
      AffineMap place = indexOf(array, r, c, values.of(index), values);
      if (type == vector)
        affine::AffineVectorStoreOp::create(inner, loc, zero, array, place, values.values);
      else
        affine::AffineStoreOp::create(inner, loc, zero, array, place, values.values);
    };
    for (auto [from, to, type] :
         {std::tuple(int64_t(0), whole, Type(vector)), std::tuple(whole, elements, element)})
      if (from < to) {
        auto n = AffineForOp::create(at, loc, from, to, type == vector ? machine.lanes : 1);
        OpBuilder inner = OpBuilder::atBlockBegin(n.getBody());
        store(inner, type, n.getInductionVar());
      }
  });
}

Value MeshCode::addOverCores(Value sums, int64_t elements, Value memref) {
  for (bool alongRow : {true, false}) {
    int64_t others = alongRow ? mesh.columns : mesh.rows, each = elements / others;
    Value parts = spread(elements, memref, "parts"), sum = spread(each, memref, "sum");
    cpe::ExchangeOp::create(builder, loc, sums, parts, alongRow, each, ArrayRef<int64_t>(), each,
                            ArrayRef<int64_t>(), each, ArrayRef<int64_t>());
    onCores([&](OpBuilder &at, Value row, Value column) {
      auto n = AffineForOp::create(at, loc, 0, each, machine.lanes);
      OpBuilder inner = OpBuilder::atBlockBegin(n.getBody());
      IndexValues values;
      AffineExpr place = values.of(n.getInductionVar());
      Value all;
      for (int64_t other = 0; other < others; ++other) {
        Value one = load(inner, parts, row, column, place + other * each, values, true);
        all = all ? arith::AddFOp::create(inner, loc, all, one) : one;
      }
      affine::AffineVectorStoreOp::create(inner, loc, all, sum,
                                          ValueRange{row, column, n.getInductionVar()});
    });
    sums = sum;
    elements = each;
  }
  return sums;
}

void MeshCode::multiply(const Sums &sums, Terms terms) {
  onCores([&](OpBuilder &at, Value row, Value column) {
    OpBuilder inBlock = at;
    SumsAt place{};
    IndexValues values;
    AffineExpr r = values.of(row), c = values.of(column), start = constant(0);
    if (sums.group)
      start = values.of(sums.group) * sums.blocks;
    if (sums.blocks > 1) {
      auto blocks = AffineForOp::create(inBlock, loc, 0, sums.blocks, 1);
      inBlock = OpBuilder::atBlockBegin(blocks.getBody());
      place.block = blocks.getInductionVar();
      start = start + values.of(place.block);
    }
    auto rows = AffineForOp::create(inBlock, loc, 0, sums.rows, sums.height);
    OpBuilder inRow = OpBuilder::atBlockBegin(rows.getBody());
    auto columns = AffineForOp::create(inRow, loc, 0, sums.pitch, sums.width * machine.lanes);
    OpBuilder inner = OpBuilder::atBlockBegin(columns.getBody());
    place.i = rows.getInductionVar();
    place.j = columns.getInductionVar();
    AffineExpr i = values.of(place.i), j = values.of(place.j);
    auto sumAt = [&](int64_t n, int64_t v) {
      AffineExpr element = (start * sums.rows + i + n) * sums.pitch + j + v * machine.lanes;
      return AffineMap::get(values.values.size(), 0, {r, c, element}, loc.getContext());
    };
    SmallVector<Value> carried;
    for (int64_t n = 0; n < sums.height; ++n)
      for (int64_t v = 0; v < sums.width; ++v)
        carried.push_back(affine::AffineVectorLoadOp::create(inner, loc, vector, sums.array,
                                                             sumAt(n, v), values.values));
    terms(inner, row, column, place, carried);
    for (int64_t n = 0; n < sums.height; ++n)
      for (int64_t v = 0; v < sums.width; ++v)
        affine::AffineVectorStoreOp::create(inner, loc, carried[n * sums.width + v], sums.array,
                                            sumAt(n, v), values.values);
  });
}

void MeshCode::overTerms(OpBuilder &at, int64_t upper, int64_t step, IndexValues values,
                         SmallVector<Value> &sum, OfTerms body) const {
  if (upper == step)
    return body(at, constant(0), values, sum);
  auto over = AffineForOp::create(at, loc, 0, upper, step, sum);
  OpBuilder inner = OpBuilder::atBlockBegin(over.getBody());
  SmallVector<Value> carried(over.getRegionIterArgs());
  AffineExpr number = values.of(over.getInductionVar());
  body(inner, number, values, carried);
  affine::AffineYieldOp::create(inner, loc, carried);
  sum.assign(over.getResults().begin(), over.getResults().end());
}

void MeshCode::addTerm(OpBuilder &at, SmallVector<Value> &sums, ArrayRef<Value> vectors,
                       function_ref<Value(int64_t)> ofRow) const {
  int64_t height = sums.size() / vectors.size();
  for (int64_t n = 0; n < height; ++n) {
    Value all = vector::BroadcastOp::create(at, loc, vector, ofRow(n));
    for (auto [v, factor] : llvm::enumerate(vectors)) {
      Value &into = sums[n * vectors.size() + v];
      if (fma)
        into = math::FmaOp::create(at, loc, all, factor, into);
      else
        into = arith::AddFOp::create(at, loc, into, arith::MulFOp::create(at, loc, all, factor));
    }
  }
}

OpBuilder MeshCode::onlyIf(OpBuilder &at, ArrayRef<AffineExpr> are, ArrayRef<bool> areZero,
                           const IndexValues &values) const {
  auto condition = affine::AffineIfOp::create(
      at, loc, TypeRange(), IntegerSet::get(values.values.size(), 0, are, areZero),
      ValueRange(values.values), false);
  return OpBuilder::atBlockBegin(condition.getThenBlock());
}

void MeshCode::putInTurns(int64_t rowTurns, int64_t columnTurns,
                          function_ref<Turn(IndexValues &, AffineExpr, AffineExpr)> turnOf,
                          Body put) {
  OpBuilder::InsertionGuard guard(builder);
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
    Turn mine = turnOf(values, r, c);
    SmallVector<AffineExpr> constraints(mine.exists);
    SmallVector<bool> areEqual(constraints.size(), false);
    auto isNow = [&](AffineExpr number, int64_t turns, Value turn) {
      constraints.push_back(number % turns - values.of(turn));
      areEqual.push_back(true);
    };
    if (rowTurn)
      isNow(mine.row, rowTurns, rowTurn);
    if (columnTurn)
      isNow(mine.column, columnTurns, columnTurn);
    OpBuilder where = constraints.empty() ? at : onlyIf(at, constraints, areEqual, values);
    put(where, row, column);
  });
  cpe::DmaWaitOp::create(builder, loc);
  if (rowTurn || columnTurn)
    cpe::SyncOp::create(builder, loc);
}

} // namespace weft
