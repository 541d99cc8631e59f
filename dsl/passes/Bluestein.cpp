//===- Bluestein.cpp - primes as convolutions -------------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/Bluestein.h"

#include "passes/ButterflyMaps.h"
#include "passes/Factorisation.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace weft {
namespace {

/// A map of one element to one, over the whole of its result, in a chain.
class ElementMap {
public:
  ElementMap(const Chain &chain, RankedTensorType result, ArrayRef<int64_t> extents)
      : chain(chain), map(create(chain, result, extents)) {
    Block *body = &map.getBody().emplaceBlock();
    Location inside = unnamed(chain.location);
    for (size_t n = 0; n < extents.size(); ++n)
      body->addArgument(chain.builder.getIndexType(), inside);
    inner = OpBuilder::atBlockBegin(body);
    arithmetic.emplace(inner, inside, body);
  }

  AffineExpr dim(int64_t n) { return inner.getAffineDimExpr(n); }
  Location location() { return unnamed(chain.location); }
  ValueRange point() { return map.bodyBlock()->getArguments(); }
  Parts load(Value tensor, ArrayRef<AffineExpr> indices) {
    return arithmetic->split(extractAt(inner, location(), tensor, indices, point()));
  }
  Value finish(Parts value, ArrayRef<AffineExpr> store, int64_t innerDims, int64_t innerIn) {
    YieldOp::create(inner, location(), arithmetic->join(value));
    map.setStoresAttr(
        inner.getAffineMapArrayAttr(AffineMap::get(map.rank(), 0, store, inner.getContext())));
    chain.mark(map, innerDims, innerIn);
    return map.getResult(0);
  }

  OpBuilder inner{static_cast<MLIRContext *>(nullptr)};
  std::optional<RealBuilder> arithmetic;
  const Chain &chain;
  MapOp map;

private:
  static MapOp create(const Chain &chain, RankedTensorType result, ArrayRef<int64_t> extents) {
    SmallVector<int64_t> lower(extents.size(), 0);
    return MapOp::create(chain.builder, chain.location, result,
                         chain.builder.getDenseI64ArrayAttr(lower),
                         chain.builder.getDenseI64ArrayAttr(extents), ValueRange{},
                         chain.builder.getAffineMapArrayAttr({}), DenseI64ArrayAttr());
  }
};

/// The dimensions of a domain or tensor: `axes` in place of the axis of `shape`.
SmallVector<int64_t> replaceAxis(ArrayRef<int64_t> shape, int64_t axis, ArrayRef<int64_t> axes) {
  SmallVector<int64_t> result(shape.take_front(axis));
  result.append(axes.begin(), axes.end());
  result.append(shape.begin() + axis + 1, shape.end());
  return result;
}

class Stage {
public:
  Stage(const Chain &chain, Value input, int64_t prime, int64_t done, int64_t sign)
      : chain(chain), type(cast<RankedTensorType>(input.getType())),
        element(cast<ComplexType>(type.getElementType())), prime(prime), done(done), sign(sign),
        length(convolutionLength(prime)), lines(type.getDimSize(chain.axis) / prime),
        innerDims(lines == 1 ? 1 : 2) {
    SmallVector<int64_t> axes{length};
    if (lines != 1)
      axes.push_back(lines);
    padded = RankedTensorType::get(replaceAxis(type.getShape(), chain.axis, axes), element);
  }

  /// The transform of x_k * c_k with zeros from k = prime on, as [pre..., k, s, post...].
  /// Its first stage reads x and c itself and knows most of the zeros.
  Value spectrum(Value input) {
    SmallVector<int64_t> radices = factorise(length);
    StageShape shape{padded, axis(), radices.front(), 1, -1, std::nullopt};
    int64_t count = shape.count();
    std::vector<Exact> values(llvm::divideCeil(prime, count) * count);
    for (int64_t t = 0; t < prime; ++t)
      values[t] = chirp(t);
    Value chirps = vector(values);
    auto load = [&](StageBody &body, int64_t k) -> Parts {
      int64_t first = k * count, last = first + count - 1;
      Real zero = body.arithmetic.constant(0, element.getElementType());
      if (first >= prime)
        return {zero, zero};
      // Beyond the prime any element of x does: its factor is zero.
      AffineExpr position = body.p + first;
      AffineExpr index = (last < prime ? position : position % prime) * lines;
      if (lines != 1)
        index = index + body.builder.getAffineDimExpr(axis() + 2);
      SmallVector<AffineExpr> from;
      for (int64_t n = 0; n < type.getRank(); ++n)
        from.push_back(n == axis() ? index
                                   : body.builder.getAffineDimExpr(n < axis() ? n : n + innerDims));
      std::string name = (llvm::Twine("x") + llvm::Twine(k)).str();
      Location place = named(body.location, name);
      Parts x =
          body.arithmetic.split(extractAt(body.builder, place, input, from, body.point), name);
      Parts c = body.arithmetic.split(
          extractAt(body.builder, body.location, chirps, {position}, body.point));
      return body.arithmetic.mul(x, c);
    };
    MapOp map = makeStage(chain.builder, chain.location, shape, load);
    chain.mark(map, innerDims, 1);
    Value value = map.getResult(0);
    int64_t done = radices.front();
    for (int64_t radix : llvm::drop_begin(radices)) {
      value = chain.stage(value, radix, done, -1, std::nullopt, innerDims);
      done *= radix;
    }
    return value;
  }

