//===- PairEmission.cpp - a lane loop's body on interleaved complex numbers --===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/Passes.h"
#include "passes/vectors/PairBody.h"
#include "passes/vectors/VectorPlace.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

SmallVector<Value> PairBody::mapped(const Access &access) const {
  return llvm::map_to_vector(access.operands, [&](Value operand) { return uniform(operand); });
}

VectorType PairBody::vectorType() const { return VectorType::get({count}, element); }

Value PairBody::shuffled(Value value, llvm::function_ref<int64_t(int64_t)> from) {
  SmallVector<int64_t> mask;
  for (int64_t index = 0; index < count; ++index)
    mask.push_back(from(index));
  return vector::ShuffleOp::create(builder, where, value, value, mask);
}

//===-- Memory -------------------------------------------------------------===//

/// True for the elements that are there.
Value PairBody::mask(int64_t numbers) {
  SmallVector<bool> there;
  for (int64_t index = 0; index < count; ++index)
    there.push_back(index < 2 * numbers);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(main);
  auto type = VectorType::get({count}, builder.getI1Type());
  return arith::ConstantOp::create(builder, where, DenseElementsAttr::get(type, there));
}

/// Of a vector at `map`, the first `there` complex numbers; zeros otherwise.
Value PairBody::loadAt(const Access &access, AffineMap map, int64_t there) {
  if (there == lanes())
    return affine::AffineVectorLoadOp::create(builder, where, vectorType(), uniform(access.memref),
                                              map, mapped(access));
  Value none = arith::ConstantOp::create(builder, where, builder.getZeroAttr(vectorType()));
  if (there == 0)
    return none;
  return vector::MaskedLoadOp::create(builder, where, vectorType(), uniform(access.memref),
                                      indexValues(builder, where, map, mapped(access)), mask(there),
                                      none);
}

void PairBody::storeAt(const Access &access, AffineMap map, Value value, int64_t there) {
  if (there == lanes())
    affine::AffineVectorStoreOp::create(builder, where, value, uniform(access.memref), map,
                                        mapped(access));
  else if (there != 0)
    vector::MaskedStoreOp::create(builder, where, uniform(access.memref),
                                  indexValues(builder, where, map, mapped(access)), mask(there),
                                  value);
}

Value PairBody::loadVector(const Access &access, int64_t ahead) {
  return loadAt(access, access.shifted(block.iv, ahead, 0), present ? present : lanes());
}

void PairBody::storeVector(const Access &access, Value value, int64_t ahead) {
  storeAt(access, access.shifted(block.iv, ahead, 0), value, present ? present : lanes());
}

//===-- Operations ----------------------------------------------------------===//

/// +1 and -1 by turns.
Value PairBody::alternating(Signs signs) {
  SmallVector<Attribute> numbers;
  for (int64_t index = 0; index < count; ++index)
    numbers.push_back(
        builder.getFloatAttr(element, (index % 2 ? signs.im : signs.re) ? -1.0 : 1.0));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(main);
  return arith::ConstantOp::create(builder, where, DenseElementsAttr::get(vectorType(), numbers));
}

Value PairBody::withSigns(Value value, Signs signs) {
  if (signs.mixed())
    return arith::MulFOp::create(builder, where, value, alternating(signs));
  return signs.re ? arith::NegFOp::create(builder, where, value).getResult() : value;
}

Value PairBody::emitUniform(Node *node) {
  Value re = uniform(node->re), im = uniform(node->im);
  OpBuilder::InsertionGuard guard(builder);
  auto isOutside = [&](Value value) {
    return value.getParentRegion()->isProperAncestor(&main.getRegion());
  };
  if (isOutside(re) && isOutside(im))
    builder.setInsertionPoint(main);
  Attribute reNumber, imNumber;
  if (matchPattern(re, m_Constant(&reNumber)) && matchPattern(im, m_Constant(&imNumber))) {
    SmallVector<Attribute> numbers;
    for (int64_t index = 0; index < count; ++index)
      numbers.push_back(index % 2 ? imNumber : reNumber);
    return arith::ConstantOp::create(builder, where, DenseElementsAttr::get(vectorType(), numbers));
  }
  if (re == im)
    return vector::BroadcastOp::create(builder, where, vectorType(), re);
  SmallVector<Value> elements;
  for (int64_t index = 0; index < count; ++index)
    elements.push_back(index % 2 ? im : re);
  return vector::FromElementsOp::create(builder, where, vectorType(), elements);
}

