//===- LocalSum.cpp - sums where their elements are -------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/mesh/LocalSum.h"

#include "dialect/Cpe.h"
#include "passes/mesh/CoreLoops.h"
#include "passes/mesh/MeshTiling.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

namespace {

/// The sum of a step as it was before the cores shared it out: iteration n has the index `lower`
/// + n * `step`.
struct SumRange {
  AffineForOp inner;
  affine::AffineApplyOp index;
  int64_t lower, step, trips;
};

std::optional<SumRange> rangeOf(AffineForOp shared) {
  auto inner = dyn_cast<AffineForOp>(shared.getBody()->front());
  auto index =
      inner ? dyn_cast<affine::AffineApplyOp>(inner.getBody()->front()) : affine::AffineApplyOp();
  if (!index || index.getMapOperands().size() != 2)
    return std::nullopt;
  AffineMap map = index.getAffineMap();
  int64_t lower = map.compose({0, 0})[0];
  return SumRange{inner, index, lower, map.compose({1, 0})[0] - lower,
                  shared.getConstantUpperBound() * inner.getConstantUpperBound()};
}

/// The element that a load takes in each iteration; nothing where it depends on more.
std::optional<std::vector<int64_t>> elementsOf(affine::AffineLoadOp load, SumRange range) {
  AffineMap map = load.getAffineMap();
  for (Value operand : load.getMapOperands())
    if (operand != range.index.getResult())
      return std::nullopt;
  SmallVector<AffineExpr> same(std::max(map.getNumDims(), map.getNumSymbols()),
                               getAffineDimExpr(0, map.getContext()));
  map = map.replaceDimsAndSymbols(ArrayRef(same).take_front(map.getNumDims()),
                                  ArrayRef(same).take_front(map.getNumSymbols()), 1, 0);
  std::vector<int64_t> elements;
  for (int64_t n = 0; n < range.trips; ++n) {
    int64_t element = 0;
    for (auto [index, extent] :
         llvm::zip(map.compose({range.lower + n * range.step}), load.getMemRefType().getShape()))
      element = element * extent + index;
    elements.push_back(element);
  }
  return elements;
}

/// Elements that lie `parts` at a time: which part all places name; nothing where that varies.
std::optional<int64_t> onePart(const LocalSum &local, int64_t parts) {
  std::optional<int64_t> part;
  for (const auto &places : local.places)
    for (int32_t place : places)
      if (part.value_or(place % parts) != place % parts)
        return std::nullopt;
      else
        part = place % parts;
  return part;
}

/// A table with a row for each core: how many it adds, and their places, in units of `parts`
/// elements, with zeros behind them.
Value tableOf(const LocalSum &local, int64_t parts, func::FuncOp func, Location loc) {
  auto module = func->getParentOfType<ModuleOp>();
  OpBuilder builder(module.getContext());
  auto type = MemRefType::get({static_cast<int64_t>(local.places.size()), local.most + 1},
                              builder.getI32Type());
  std::vector<int32_t> entries;
  for (const auto &places : local.places) {
    entries.push_back(static_cast<int32_t>(places.size()));
    for (int32_t place : places)
      entries.push_back(place / static_cast<int32_t>(parts));
    entries.insert(entries.end(), local.most - places.size(), 0);
  }
  auto values = DenseElementsAttr::get(
      RankedTensorType::get(type.getShape(), type.getElementType()), ArrayRef<int32_t>(entries));
  auto global = memref::GlobalOp::create(builder, loc, "places", builder.getStringAttr("private"),
                                         type, values, /*constant=*/true, IntegerAttr());
  SymbolTable(module).insert(global, module.getBody()->begin()); // under a name of its own
  builder.setInsertionPointToStart(&func.getBody().front());
  return memref::GetGlobalOp::create(builder, loc, type, global.getName());
}

/// The rows of such a table, each with its core before `around` begins.
Value keptLists(Value table, AffineForOp around, const Mesh &mesh, int64_t entries) {
  Location loc = table.getLoc();
  OpBuilder builder(around);
  auto type = MemRefType::get({mesh.rows, mesh.columns, entries}, builder.getI32Type());
  Value lists = cpe::SpreadOp::create(builder, loc, type);
  auto [rows, columns] = loopsOverMesh(builder, loc, mesh);
  OpBuilder inner = OpBuilder::atBlockBegin(columns.getBody());
  AffineExpr row = inner.getAffineDimExpr(0), column = inner.getAffineDimExpr(1);
  Value core[] = {rows.getInductionVar(), columns.getInductionVar()};
  Value place = affine::AffineApplyOp::create(
      inner, loc, AffineMap::get(2, 0, (row * mesh.columns + column) * entries), core);
  cpe::DmaGetOp::create(inner, loc, table, place, lists, core, entries, ArrayRef<int64_t>(),
                        ArrayRef<int64_t>());
  cpe::DmaWaitOp::create(inner, loc);
  return lists;
}

} // namespace

