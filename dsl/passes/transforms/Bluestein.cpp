//===- Bluestein.cpp - primes as convolutions -------------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/transforms/Bluestein.h"

#include "passes/transforms/Factorisation.h"
#include "passes/transforms/LineCosts.h"
#include "passes/transforms/PrimeConvolution.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace weft {
namespace {

class Chirps : protected PrimeConvolution {
protected:
  using PrimeConvolution::PrimeConvolution;

  Exact chirp(int64_t t) const { return root(t * t % (2 * prime), 2 * prime, sign); }
  /// c_t for t from 0 to the prime, and as many zeros as make `count`; times `scale`.
  std::vector<Exact> chirps(int64_t count, double scale = 1) const {
    std::vector<Exact> values(count);
    for (int64_t t = 0; t < prime; ++t)
      values[t] = static_cast<long double>(scale) * chirp(t);
    return values;
  }
  /// The transform of what is convolved with.
  std::vector<Exact> factors() const {
    std::vector<Exact> values(length);
    for (int64_t t = 0; t < prime; ++t)
      values[t] = values[(length - t) % length] = std::conj(chirp(t));
    return transform(values, -1);
  }
};

class Stage : Chirps {
public:
  Stage(const Chain &chain, Value input, int64_t prime, int64_t done, int64_t sign)
      : Chirps(chain, input, prime, done, sign, factorise(convolutionLength(prime))) {}

  /// The transform of x_k * c_k with zeros from k = prime on, as [pre..., k, s, post...].
  /// Its first stage reads x and c itself and knows most of the zeros.
  Value spectrum() {
    int64_t step = length / radices.front();
    int64_t held = llvm::alignTo(prime, step);
    Value values = table("chirp", {held}, chirps(held));
    auto load = [&](StageBody &body, int64_t k) -> Parts {
      int64_t first = k * step, last = first + step - 1;
      Real zero = body.arithmetic.constant(0, element.getElementType());
      if (first >= prime)
        return {zero, zero};
      // Beyond the prime any element of x does: its factor is zero.
      AffineExpr position = body.p + first;
      std::string name = (llvm::Twine("x") + llvm::Twine(k)).str();
      Parts x = body.arithmetic.split(
          extractAt(body.builder, named(body.location, name), given,
                    inputIndices(body, last < prime ? position : position % prime), body.point),
          name);
      Parts c = body.arithmetic.split(
          extractAt(body.builder, body.location, values, {position}, body.point));
      return body.arithmetic.mul(x, c);
    };
    return transformed(load);
  }

  /// y_j = c_j * w^(j*p) * scale * (the convolution at j).
  Value collected(std::optional<double> scale) {
    Value convolution = inverse(multiplied(spectrum(), factors()));
    Results results(*this, 0, prime);
    return results.finish(results.at(convolution, results.j), chirps(prime, scale.value_or(1.0)));
  }
};

/// Whole lines of `prime` points, whatever that is. Maps of chirps have no marks, so that they are
/// edges of the two transforms (findLineChains).
class WholeLines : Chirps {
public:
  WholeLines(const Chain &chain, Value input, ArrayRef<int64_t> radices, int64_t sign)
      : Chirps(chain, input, cast<RankedTensorType>(input.getType()).getShape().back(), 1, sign,
               radices) {}

  Value collected(const Chain &back, std::optional<double> scale) {
    // The way back is that of the conjugates there, by the same twiddles.
    std::vector<Exact> between = factors();
    for (Exact &factor : between)
      factor = std::conj(factor) / static_cast<long double>(length);
    Value value = times(spectrum(), padded, between, true);
    int64_t before = 1;
    for (int64_t radix : radices) {
      value = back.stage(value, radix, before, -1, std::nullopt);
      before *= radix;
    }
    return times(value, type, chirps(prime, scale.value_or(1.0)), true);
  }

private:
  RankedTensorType ofLength(int64_t points) const {
    SmallVector<int64_t> shape(type.getShape());
    shape.back() = points;
    return type.clone(shape);
  }

  SmallVector<AffineExpr> pointOf(ElementMap &map) const {
    SmallVector<AffineExpr> point;
    for (int64_t n = 0; n < type.getRank(); ++n)
      point.push_back(map.dim(n));
    return point;
  }

