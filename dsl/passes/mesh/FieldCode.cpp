//===- FieldCode.cpp - steps over fields that stay with the cores ---------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/mesh/FieldCode.h"

#include "passes/loops/LoopIndices.h"
#include "passes/mesh/CoreLoops.h"

#include "mlir/Dialect/Affine/LoopUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IntegerSet.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

/// A loop over the places of the ring, each core its own.
AffineForOp FieldCode::overCores(OpBuilder &builder, ValueRange carried) {
  auto over = AffineForOp::create(builder, where, 0, plan.ring.cores, 1, carried);
  over->setAttr("weft.parallel", builder.getUnitAttr());
  over->setAttr(ringMark, builder.getI64IntegerAttr(plan.ring.columns));
  return over;
}

SmallVector<AffineExpr> FieldCode::elementOf(AffineExpr place, AffineExpr at) const {
  return {place.floorDiv(plan.mesh.columns), place % plan.mesh.columns, at};
}

void FieldCode::makeArrays(OpBuilder &builder) {
  for (auto &[array, rows] : plan.local) {
    auto type = cast<MemRefType>(array.getType());
    SmallVector<int64_t> shape{plan.mesh.rows, plan.mesh.columns, rows.elements};
    if (rows.parts > 1)
      shape.push_back(rows.parts);
    rows.spread = cpe::SpreadOp::create(builder, array.getLoc(),
                                        MemRefType::get(shape, type.getElementType()));
  }
  for (auto &[array, rows] : plan.collected)
    rows.make(builder);
  for (Operation *load : plan.fields.probes) {
    Type type = load->getResult(0).getType();
    if (!probed.contains(type))
      probed[type] = memref::AllocaOp::create(builder, load->getLoc(), MemRefType::get({1}, type));
  }
  for (Value array : llvm::concat<const Value>(plan.fields.tables, plan.fields.numbers))
    own[array] = memref::AllocaOp::create(
        builder, array.getLoc(),
        MemRefType::get(cast<MemRefType>(array.getType()).getShape(),
                        cast<MemRefType>(array.getType()).getElementType()));
}

/// Where all of these are 0 or more.
OpBuilder FieldCode::onlyIf(OpBuilder &builder, ArrayRef<AffineExpr> positive, ValueRange values) {
  SmallVector<bool> areZero(positive.size(), false);
  auto condition = affine::AffineIfOp::create(builder, where, TypeRange(),
                                              IntegerSet::get(values.size(), 0, positive, areZero),
                                              values, false);
  return OpBuilder::atBlockBegin(condition.getThenBlock());
}

void FieldCode::begin(OpBuilder &builder) {
  makeArrays(builder);
  load(builder);
  for (auto &[array, rows] : plan.local)
    if (rows.field.before + rows.field.after != 0 && !rows.field.isWritten)
      giveHalos(builder, rows);
  for (auto &[array, rows] : plan.collected)
    if (!plan.local.find(array)->second.field.isWritten)
      rows.collect(builder, where, now.lookup(array));
}

void FieldCode::giveHalos(OpBuilder &builder, const LocalRows &rows) {
  int64_t row = rows.strides[rows.field.dim] * rows.parts;
  SmallVector<int64_t> counts, strides;
  for (unsigned dim = 0; dim < rows.field.dim; ++dim) {
    counts.push_back(rows.extents[dim]);
    strides.push_back(rows.strides[dim] * rows.parts);
  }
  cpe::HaloOp::create(builder, where, now.lookup(rows.array), plan.ring.rows, plan.ring.own,
                      plan.ring.cores, plan.ring.columns, rows.field.before, rows.field.after,
                      rows.field.wraps, row, counts, strides);
}

/// The place of a load among the rows that all cores have.
void FieldCode::redirectCollected(affine::AffineLoadOp load) {
  const CollectedRows &all = plan.collected.find(arrayOf(load))->second;
  auto [map, operands] = indicesOf(load);
  OpBuilder builder(load);
  Value value = affine::AffineLoadOp::create(
      builder, load.getLoc(), all.memory(),
      AffineMap::get(operands.size(), 0, all.placeOf(map), map.getContext()), operands);
  load.replaceAllUsesWith(value);
  load.erase();
}