  /// The convolution, in the transform's domain.
  Value multiply(Value input) {
    std::vector<Exact> values(length);
    for (int64_t t = 0; t < prime; ++t)
      values[t] = values[(length - t) % length] = std::conj(chirp(t));
    values = transform(values, -1);
    for (Exact &value : values)
      value /= static_cast<long double>(length);
    Value factors = vector(values);
    ElementMap map(chain, padded, padded.getShape());
    SmallVector<AffineExpr> point = identity(map, padded.getRank());
    Parts x = map.load(input, point), f = map.load(factors, {map.dim(axis())});
    Parts value = map.arithmetic->mul(x, f);
    return map.finish(value, point, innerDims, innerDims);
  }

  /// y_j = c_j * w^(j*p) * scale * (the convolution at j), stored at (p*prime + j)*done + l.
  Value collect(Value input, std::optional<double> scale) {
    int64_t count = lines / done;
    bool oneTable = count == 1 || count * prime <= largestTable;
    std::vector<Exact> values;
    long double factor = scale.value_or(1.0);
    for (int64_t q = 0; q < (oneTable ? count : 1); ++q)
      for (int64_t t = 0; t < prime; ++t)
        values.push_back(factor * chirp(t) * root(q * t, count * prime, sign));
    Value chirps = table({int64_t(values.size()) / prime, prime}, values);
    ElementMap map(chain, type, replaceAxis(type.getShape(), chain.axis, {prime, count, done}));
    AffineExpr zero = map.inner.getAffineConstantExpr(0);
    AffineExpr j = map.dim(axis()), p = count == 1 ? zero : map.dim(axis() + 1),
               l = done == 1 ? zero : map.dim(axis() + 2);
    SmallVector<AffineExpr> axes{j};
    if (lines != 1)
      axes.push_back(p * done + l);
    Parts value = map.load(input, indices(map, 3, axes));
    value = map.arithmetic->mul(value, map.load(chirps, {oneTable ? p : zero, j}));
    if (!oneTable) {
      OpBuilder outside(map.map);
      value =
          map.arithmetic->mul(value, loadRoot(*map.arithmetic, outside, map.inner, map.location(),
                                              element, count, prime, sign, p, j, map.point()));
    }
    return map.finish(value, indices(map, 3, {p * (prime * done) + j * done + l}), 1, innerDims);
  }

  Value inverse(Value value) {
    int64_t done = 1;
    for (int64_t radix : factorise(length)) {
      value = chain.stage(value, radix, done, 1, std::nullopt, innerDims);
      done *= radix;
    }
    return value;
  }

private:
  int64_t axis() const { return chain.axis; }
  Exact chirp(int64_t t) const { return root(t * t % (2 * prime), 2 * prime, sign); }

  Value table(ArrayRef<int64_t> shape, const std::vector<Exact> &values) {
    auto type = RankedTensorType::get(shape, element);
    return TableOp::create(chain.builder, named(chain.location, "chirp"), type,
                           denseTable(type, values));
  }
  Value vector(const std::vector<Exact> &values) {
    return table({static_cast<int64_t>(values.size())}, values);
  }

  /// Indices of a tensor whose dimensions around the axis are those of a domain with
  /// `span` dimensions in place of the axis.
  SmallVector<AffineExpr> indices(ElementMap &map, int64_t span, ArrayRef<AffineExpr> axes) {
    SmallVector<AffineExpr> result;
    for (int64_t n = 0; n < axis(); ++n)
      result.push_back(map.dim(n));
    result.append(axes.begin(), axes.end());
    for (int64_t n = axis() + 1; n < type.getRank(); ++n)
      result.push_back(map.dim(n + span - 1));
    return result;
  }
  SmallVector<AffineExpr> identity(ElementMap &map, int64_t rank) {
    SmallVector<AffineExpr> result;
    for (int64_t n = 0; n < rank; ++n)
      result.push_back(map.dim(n));
    return result;
  }

  const Chain &chain;
  RankedTensorType type, padded;
  ComplexType element;
  int64_t prime, done, sign, length;
  int64_t lines; // transforms of length `prime` in one line: (p, l)
  int64_t innerDims;
};

} // namespace

int64_t convolutionLength(int64_t prime) {
  int64_t least = 2 * prime - 1, most = static_cast<int64_t>(llvm::PowerOf2Ceil(least));
  int64_t result = most;
  for (int64_t length = least; length < most; ++length) {
    int64_t rest = length;
    for (int64_t factor : {2, 3, 5})
      while (rest % factor == 0)
        rest /= factor;
    // Short convolutions err more than the direct sums that they stand for, and least
    // where nearly all of their factors are 2.
    if (prime < 64 && length % 32 != 0)
      continue;
    if (rest == 1 && operations(length) < operations(result))
      result = length;
  }
  return result;
}

Value bluesteinStage(const Chain &chain, Value input, int64_t radix, int64_t done, int64_t sign,
                     std::optional<double> scale) {
  Stage stage(chain, input, radix, done, sign);
  return stage.collect(stage.inverse(stage.multiply(stage.spectrum(input))), scale);
}

} // namespace weft
