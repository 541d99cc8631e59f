//===- Rader.cpp - primes as convolutions without padding ------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/transforms/Rader.h"

#include "passes/transforms/Bluestein.h"
#include "passes/transforms/Factorisation.h"
#include "passes/transforms/PrimeConvolution.h"

using namespace mlir;

namespace weft {
namespace {

/// 1, g, g^2, ... modulo the prime, of the least g whose powers are all numbers below it.
std::vector<int64_t> powersOfGenerator(int64_t prime) {
  for (int64_t generator = 2;; ++generator) {
    std::vector<int64_t> powers{1};
    for (int64_t next = generator; next != 1; next = next * generator % prime)
      powers.push_back(next);
    if (static_cast<int64_t>(powers.size()) == prime - 1)
      return powers;
  }
}

/// Radices of the convolution's transform: without common factors they need no twiddles, in
/// an order of points that costs nothing here, since points are in an order of their own anyway.
SmallVector<int64_t> radicesOf(int64_t length, bool &coprime) {
  SmallVector<int64_t> radices = coprimeRadices(length);
  coprime = !radices.empty();
  return coprime ? radices : factorise(length);
}

class Stage : PrimeConvolution {
public:
  Stage(const Chain &chain, Value input, int64_t prime, int64_t done, int64_t sign,
        ArrayRef<int64_t> radices, bool coprime)
      : PrimeConvolution(chain, input, prime, done, sign, radices, coprime),
        powers(powersOfGenerator(prime)) {}

  Value collected(std::optional<double> scale) {
    std::vector<Exact> factors(length);
    for (int64_t t = 0; t < length; ++t)
      factors[placeOf(t)] = root(powerOf(-t), prime, sign);
    Value product = multiplied(spectrum(), transformedHere(factors));
    Value convolution = inverse(product);

    Exact factor = static_cast<long double>(scale.value_or(1.0));
    // Where y_j is in the convolution, for j from 1.
    std::vector<int64_t> places(length);
    for (int64_t t = 0; t < length; ++t)
      places[powerOf(-t) - 1] = placeOf(t);
    Value placeTable = indexTable(places);
    Value none = tensor::EmptyOp::create(chain.builder, chain.location, type.getShape(), element);
    Results others(*this, 1, prime, none);
    Value place = indexFrom(others.map.inner, placeTable, others.j - 1, others.map.point());
    Value result =
        others.finish(others.map.arithmetic->add(others.input(0), others.at(convolution, place)),
                      std::vector<Exact>(length, factor));

    Results first(*this, 0, 1, result);
    RealBuilder &arithmetic = *first.map.arithmetic;
    Real back = arithmetic.constant(length, element.getElementType());
    Parts sum = arithmetic.scale(first.at(product, first.j), back);
    return first.finish(arithmetic.sub(first.input(0), sum), {factor});
  }

private:
  /// g to the power of any `exponent`.
  int64_t powerOf(int64_t exponent) const { return powers[(exponent % length + length) % length]; }

  /// Where element t stands before the first transform and behind the last: its remainders of
  /// coprime radices are the digits.
  int64_t placeOf(int64_t t) const {
    if (!coprime)
      return t;
    int64_t place = 0;
    for (int64_t radix : radices)
      place = place * radix + t % radix;
    return place;
  }

  /// As the stages transform it. The digits end in the other order.
  std::vector<Exact> transformedHere(const std::vector<Exact> &values) const {
    if (!coprime)
      return transform(values, -1);
    std::vector<Exact> from = values, to(length);
    int64_t before = 1;
    for (int64_t radix : radices) {
      int64_t rest = length / radix / before;
      for (int64_t p = 0; p < rest; ++p)
        for (int64_t l = 0; l < before; ++l) {
          std::vector<Exact> digit(radix);
          for (int64_t k = 0; k < radix; ++k)
            digit[k] = from[(k * rest + p) * before + l];
          digit = transform(digit, -1);
          for (int64_t j = 0; j < radix; ++j)
            to[(p * radix + j) * before + l] = digit[j];
        }
      std::swap(from, to);
      before *= radix;
    }
    return from;
  }

  /// The transform of x_(g^q).
  Value spectrum() {
    std::vector<int64_t> sources(length);
    for (int64_t t = 0; t < length; ++t)
      sources[placeOf(t)] = powerOf(t);
    Value order = indexTable(sources);
    auto load = [&](StageBody &body, int64_t k) {
      Value power =
          indexFrom(body.builder, order, body.p + k * (length / radices.front()), body.point);
      SmallVector<Value> indices =
          indicesAt(body.builder, body.location,
                    inputIndices(body, body.builder.getAffineConstantExpr(0)), body.point);
      Location place = unnamed(body.location);
      if (lines == 1) {
        indices[axis()] = power;
      } else {
        Value step = arith::ConstantIndexOp::create(body.builder, place, lines);
        power = arith::MulIOp::create(body.builder, place, power, step);
        indices[axis()] = arith::AddIOp::create(body.builder, place, power, indices[axis()]);
      }
      std::string name = (llvm::Twine("x") + llvm::Twine(k)).str();
      Value x = tensor::ExtractOp::create(body.builder, named(body.location, name), given, indices);
      return body.arithmetic.split(x, name);
    };
    return transformed(load);
  }

  Value indexTable(const std::vector<int64_t> &values) {
    auto tableType =
        RankedTensorType::get({static_cast<int64_t>(values.size())}, chain.builder.getI32Type());
    SmallVector<int32_t> narrow(values.begin(), values.end());
    return TableOp::create(chain.builder, named(chain.location, "order"), tableType,
                           DenseElementsAttr::get(tableType, ArrayRef<int32_t>(narrow)));
  }

  Value indexFrom(OpBuilder &builder, Value indices, AffineExpr position, ValueRange point) {
    Location place = unnamed(chain.location);
    Value number = extractAt(builder, place, indices, {position}, point);
    return arith::IndexCastOp::create(builder, place, builder.getIndexType(), number);
  }

  std::vector<int64_t> powers;
};

} // namespace

bool suitsRader(int64_t prime) {
  int64_t own = operations(prime - 1);
  return own >= 0 && own < operations(convolutionLength(prime));
}

Value raderStage(const Chain &chain, Value input, int64_t radix, int64_t done, int64_t sign,
                 std::optional<double> scale) {
  bool coprime = false;
  SmallVector<int64_t> radices = radicesOf(radix - 1, coprime);
  return Stage(chain, input, radix, done, sign, radices, coprime).collected(scale);
}

} // namespace weft