/// The place of an access among a core's own rows.
void FieldCode::redirect(Operation *access, Value place, AffineForOp rows, const FieldNest &nest) {
  const LocalRows &mine = plan.local.find(arrayOf(access))->second;
  Value memory = now.lookup(arrayOf(access));
  // Counted before the loop goes over a core's rows.
  int64_t offset = plan.fields.offsetOf(access, nest) + mine.field.before;
  auto [map, operands] = indicesOf(access);
  AffineExpr p = getAffineDimExpr(operands.size(), map.getContext());
  operands.push_back(place);
  AffineExpr row;
  if (rows) {
    row = getAffineDimExpr(operands.size(), map.getContext()) + offset;
    operands.push_back(rows.getInductionVar());
  } else {
    row = nest.shift + offset - plan.ring.startOf(p);
  }
  AffineExpr at = getAffineConstantExpr(mine.lead, map.getContext());
  for (auto [dim, stride] : llvm::enumerate(mine.strides))
    at = at + (dim == mine.field.dim ? row : map.getResult(dim)) * stride;
  SmallVector<AffineExpr> indices = elementOf(p, at);
  if (mine.parts > 1)
    indices.push_back(map.getResults().back());
  map = AffineMap::get(operands.size(), 0, indices, map.getContext());
  OpBuilder builder(access);
  if (auto load = dyn_cast<affine::AffineLoadOp>(access)) {
    Value value = affine::AffineLoadOp::create(builder, load.getLoc(), memory, map, operands);
    load.replaceAllUsesWith(value);
  } else {
    auto store = cast<affine::AffineStoreOp>(access);
    affine::AffineStoreOp::create(builder, store.getLoc(), store.getValueToStore(), memory, map,
                                  operands);
  }
  access->erase();
}

/// Lanes are counted from the first one on: where they begin is then told by the rest of an index.
static void countFromZero(AffineForOp nest) {
  nest->walk([](AffineForOp loop) {
    int64_t first = loop.hasConstantBounds() ? loop.getConstantLowerBound() : 0;
    if (first == 0 || !loop->hasAttr("weft.lane"))
      return;
    OpBuilder builder = OpBuilder::atBlockBegin(loop.getBody());
    Value variable = loop.getInductionVar();
    auto number = affine::AffineApplyOp::create(
        builder, variable.getLoc(), AffineMap::get(1, 0, builder.getAffineDimExpr(0) + first),
        variable);
    variable.replaceAllUsesExcept(number, number);
    int64_t behind = loop.getConstantUpperBound();
    loop.setConstantLowerBound(0);
    loop.setConstantUpperBound(behind - first);
  });
}

/// Where lanes were rows, of which a core has few.
static void giveLanes(AffineForOp rows) {
  auto mark = UnitAttr::get(rows.getContext());
  for (AffineForOp loop : lanesWithin(rows)) {
    loop->setAttr("weft.lane", mark);
    if (loop.getNumIterOperands() != 0)
      loop->setAttr("weft.reassociate", mark);
  }
}

/// A copy of a nest for the rows of a core.
void FieldCode::placeRows(AffineForOp over, AffineForOp clone, AffineForOp rows,
                          const FieldNest &nest, const DenseSet<Operation *> &collecting) {
  if (rows && !rows->hasAttr("weft.lane"))
    countFromZero(clone);
  else if (rows && !plan.haveLanes(nest))
    giveLanes(rows);
  Value p = over.getInductionVar();
  OpBuilder builder(clone);
  AffineExpr place = builder.getAffineDimExpr(0), row = builder.getAffineDimExpr(1);
  SmallVector<Operation *> accesses;
  clone->walk([&](Operation *op) {
    if (isa<affine::AffineLoadOp, affine::AffineStoreOp>(op) &&
        plan.fields.fields.contains(arrayOf(op)))
      accesses.push_back(op);
  });
  FieldNest copied = nest;
  copied.rows = rows;
  for (Operation *access : accesses) {
    if (collecting.contains(access))
      redirectCollected(cast<affine::AffineLoadOp>(access));
    else
      redirect(access, p, rows, copied);
  }
  if (!rows) {
    OpBuilder inside = onlyIf(builder,
                              {nest.shift - plan.ring.startOf(place),
                               plan.ring.startOf(place) + plan.ring.own - 1 - nest.shift},
                              p);
    clone->moveBefore(inside.getInsertionBlock(), inside.getInsertionPoint());
    (void)affine::promoteIfSingleIteration(clone);
    return;
  }
  // Whoever else wants the number of the row.
  Value variable = rows.getInductionVar();
  builder.setInsertionPointToStart(rows.getBody());
  auto number = affine::AffineApplyOp::create(
      builder, where, AffineMap::get(2, 0, plan.ring.startOf(place) + row - nest.shift),
      ValueRange{p, variable});
  variable.replaceUsesWithIf(number, [&](OpOperand &use) {
    Operation *user = use.getOwner();
    return user != number && !(isa<affine::AffineLoadOp, affine::AffineStoreOp>(user) &&
                               cpe::spreadArray(arrayOf(user)));
  });
  if (number->use_empty())
    number.erase();
  rows.setConstantLowerBound(0);
  rows.setConstantUpperBound(plan.ring.own);
  if (!plan.haveLanes(nest))
    rows->removeAttr("weft.lane");
  rows->removeAttr("weft.independent");
  clone->removeAttr("weft.independent");
  if (nest.isSum)
    return sumOnlyOwn(p, rows, nest);
  if (nest.from == 0 && nest.until == plan.ring.rows)
    return;
  SmallVector<Operation *> body;
  for (Operation &op : rows.getBody()->without_terminator())
    body.push_back(&op);
  builder.setInsertionPointToStart(rows.getBody());
  OpBuilder inside = onlyIf(
      builder,
      {plan.ring.startOf(place) + row - nest.from, nest.until - 1 - plan.ring.startOf(place) - row},
      {p, variable});
  for (Operation *op : body)
    op->moveBefore(inside.getInsertionBlock(), inside.getInsertionPoint());
}

