//===- LocalSum.cpp - sums where their elements are -------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/mesh/LocalSum.h"

#include "dialect/Cpe.h"

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

/// A table with a row for each core: the places of what it adds, and -1 behind them.
Value tableOf(const LocalSum &local, func::FuncOp func, Location loc) {
  auto module = func->getParentOfType<ModuleOp>();
  OpBuilder builder(module.getContext());
  auto type = MemRefType::get({static_cast<int64_t>(local.places.size()), local.most},
                              builder.getI32Type());
  std::vector<int32_t> entries;
  for (const auto &places : local.places) {
    entries.insert(entries.end(), places.begin(), places.end());
    entries.insert(entries.end(), local.most - places.size(), -1);
  }
  auto values = DenseElementsAttr::get(
      RankedTensorType::get(type.getShape(), type.getElementType()), ArrayRef<int32_t>(entries));
  auto global = memref::GlobalOp::create(builder, loc, "places", builder.getStringAttr("private"),
                                         type, values, /*constant=*/true, IntegerAttr());
  SymbolTable(module).insert(global, module.getBody()->begin()); // under a name of its own
  builder.setInsertionPointToStart(&func.getBody().front());
  return memref::GetGlobalOp::create(builder, loc, type, global.getName());
}

} // namespace

std::optional<LocalSum> localSumOf(AffineForOp shared, const SpreadLayout &layout,
                                   int64_t mostBytes) {
  Value array = layout.array;
  auto range = rangeOf(shared);
  if (!range)
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
  local.places.resize(layout.mesh.cores());
  for (auto [owner, place] : llvm::zip(owners, places))
    local.places[owner].push_back(static_cast<int32_t>(place));
  for (const auto &places : local.places)
    local.most = std::max(local.most, static_cast<int64_t>(places.size()));
  // The longest list has to fit beside what stays.
  if (local.most * 4 > mostBytes)
    return std::nullopt;
  return local;
}

AffineForOp addWhereTheyAre(AffineForOp shared, Value source, const Mesh &mesh,
                            const LocalSum &local) {
  SumRange range = *rangeOf(shared);
  Location loc = shared.getLoc();
  Value table = tableOf(local, shared->getParentOfType<func::FuncOp>(), loc);
  OpBuilder builder(shared);
  auto all = AffineForOp::create(builder, loc, 0, mesh.cores(), 1, shared.getInits());
  all->setDiscardableAttrs(shared->getDiscardableAttrDictionary());
  OpBuilder inner = OpBuilder::atBlockEnd(all.getBody());
  Value core = all.getInductionVar();
  auto apply = [&](AffineExpr expr) -> Value {
    return affine::AffineApplyOp::create(inner, loc, AffineMap::get(1, 0, expr), core);
  };
  AffineExpr dim = inner.getAffineDimExpr(0);
  auto list =
      memref::AllocaOp::create(inner, loc, MemRefType::get({local.most}, inner.getI32Type()));
  cpe::DmaGetOp::create(inner, loc, table, apply(dim * local.most), list, ValueRange(), local.most,
                        ArrayRef<int64_t>(), ArrayRef<int64_t>());
  cpe::DmaWaitOp::create(inner, loc);
  Value row = apply(dim.floorDiv(mesh.columns)), column = apply(dim % mesh.columns);
  Value none = arith::ConstantOp::create(inner, loc, inner.getI32IntegerAttr(0));
  Value zero = arith::ConstantOp::create(inner, loc, inner.getF64FloatAttr(0.0));
  auto own = AffineForOp::create(inner, loc, 0, local.most, 1, all.getRegionIterArgs());
  affine::AffineYieldOp::create(inner, loc, own.getResults());
  own->setDiscardableAttrs(range.inner->getDiscardableAttrDictionary());
  inner.setInsertionPointToEnd(own.getBody());
  Value entry = affine::AffineLoadOp::create(inner, loc, list, own.getInductionVar());
  Value isThere = arith::CmpIOp::create(inner, loc, arith::CmpIPredicate::sge, entry, none);
  Value place = arith::SelectOp::create(inner, loc, isThere, entry, none);
  auto type = cast<MemRefType>(source.getType());
  bool pairs = type.getRank() == 4;
  IRMapping mapping;
  mapping.map(range.inner.getRegionIterArgs(), own.getRegionIterArgs());
  auto integer = [&](int64_t number) -> Value {
    return arith::ConstantOp::create(inner, loc,
                                     inner.getI32IntegerAttr(static_cast<int32_t>(number)));
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
    Value at =
        beside ? arith::AddIOp::create(inner, loc, place, integer(beside)).getResult() : place;
    SmallVector<Value> indices{row, column};
    auto index = [&](Value value) -> Value {
      return arith::IndexCastOp::create(inner, loc, inner.getIndexType(), value);
    };
    if (pairs) {
      indices.push_back(index(arith::DivSIOp::create(inner, loc, at, integer(2))));
      indices.push_back(index(arith::RemSIOp::create(inner, loc, at, integer(2))));
    } else {
      indices.push_back(index(at));
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
