//===- PrimeConvolution.cpp - what convolutions of primes share ------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/transforms/PrimeConvolution.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace weft {

static MapOp elementMap(const Chain &chain, RankedTensorType result, ArrayRef<int64_t> lower,
                        ArrayRef<int64_t> upper, Value init) {
  return MapOp::create(
      chain.builder, chain.location, result, chain.builder.getDenseI64ArrayAttr(lower),
      chain.builder.getDenseI64ArrayAttr(upper), init ? ValueRange{init} : ValueRange{},
      chain.builder.getAffineMapArrayAttr({}), DenseI64ArrayAttr());
}

ElementMap::ElementMap(const Chain &chain, RankedTensorType result, ArrayRef<int64_t> lower,
                       ArrayRef<int64_t> upper, Value init)
    : chain(chain), map(elementMap(chain, result, lower, upper, init)) {
  Block *body = &map.getBody().emplaceBlock();
  Location inside = unnamed(chain.location);
  for (size_t n = 0; n < upper.size(); ++n)
    body->addArgument(chain.builder.getIndexType(), inside);
  inner = OpBuilder::atBlockBegin(body);
  arithmetic.emplace(inner, inside, body);
}

Value ElementMap::finish(Parts value, ArrayRef<AffineExpr> store) {
  YieldOp::create(inner, location(), arithmetic->join(value));
  map.setStoresAttr(
      inner.getAffineMapArrayAttr(AffineMap::get(map.rank(), 0, store, inner.getContext())));
  return map.getResult(0);
}

Value ElementMap::finish(Parts value, ArrayRef<AffineExpr> store, int64_t innerDims,
                         int64_t innerIn) {
  Value result = finish(value, store);
  chain.mark(map, innerDims, innerIn);
  return result;
}

/// The dimensions of a domain or tensor: `axes` in place of the axis of `shape`.
static SmallVector<int64_t> replaceAxis(ArrayRef<int64_t> shape, int64_t axis,
                                        ArrayRef<int64_t> axes) {
  SmallVector<int64_t> result(shape.take_front(axis));
  result.append(axes.begin(), axes.end());
  result.append(shape.begin() + axis + 1, shape.end());
  return result;
}

PrimeConvolution::PrimeConvolution(const Chain &chain, Value input, int64_t prime, int64_t done,
                                   int64_t sign, ArrayRef<int64_t> radices, bool coprime)
    : chain(chain), given(input), type(cast<RankedTensorType>(input.getType())),
      element(cast<ComplexType>(type.getElementType())), prime(prime), done(done), sign(sign),
      radices(radices), coprime(coprime), length(llvm::product_of(radices)),
      lines(type.getDimSize(chain.axis) / prime), innerDims(lines == 1 ? 1 : 2) {
  SmallVector<int64_t> axes{length};
  if (lines != 1)
    axes.push_back(lines);
  padded = RankedTensorType::get(replaceAxis(type.getShape(), chain.axis, axes), element);
}

SmallVector<AffineExpr> PrimeConvolution::inputIndices(StageBody &body, AffineExpr k) const {
  AffineExpr index = k * lines;
  if (lines != 1)
    index = index + body.builder.getAffineDimExpr(axis() + 2);
  SmallVector<AffineExpr> from;
  for (int64_t n = 0; n < type.getRank(); ++n)
    from.push_back(n == axis() ? index
                               : body.builder.getAffineDimExpr(n < axis() ? n : n + innerDims));
  return from;
}

Value PrimeConvolution::transformed(llvm::function_ref<Parts(StageBody &, int64_t)> load) {
  StageShape shape{padded, axis(), radices.front(), 1, -1, std::nullopt, coprime};
  MapOp map = makeStage(chain.builder, chain.location, shape, load);
  chain.mark(map, innerDims, 1);
  Value value = map.getResult(0);
  int64_t before = radices.front();
  for (int64_t radix : ArrayRef(radices).drop_front()) {
    value = chain.stage(value, radix, before, -1, std::nullopt, innerDims, coprime);
    before *= radix;
  }
  return value;
}

Value PrimeConvolution::multiplied(Value input, std::vector<Exact> factors) {
  for (Exact &factor : factors)
    factor /= static_cast<long double>(length);
  Value values = table("chirp", {length}, factors);
  SmallVector<int64_t> lower(padded.getRank(), 0);
  ElementMap map(chain, padded, lower, padded.getShape());
  SmallVector<AffineExpr> point;
  for (int64_t n = 0; n < padded.getRank(); ++n)
    point.push_back(map.dim(n));
  Parts x = map.load(input, point), f = map.load(values, {map.dim(axis())});
  return map.finish(map.arithmetic->mul(x, f), point, innerDims, innerDims);
}