/// A sum is of the rows that it is over, and those that lie with two cores are the second one's.
/// What others would add is computed, and left out.
void FieldCode::sumOnlyOwn(Value place, AffineForOp rows, const FieldNest &nest) {
  const Ring &ring = plan.ring;
  bool isOfAll = nest.from == 0 && nest.until == ring.rows;
  if (isOfAll && ring.isExact())
    return;
  Operation *end = rows.getBody()->getTerminator();
  OpBuilder builder(end);
  AffineExpr p = builder.getAffineDimExpr(0), k = builder.getAffineDimExpr(1);
  AffineExpr row = ring.startOf(p) + k;
  SmallVector<AffineExpr> positive;
  if (!isOfAll)
    positive.append({row - nest.from, nest.until - 1 - row});
  if (!ring.isExact())
    positive.push_back(ring.startOf(p + 1) + (p + 1).floorDiv(ring.cores) * ring.own - row - 1);
  Value zero = arith::ConstantIndexOp::create(builder, where, 0), isOwn;
  for (AffineExpr one : positive) {
    auto number = affine::AffineApplyOp::create(builder, where, AffineMap::get(2, 0, one),
                                                ValueRange{place, rows.getInductionVar()});
    Value holds = arith::CmpIOp::create(builder, where, arith::CmpIPredicate::sge, number, zero);
    isOwn = isOwn ? arith::AndIOp::create(builder, where, isOwn, holds).getResult() : holds;
  }
  for (auto [before, operand] : llvm::zip(rows.getRegionIterArgs(), end->getOpOperands()))
    operand.set(arith::SelectOp::create(builder, where, isOwn, operand.get(), before).getResult());
}

void FieldCode::place(OpBuilder &builder, const FieldNest &nest, IRMapping &values) {
  AffineForOp root = nest.root;
  auto startOf = [&](Value init) { return values.lookupOrDefault(init); };
  AffineForOp over = overCores(builder, llvm::map_to_vector(root.getInits(), startOf));
  OpBuilder inside = OpBuilder::atBlockBegin(over.getBody());
  IRMapping mapping = values;
  auto clone = cast<AffineForOp>(inside.clone(*root, mapping));
  clone.getInitsMutable().assign(over.getRegionIterArgs());
  AffineForOp rows;
  if (AffineForOp(nest.rows))
    rows = cast<AffineForOp>(
        mapping.lookup(AffineForOp(nest.rows).getInductionVar()).getParentBlock()->getParentOp());
  DenseSet<Operation *> collecting;
  root->walk([&](affine::AffineLoadOp load) {
    if (plan.fields.isCollected(load))
      collecting.insert(mapping.lookup(load.getOperation()));
  });
  placeRows(over, clone, rows, nest, collecting);
  if (!nest.isSum)
    return;
  markCombined(over, *combinedOverCores(nest.root));
  if (Attribute names = root->getDiscardableAttr("weft.carries"))
    over->setAttr("weft.carries", names);
  inside.setInsertionPointToEnd(over.getBody());
  affine::AffineYieldOp::create(inside, where, clone.getResults());
  values.map(root.getResults(), over.getResults());
}

/// A core's own rows of an array become those of another one.
void FieldCode::copy(OpBuilder &builder, const FieldNest &nest) {
  const LocalRows &from = plan.local.find(nest.source)->second,
                  &to = plan.local.find(nest.to)->second;
  AffineForOp over = overCores(builder);
  OpBuilder inside = OpBuilder::atBlockBegin(over.getBody());
  SmallVector<Value> operands{over.getInductionVar()};
  AffineExpr p = builder.getAffineDimExpr(0);
  auto index = [&](const LocalRows &rows) {
    return builder.getAffineConstantExpr(rows.firstOwn());
  };
  AffineExpr read = index(from), write = index(to);
  for (unsigned dim = 0; dim < from.extents.size(); ++dim) {
    int64_t many = dim == from.field.dim ? plan.ring.own : from.extents[dim];
    auto loop = AffineForOp::create(inside, where, 0, many);
    AffineExpr i = builder.getAffineDimExpr(operands.size());
    operands.push_back(loop.getInductionVar());
    read = read + i * from.strides[dim];
    write = write + i * to.strides[dim];
    inside.setInsertionPointToStart(loop.getBody());
    if (dim + 1 == from.extents.size() && from.parts == 1) {
      loop->setAttr("weft.independent", builder.getUnitAttr());
      loop->setAttr("weft.lane", builder.getUnitAttr());
    }
  }
  for (int64_t part = 0; part < from.parts; ++part) {
    auto map = [&](AffineExpr at) {
      SmallVector<AffineExpr> indices = elementOf(p, at);
      if (from.parts > 1)
        indices.push_back(builder.getAffineConstantExpr(part));
      return AffineMap::get(operands.size(), 0, indices, builder.getContext());
    };
    Value value =
        affine::AffineLoadOp::create(inside, where, now.lookup(from.array), map(read), operands);
    affine::AffineStoreOp::create(inside, where, value, now.lookup(to.array), map(write), operands);
  }
}