/// From a table, one part in both places. A small one has a table that holds that part of each
/// number twice. Else a load stores each even number twice: the odd numbers of 64 bits are the even
/// ones of the vector that starts one number later, across two lines of the cache; the last of
/// these ends one number behind the table, so there is a table with one number more.
Value PairBody::emitTwinTable(Node *node) {
  const Access &access = *loadOf(node->re);
  memref::GlobalOp global = tableOf(access.memref);
  auto type = cast<MemRefType>(access.memref.getType());
  AffineMap map = access.shifted(block.iv, copy * lanes(), 0);
  auto numbers =
      llvm::to_vector(cast<DenseFPElementsAttr>(global.getInitialValueAttr()).getValues<APFloat>());
  if (type.getNumElements() * element.getIntOrFloatBitWidth() / 8 <= twinBytes) {
    for (auto [index, number] : llvm::enumerate(llvm::MutableArrayRef(numbers)))
      number = numbers[(index & ~1) + node->part];
    Value table = otherTable(global, node->part == 0 ? "_re" : "_im", type, numbers, access.memref);
    return affine::AffineVectorLoadOp::create(builder, where, vectorType(), table, map,
                                              mapped(access));
  }
  bool isShifted = element.isF64() && node->part == 1;
  bool isByVectors = liesByVectors(access);
  Value memref = uniform(access.memref);
  if (element.isF64() || isByVectors) {
    AffineExpr position = builder.getAffineConstantExpr(isShifted ? 1 : 0);
    if (isByVectors) {
      numbers = byVectors(numbers, type);
      position = position + map.getResult(0) * count + map.getResult(1) * 2 * type.getDimSize(0);
    } else {
      int64_t stride = type.getNumElements();
      for (auto [extent, index] : llvm::zip(type.getShape(), map.getResults()))
        position = position + index * (stride /= extent);
    }
    if (element.isF64())
      numbers.push_back(APFloat::getZero(numbers.front().getSemantics()));
    auto longer = MemRefType::get({static_cast<int64_t>(numbers.size())}, element);
    memref =
        otherTable(global, isByVectors ? "_vectors" : "_pairs", longer, numbers, access.memref);
    map = AffineMap::get(map.getNumDims(), map.getNumSymbols(), position);
  }
  Value both =
      affine::AffineVectorLoadOp::create(builder, where, vectorType(), memref, map, mapped(access));
  int64_t part = isShifted ? 0 : node->part;
  return shuffled(both, [&](int64_t index) { return (index & ~1) + part; });
}

/// Whether a table of rows, all of which a turn reads, may have their vectors at one place side by
/// side. Rows apart lie a power of two of bytes apart, often, and drive each other, and what is
/// read with them, from the first cache: they come from the second one in every turn.
bool PairBody::liesByVectors(const Access &access) const {
  auto type = cast<MemRefType>(access.memref.getType());
  if (type.getRank() != 3 || type.getDimSize(2) != 2 || type.getDimSize(1) % lanes() != 0)
    return false;
  // A row that a loop around chooses is read along itself.
  auto place = dyn_cast<AffineDimExpr>(access.map.getResult(1));
  return place && access.operands[place.getPosition()] == block.iv &&
         isa<AffineConstantExpr>(access.map.getResult(0)) &&
         AffineForOp(main).getConstantLowerBound() % lanes() == 0;
}

/// The numbers of such a table: for each place of a vector, those of every row.
SmallVector<APFloat> PairBody::byVectors(ArrayRef<APFloat> numbers, MemRefType type) const {
  int64_t row = numbers.size() / type.getDimSize(0);
  SmallVector<APFloat> result;
  for (int64_t place = 0; place < row; place += count)
    for (int64_t from = place; from < static_cast<int64_t>(numbers.size()); from += row)
      result.append(numbers.begin() + from, numbers.begin() + from + count);
  return result;
}