std::optional<LocalSum> localSumOf(AffineForOp shared, const SpreadLayout &layout,
                                   int64_t mostBytes) {
  Value array = layout.array;
  auto range = rangeOf(shared);
  // What a core has not adds nothing, which an extreme could be.
  bool isSum =
      llvm::all_of(combiningOf(shared), [](Combining one) { return one == Combining::Sum; }) &&
      llvm::all_of(shared.getResultTypes(), [](Type type) { return type.isF64(); });
  if (!range || !isSum)
    return std::nullopt;
  LocalSum local;
  std::vector<int64_t> owners, places;
  for (Operation *user : range->index->getUsers()) {
    auto load = dyn_cast<affine::AffineLoadOp>(user);
    if (isOpTriviallyDead(user))
      continue;
    if (!load || rootOf(load.getMemref()) != array)
      return std::nullopt;
  }
  for (Operation &op : range->inner.getBody()->without_terminator()) {
    auto load = dyn_cast<affine::AffineLoadOp>(op);
    if (!load)
      continue;
    // What another array gives has no place among this one's.
    if (rootOf(load.getMemref()) != array)
      return std::nullopt;
    auto elements = elementsOf(load, *range);
    if (!elements)
      return std::nullopt;
    bool isFirst = owners.empty();
    for (auto [n, element] : llvm::enumerate(*elements)) {
      if (isFirst) {
        owners.push_back(layout.coreOf(element));
        places.push_back(layout.placeOf(element));
      }
      // All that one iteration loads lies side by side, always in the same way.
      int64_t beside = layout.placeOf(element) - places[n];
      if (n == 0)
        local.beside[load] = beside;
      if (layout.coreOf(element) != owners[n] || beside != local.beside[load])
        return std::nullopt;
    }
  }
  if (owners.empty())
    return std::nullopt;
  // The place of an iteration is that of the first element it takes: nothing lies in front of it.
  int64_t before = *llvm::min_element(llvm::make_second_range(local.beside));
  for (int64_t &place : places)
    place += before;
  for (auto &[load, beside] : local.beside)
    beside -= before;
  local.places.resize(layout.mesh.cores());
  for (auto [owner, place] : llvm::zip(owners, places))
    local.places[owner].push_back(static_cast<int32_t>(place));
  for (const auto &places : local.places)
    local.most = std::max(local.most, static_cast<int64_t>(places.size()));
  // The longest list has to fit beside what stays.
  if (local.bytes() > mostBytes)
    return std::nullopt;
  return local;
}