Value PrimeConvolution::inverse(Value value) {
  // Where digits are transformed one by one, the last one of before is the first one now.
  SmallVector<int64_t> back(radices);
  if (coprime)
    std::reverse(back.begin(), back.end());
  int64_t before = 1;
  for (int64_t radix : back) {
    value = chain.stage(value, radix, before, 1, std::nullopt, innerDims, coprime);
    before *= radix;
  }
  return value;
}

Value PrimeConvolution::table(StringRef name, ArrayRef<int64_t> shape,
                              const std::vector<Exact> &values) {
  auto tableType = RankedTensorType::get(shape, element);
  return TableOp::create(chain.builder, named(chain.location, name), tableType,
                         denseTable(tableType, values));
}

//===-- Results -------------------------------------------------------------===//

static SmallVector<int64_t> resultBounds(const RankedTensorType &type, int64_t axis, bool isUpper,
                                         ArrayRef<int64_t> axes) {
  SmallVector<int64_t> around(type.getShape());
  if (!isUpper)
    around.assign(around.size(), 0);
  return replaceAxis(around, axis, axes);
}

PrimeConvolution::Results::Results(PrimeConvolution &stage, int64_t first, int64_t last, Value init)
    : map(stage.chain, stage.type, resultBounds(stage.type, stage.axis(), false, {first, 0, 0}),
          resultBounds(stage.type, stage.axis(), true, {last, stage.count(), stage.done}), init),
      stage(stage), first(first), last(last) {
  AffineExpr zero = map.inner.getAffineConstantExpr(0);
  j = map.dim(stage.axis());
  p = stage.count() == 1 ? zero : map.dim(stage.axis() + 1);
  l = stage.done == 1 ? zero : map.dim(stage.axis() + 2);
}

/// Indices of a tensor with `axes` in place of the axis.
SmallVector<AffineExpr> PrimeConvolution::Results::around(ArrayRef<AffineExpr> axes) {
  SmallVector<AffineExpr> result;
  for (int64_t n = 0; n < stage.axis(); ++n)
    result.push_back(map.dim(n));
  result.append(axes.begin(), axes.end());
  for (int64_t n = stage.axis() + 1; n < stage.type.getRank(); ++n)
    result.push_back(map.dim(n + 2));
  return result;
}

SmallVector<AffineExpr> PrimeConvolution::Results::onOwnLine(AffineExpr index) {
  SmallVector<AffineExpr> axes{index};
  if (stage.lines != 1)
    axes.push_back(p * stage.done + l);
  return around(axes);
}

Parts PrimeConvolution::Results::at(Value array, AffineExpr index) {
  return map.load(array, onOwnLine(index));
}

Parts PrimeConvolution::Results::at(Value array, Value index) {
  SmallVector<Value> indices = indicesAt(
      map.inner, map.location(), onOwnLine(map.inner.getAffineConstantExpr(0)), map.point());
  indices[stage.axis()] = index;
  return map.arithmetic->split(
      tensor::ExtractOp::create(map.inner, map.location(), array, indices));
}

Parts PrimeConvolution::Results::input(int64_t k) {
  return map.load(stage.given, around({k * stage.lines + p * stage.done + l}));
}

Value PrimeConvolution::Results::finish(Parts value, ArrayRef<Exact> values) {
  int64_t count = stage.count();
  bool oneTable = count == 1 || count * (last - first) <= largestTable;
  std::vector<Exact> factors;
  for (int64_t q = 0; q < (oneTable ? count : 1); ++q)
    for (int64_t t = first; t < last; ++t)
      factors.push_back(values[t - first] * root(q * t, count * stage.prime, stage.sign));
  RealBuilder &arithmetic = *map.arithmetic;
  if (llvm::any_of(factors, [](Exact factor) { return factor != Exact(1); })) {
    OpBuilder::InsertionGuard guard(stage.chain.builder);
    stage.chain.builder.setInsertionPoint(map.map);
    Value factorTable = stage.table(
        "chirp", {static_cast<int64_t>(factors.size()) / (last - first), last - first}, factors);
    value = arithmetic.mul(value, map.load(factorTable, {oneTable ? p : p * 0, j - first}));
  }
  if (!oneTable) {
    OpBuilder outside(map.map);
    value = arithmetic.mul(value,
                           loadRoot(arithmetic, outside, map.inner, map.location(), stage.element,
                                    count, stage.prime, stage.sign, p, j, map.point()));
  }
  return map.finish(value, around({p * (stage.prime * stage.done) + j * stage.done + l}), 1,
                    stage.innerDims);
}

} // namespace weft