/// A table with these numbers, made of another one.
Value PairBody::otherTable(memref::GlobalOp global, StringRef suffix, MemRefType type,
                           ArrayRef<APFloat> numbers, Value shown) {
  auto value = DenseElementsAttr::get(RankedTensorType::get(type.getShape(), element), numbers);
  // The one that another loop has made, under a name that no other table has.
  std::string base = (global.getSymName() + suffix).str(), name = base;
  memref::GlobalOp other;
  for (int64_t number = 1;; ++number) {
    Operation *found =
        SymbolTable::lookupNearestSymbolFrom(global, StringAttr::get(global.getContext(), name));
    other = dyn_cast_or_null<memref::GlobalOp>(found);
    if (!found || (other && other.getType() == type && other.getInitialValueAttr() == value &&
                   other.getConstant()))
      break;
    name = base + "_" + std::to_string(number);
  }
  OpBuilder beside(global);
  if (!other)
    other = memref::GlobalOp::create(beside, global.getLoc(), name, global.getSymVisibilityAttr(),
                                     type, value, /*constant=*/true, IntegerAttr());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfterValue(uniform(shown));
  return memref::GetGlobalOp::create(builder, global.getLoc(), type, name);
}

/// a and b added, each with its signs.
Value PairBody::addSingles(Value a, Signs aSigns, Value b, Signs bSigns) {
  if (aSigns.mixed() && bSigns.mixed()) {
    Value sum = addSingles(a, {}, b, aSigns ^ bSigns);
    return withSigns(sum, aSigns);
  }
  if (aSigns.mixed()) {
    std::swap(a, b);
    std::swap(aSigns, bSigns);
  }
  if (bSigns.mixed()) {
    // A product by one is exact: the sum is rounded once, either way.
    if (hasFma)
      return math::FmaOp::create(builder, where, b, alternating(bSigns), withSigns(a, aSigns));
    return arith::AddFOp::create(builder, where, withSigns(a, aSigns), withSigns(b, bSigns));
  }
  if (aSigns.re && !bSigns.re)
    return arith::SubFOp::create(builder, where, b, a);
  Value sum = bSigns.re && !aSigns.re ? arith::SubFOp::create(builder, where, a, b).getResult()
                                      : arith::AddFOp::create(builder, where, a, b).getResult();
  return aSigns.re && bSigns.re ? withSigns(sum, aSigns) : sum;
}

/// A value that does not vary, with signs.
Value PairBody::turnedOnce(Value value, Signs signs) {
  Value factor = alternating(signs);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfterValue(value);
  if (value.getParentRegion()->isProperAncestor(&main.getRegion()))
    builder.setInsertionPoint(main);
  return builder.createOrFold<arith::MulFOp>(where, value, factor);
}

/// A product and an addend with one rounding. Signs by turns stand at the addend, where
/// targets have an instruction for them.
Value PairBody::multiplyAdd(const Term &term, Value addend, Signs addendSigns) {
  Value a = emit(term.a), b = emit(term.b);
  if (!term.signs.mixed())
    return math::FmaOp::create(builder, where, withSigns(a, term.signs), b,
                               withSigns(addend, addendSigns));
  // What is the same in all iterations takes the signs once.
  if (term.a->kind == Node::Kind::Uniform)
    std::swap(a, b);
  if (term.a->kind == Node::Kind::Uniform || term.b->kind == Node::Kind::Uniform)
    return math::FmaOp::create(builder, where, a, turnedOnce(b, term.signs),
                               withSigns(addend, addendSigns));
  Value inner =
      math::FmaOp::create(builder, where, a, b, withSigns(addend, addendSigns ^ term.signs));
  return withSigns(inner, term.signs);
}