AffineForOp addWhereTheyAre(AffineForOp shared, Value source, const Mesh &mesh,
                            const LocalSum &local, AffineForOp around) {
  SumRange range = *rangeOf(shared);
  Location loc = shared.getLoc();
  bool pairs = cast<MemRefType>(source.getType()).getRank() == 4;
  std::optional<int64_t> part = onePart(local, pairs ? 2 : 1);
  Value table = tableOf(local, pairs && part ? 2 : 1, shared->getParentOfType<func::FuncOp>(), loc);
  int64_t entries = local.most + 1;
  Value lists = around ? keptLists(table, around, mesh, entries) : Value();
  OpBuilder builder(shared);
  auto all = AffineForOp::create(builder, loc, 0, mesh.cores(), 1, shared.getInits());
  all->setDiscardableAttrs(shared->getDiscardableAttrDictionary());
  OpBuilder inner = OpBuilder::atBlockEnd(all.getBody());
  Value core = all.getInductionVar();
  auto apply = [&](AffineExpr expr) -> Value {
    return affine::AffineApplyOp::create(inner, loc, AffineMap::get(1, 0, expr), core);
  };
  AffineExpr dim = inner.getAffineDimExpr(0);
  Value row = apply(dim.floorDiv(mesh.columns)), column = apply(dim % mesh.columns);
  SmallVector<Value> mine; // indices of the core's list
  if (lists) {
    mine = {row, column};
  } else {
    lists = memref::AllocaOp::create(inner, loc, MemRefType::get({entries}, inner.getI32Type()));
    cpe::DmaGetOp::create(inner, loc, table, apply(dim * entries), lists, ValueRange(), entries,
                          ArrayRef<int64_t>(), ArrayRef<int64_t>());
    cpe::DmaWaitOp::create(inner, loc);
  }
  auto entryAt = [&](Value number, int64_t ahead) -> Value {
    SmallVector<Value> operands(mine);
    operands.push_back(number);
    SmallVector<AffineExpr> indices;
    for (unsigned dim = 0; dim < operands.size(); ++dim)
      indices.push_back(inner.getAffineDimExpr(dim));
    indices.back() = indices.back() + ahead;
    return affine::AffineLoadOp::create(
        inner, loc, lists, AffineMap::get(operands.size(), 0, indices, inner.getContext()),
        operands);
  };
  auto index = [&](Value value) -> Value {
    return arith::IndexCastOp::create(inner, loc, inner.getIndexType(), value);
  };
  Value first = arith::ConstantIndexOp::create(inner, loc, 0);
  Value count = index(entryAt(first, 0));
  Value zero = arith::ConstantOp::create(inner, loc, inner.getF64FloatAttr(0.0));
  auto own = AffineForOp::create(inner, loc, 0, local.most, 1, all.getRegionIterArgs());
  affine::AffineYieldOp::create(inner, loc, own.getResults());
  own->setDiscardableAttrs(range.inner->getDiscardableAttrDictionary());
  inner.setInsertionPointToEnd(own.getBody());
  Value isThere =
      arith::CmpIOp::create(inner, loc, arith::CmpIPredicate::slt, own.getInductionVar(), count);
  Value place = entryAt(own.getInductionVar(), 1);
  IRMapping mapping;
  mapping.map(range.inner.getRegionIterArgs(), own.getRegionIterArgs());
  auto integer = [&](int64_t number) -> Value {
    return arith::ConstantOp::create(inner, loc,
                                     inner.getI32IntegerAttr(static_cast<int32_t>(number)));
  };
  auto behind = [&](int64_t ahead) -> Value {
    return ahead == 0 ? place
                      : arith::AddIOp::create(inner, loc, place, integer(ahead)).getResult();
  };
  for (Operation &op : *range.inner.getBody()) {
    if (&op == range.index.getOperation() || isOpTriviallyDead(&op))
      continue;
    auto load = dyn_cast<affine::AffineLoadOp>(op);
    if (!load) {
      inner.clone(op, mapping);
      continue;
    }
    int64_t beside = local.beside.lookup(load);
    SmallVector<Value> indices{row, column};
    if (!pairs) {
      indices.push_back(index(behind(beside)));
    } else if (part) {
      int64_t there = *part + beside;
      indices.push_back(index(behind(llvm::divideFloorSigned(there, 2))));
      indices.push_back(arith::ConstantIndexOp::create(inner, loc, llvm::mod(there, 2)));
    } else {
      Value at = behind(beside);
      indices.push_back(index(arith::DivSIOp::create(inner, loc, at, integer(2))));
      indices.push_back(index(arith::RemSIOp::create(inner, loc, at, integer(2))));
    }
    mapping.map(load.getResult(), memref::LoadOp::create(inner, loc, source, indices).getResult());
  }
  // What is added is nothing behind the list's end.
  for (auto [sum, next] :
       llvm::zip(own.getRegionIterArgs(), own.getBody()->getTerminator()->getOperands())) {
    auto add = next.getDefiningOp<arith::AddFOp>();
    unsigned addend = add.getLhs() == sum ? 1 : 0;
    OpBuilder before(add);
    add->setOperand(addend,
                    arith::SelectOp::create(before, loc, isThere, add->getOperand(addend), zero));
  }
  shared.replaceAllUsesWith(all.getResults());
  shared.erase();
  return all;
}

} // namespace weft