  /// The first points of `array`, or their conjugates, as many as there are values, times these.
  Value times(Value array, RankedTensorType result, const std::vector<Exact> &values,
              bool isConjugate) {
    Value factors = table("chirp", {static_cast<int64_t>(values.size())}, values);
    SmallVector<int64_t> upper(result.getShape());
    upper.back() = static_cast<int64_t>(values.size());
    Value rest;
    if (upper.back() != result.getShape().back())
      rest = tensor::EmptyOp::create(chain.builder, chain.location, result.getShape(), element);
    ElementMap map(chain, result, SmallVector<int64_t>(upper.size(), 0), upper, rest);
    SmallVector<AffineExpr> point = pointOf(map);
    Parts x = map.load(array, point), factor = map.load(factors, {point.back()});
    if (isConjugate)
      x.im = -x.im;
    return map.finish(map.arithmetic->mul(x, factor), point);
  }

  /// The transform of x_k * c_k and zeros. The first stage knows of these, but for the few beside
  /// the last points.
  Value spectrum() {
    int64_t step = length / radices.front(), held = llvm::alignTo(prime, step);
    Value values = times(given, ofLength(held), chirps(prime), false);
    if (held != prime) {
      SmallVector<int64_t> lower(type.getRank(), 0);
      lower.back() = prime;
      ElementMap zeros(chain, ofLength(held), lower, ofLength(held).getShape(), values);
      Real zero = zeros.arithmetic->constant(0, element.getElementType());
      values = zeros.finish({zero, zero}, pointOf(zeros));
    }
    return transformed([&](StageBody &body, int64_t k) -> Parts {
      Real zero = body.arithmetic.constant(0, element.getElementType());
      if (k * step >= prime)
        return {zero, zero};
      std::string name = (llvm::Twine("x") + llvm::Twine(k)).str();
      return body.arithmetic.split(extractAt(body.builder, named(body.location, name), values,
                                             inputIndices(body, body.p + k * step), body.point),
                                   name);
    });
  }
};

} // namespace

/// Whether a length has no other prime factors than those of the best codelets.
static bool suitsConvolution(int64_t length) {
  for (int64_t factor : {2, 3, 5})
    while (length % factor == 0)
      length /= factor;
  return length == 1;
}

int64_t convolutionLength(int64_t prime) {
  int64_t least = 2 * prime - 1, most = static_cast<int64_t>(llvm::PowerOf2Ceil(least));
  int64_t result = most;
  for (int64_t length = least; length < most; ++length) {
    // Short convolutions err more than the direct sums that they stand for, and least
    // where nearly all of their factors are 2.
    if (prime < 64 && length % 32 != 0)
      continue;
    if (suitsConvolution(length) && operations(length) < operations(result))
      result = length;
  }
  return result;
}

SmallVector<int64_t> radicesAlongLine(RankedTensorType type, const Target &target) {
  int64_t least = 2 * type.getShape().back() - 1;
  SmallVector<int64_t> shape(type.getShape()), radices;
  double best = std::numeric_limits<double>::max();
  for (int64_t length = least; length <= static_cast<int64_t>(llvm::PowerOf2Ceil(least));
       ++length) {
    if (!suitsConvolution(length))
      continue;
    shape.back() = length;
    StageCosts costs = stageCostsOf(type.clone(shape), target);
    if (!costs.isKnown() || !costs.turnsLines())
      return {};
    std::vector<RankedRadices> orders = rankAlongLine(length, costs, 1);
    if (!orders.empty() && orders.front().cost * static_cast<double>(length) < best) {
      best = orders.front().cost * static_cast<double>(length);
      radices = orders.front().radices;
    }
  }
  return radices;
}

Value bluesteinAlongLine(const Chain &chain, const Chain &back, Value input,
                         ArrayRef<int64_t> radices, int64_t sign, std::optional<double> scale) {
  return WholeLines(chain, input, radices, sign).collected(back, scale);
}

Value bluesteinStage(const Chain &chain, Value input, int64_t radix, int64_t done, int64_t sign,
                     std::optional<double> scale) {
  return Stage(chain, input, radix, done, sign).collected(scale);
}

} // namespace weft