Value PairBody::emitSum(Node *node) {
  auto single = [&](const Term &term) {
    Value a = emit(term.a);
    return term.b ? arith::MulFOp::create(builder, where, a, emit(term.b)).getResult() : a;
  };
  Term first = node->terms[0];
  if (node->terms.size() == 1)
    return withSigns(single(first), first.signs);
  Term second = node->terms[1];
  if (node->fused && (first.b || second.b)) {
    // The product that is rounded by itself is the one whose signs alternate.
    if (!first.b || (second.b && first.signs.mixed()))
      std::swap(first, second);
    // Signs by turns are an operation of their own on a target with floats alone: what does not
    // vary takes them once.
    if (unit.onlyFloats() && second.signs.mixed() && second.b &&
        (second.a->kind == Node::Kind::Uniform || second.b->kind == Node::Kind::Uniform)) {
      if (second.b->kind != Node::Kind::Uniform)
        std::swap(second.a, second.b);
      Value turned = turnedOnce(emit(second.b), second.signs);
      Value addend = arith::MulFOp::create(builder, where, emit(second.a), turned);
      return multiplyAdd(first, addend, {});
    }
    return multiplyAdd(first, single(second), second.signs);
  }
  Value a = single(first);
  return addSingles(a, first.signs, single(second), second.signs);
}

//===-- Products on parts in vectors of their own ---------------------------===//

/// Products that an interleaved form would exchange or double parts for.
bool PairBody::isByParts(const Node *node) const {
  if (!byParts || node->kind != Node::Kind::Sum)
    return false;
  auto mixes = [](const Node *of) {
    return of && (of->kind == Node::Kind::Swapped || of->kind == Node::Kind::Twin ||
                  of->kind == Node::Kind::TwinTable);
  };
  return llvm::any_of(node->terms, [](const Term &term) { return term.b; }) &&
         llvm::any_of(node->terms,
                      [&](const Term &term) { return mixes(term.a) || mixes(term.b); });
}

Value PairBody::splat(Value scalar) {
  Value outside = uniform(scalar);
  OpBuilder::InsertionGuard guard(builder);
  if (outside.getParentRegion()->isProperAncestor(&main.getRegion()))
    builder.setInsertionPoint(main);
  Attribute number;
  if (matchPattern(outside, m_Constant(&number)))
    return arith::ConstantOp::create(
        builder, where, DenseElementsAttr::get(vectorType(), ArrayRef<Attribute>(number)));
  return vector::BroadcastOp::create(builder, where, vectorType(), outside);
}

/// The real or the imaginary parts of both copies.
Value PairBody::part(Node *node, int64_t number) {
  switch (node->kind) {
  case Node::Kind::Swapped:
    return part(node->of, 1 - number);
  case Node::Kind::Twin:
  case Node::Kind::TwinTable:
    return part(node->of, node->part);
  case Node::Kind::Uniform:
    if (!node->parts[number])
      node->parts[number] = splat(number ? node->im : node->re);
    return node->parts[number];
  case Node::Kind::Load:
  case Node::Kind::Reals:
  case Node::Kind::Sum:
    if (!node->parts[number])
      emitParts(node);
    return node->parts[number];
  }
  llvm_unreachable("all kinds are named");
}

void PairBody::emitParts(Node *node) {
  if (!isByParts(node)) {
    int64_t before = std::exchange(copy, 0);
    Value low = emit(node);
    copy = 1;
    Value high = emit(node);
    copy = before;
    for (int64_t number : {0, 1}) {
      SmallVector<int64_t> mask;
      for (int64_t index = 0; index < count; ++index)
        mask.push_back(2 * index + number);
      node->parts[number] = vector::ShuffleOp::create(builder, where, low, high, mask);
    }
    return;
  }
  for (int64_t number : {0, 1}) {
    auto negated = [&](Value value, Signs signs) -> Value {
      return (number ? signs.im : signs.re)
                 ? arith::NegFOp::create(builder, where, value).getResult()
                 : value;
    };
    auto product = [&](const Term &term) -> Value {
      Value a = part(term.a, number);
      return term.b ? arith::MulFOp::create(builder, where, a, part(term.b, number)).getResult()
                    : a;
    };
    Term first = node->terms[0];
    Value sum;
    if (node->terms.size() == 1) {
      sum = negated(product(first), first.signs);
    } else {
      Term second = node->terms[1];
      // The product with a minus is the one that is rounded by itself: it becomes an addend.
      bool isNegative = number ? first.signs.im : first.signs.re;
      if (!first.b || (second.b && isNegative))
        std::swap(first, second);
      Value addend = negated(product(second), second.signs);
      if (node->fused && hasFma)
        sum = math::FmaOp::create(builder, where, negated(part(first.a, number), first.signs),
                                  part(first.b, number), addend);
      else
        sum = arith::AddFOp::create(builder, where, negated(product(first), first.signs), addend);
    }
    node->parts[number] = sum;
  }
}