/// A single element, for all cores: the sum of what the one has that has it and of zeros.
Value FieldCode::probe(OpBuilder &builder, affine::AffineLoadOp load) {
  const LocalRows &rows = plan.local.find(load.getMemref())->second;
  AffineMap indices = indicesOf(load).first;
  auto indexOf = [&](unsigned dim) {
    return cast<AffineConstantExpr>(indices.getResult(dim)).getValue();
  };
  int64_t row = indexOf(rows.field.dim) + rows.field.base, owner = 0;
  while (plan.ring.startOf(owner) + plan.ring.own <= row)
    ++owner;
  int64_t at = rows.lead;
  for (auto [dim, stride] : llvm::enumerate(rows.strides))
    at += stride * (dim == rows.field.dim ? row - plan.ring.startOf(owner) + rows.field.before
                                          : indexOf(dim));
  Type type = load.getType();
  Value number = probed.lookup(type);
  AffineMap first = AffineMap::get(0, 0, builder.getAffineConstantExpr(0));
  Value zero = arith::ConstantOp::create(builder, where, builder.getFloatAttr(type, 0.0));
  AffineForOp over = overCores(builder);
  OpBuilder inside = OpBuilder::atBlockBegin(over.getBody());
  affine::AffineStoreOp::create(inside, where, zero, number, first, ValueRange());
  AffineExpr p = builder.getAffineDimExpr(0);
  inside = onlyIf(inside, {p - owner, owner - p}, over.getInductionVar());
  SmallVector<AffineExpr> place = elementOf(p, builder.getAffineConstantExpr(at));
  if (rows.parts > 1)
    place.push_back(indices.getResults().back());
  Value mine = affine::AffineLoadOp::create(inside, load.getLoc(), now.lookup(rows.array),
                                            AffineMap::get(1, 0, place, builder.getContext()),
                                            over.getInductionVar());
  affine::AffineStoreOp::create(inside, where, mine, number, first, ValueRange());
  AffineForOp sum = overCores(builder, zero);
  markCombined(sum, Combining::Sum);
  inside.setInsertionPointToStart(sum.getBody());
  Value part = affine::AffineLoadOp::create(inside, where, number, first, ValueRange());
  Value all = arith::AddFOp::create(inside, where, sum.getRegionIterArgs().front(), part);
  affine::AffineYieldOp::create(inside, where, all);
  return sum.getResult(0);
}

/// The memory of each field in the next step.
void FieldCode::rotate() {
  DenseMap<Value, Value> before = now;
  for (auto [name, place] : plan.turns.next)
    now[name] = before.lookup(place);
}

/// A step of the loop, behind which names have changed their memory.
void FieldCode::step(OpBuilder &builder, Value number) {
  IRMapping values;
  values.map(plan.fields.time.getInductionVar(), number);
  for (auto &[array, mine] : own)
    values.map(array, mine);
  for (Operation &op : plan.fields.time.getBody()->without_terminator()) {
    if (plan.fields.probes.contains(&op)) {
      values.map(op.getResult(0), probe(builder, cast<affine::AffineLoadOp>(op)));
      continue;
    }
    auto *nest = llvm::find_if(plan.fields.nests, [&](FieldNest &one) { return one.root == &op; });
    if (nest == plan.fields.nests.end()) {
      builder.clone(op, values);
      continue;
    }
    if (plan.turns.copies.contains(&op))
      continue;
    for (Value array : plan.halosBefore[nest - plan.fields.nests.begin()])
      giveHalos(builder, plan.local.find(array)->second);
    for (Value array : plan.collectedBefore[nest - plan.fields.nests.begin()])
      plan.collected.find(array)->second.collect(builder, where, now.lookup(array));
    if (nest->to)
      copy(builder, *nest);
    else
      place(builder, *nest, values);
  }
  rotate();
}

} // namespace weft