/// The current copy of what is computed by parts.
Value PairBody::joined(Node *node) {
  Value re = part(node, 0), im = part(node, 1);
  SmallVector<int64_t> mask;
  for (int64_t index = 0; index < count; ++index)
    mask.push_back(copy * lanes() + index / 2 + (index % 2) * count);
  return vector::ShuffleOp::create(builder, where, re, im, mask);
}

Value PairBody::emit(Node *node) {
  if (node->vectors[copy])
    return node->vectors[copy];
  Location before = where;
  where = node->re.getLoc();
  switch (node->kind) {
  case Node::Kind::Uniform:
    node->vectors[0] = node->vectors[1] = emitUniform(node);
    break;
  case Node::Kind::Load:
  case Node::Kind::Reals:
    llvm_unreachable("loads are emitted in their order");
  case Node::Kind::Swapped: {
    Value of = emit(node->of);
    node->vectors[copy] = shuffled(of, [](int64_t index) { return index ^ 1; });
    break;
  }
  case Node::Kind::Twin: {
    Value of = emit(node->of);
    int64_t part = node->part;
    node->vectors[copy] = shuffled(of, [&](int64_t index) { return (index & ~1) + part; });
    break;
  }
  case Node::Kind::TwinTable:
    node->vectors[copy] = emitTwinTable(node);
    break;
  case Node::Kind::Sum:
    node->vectors[copy] = isByParts(node) ? joined(node) : emitSum(node);
    break;
  }
  where = before;
  return node->vectors[copy];
}

void PairBody::emitInto(AffineForOp target) {
  main = target;
  builder.setInsertionPointToStart(main.getBody());
  scalars.map(loop.getInductionVar(), main.getInductionVar());
  DenseMap<Operation *, Store *> completed;
  for (Store &store : stores)
    completed[store.second] = &store;
  DenseMap<Operation *, SmallVector<const Square *>> finished;
  llvm::SmallPtrSet<Operation *, 16> inSquares;
  for (const Square &square : squares) {
    finished[square.place].push_back(&square);
    for (const Row &row : square.rows) {
      inSquares.insert_range(row.loads);
      if (row.store)
        completed.erase(row.store->second);
    }
  }
  for (Operation &op : loop.getBody()->without_terminator()) {
    auto found = accesses.find(&op);
    if (found == accesses.end()) {
      if (op.getNumResults() == 0 || !isVarying(op.getResult(0)))
        builder.clone(op, scalars);
      else if (isa<affine::AffineApplyOp>(op))
        builder.clone(op, scalars);
      continue;
    }
    const Access &access = found->second;
    where = op.getLoc();
    if (access.isStore) {
      for (const Square *square : finished.lookup(&op))
        emitSquare(*square);
      Store *store = completed.lookup(&op);
      if (!store)
        continue;
      for (copy = 0; copy < copies; ++copy) {
        Value value = emit(store->value);
        where = op.getLoc();
        storeVector(access, value, copy * lanes());
      }
      copy = 0;
      continue;
    }
    if (!isVarying(op.getResult(0))) {
      builder.clone(op, scalars);
      continue;
    }
    for (const Square *square : finished.lookup(&op))
      emitLoads(*square);
    Node *node = whole.lookup(op.getResult(0));
    if (!node || node->vectors[0] || inSquares.contains(&op))
      continue;
    if (node->kind == Node::Kind::Reals) {
      loadReals(node, access);
      continue;
    }
    for (int64_t number = 0; number < copies; ++number)
      node->vectors[number] = loadVector(access, number * lanes());
  }
}

} // namespace weft
