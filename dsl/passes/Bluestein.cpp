//===- Bluestein.cpp - primes as convolutions -------------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/Bluestein.h"

#include "passes/Factorisation.h"
#include "passes/PrimeConvolution.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace weft {
namespace {

class Stage : PrimeConvolution {
public:
  Stage(const Chain &chain, Value input, int64_t prime, int64_t done, int64_t sign)
      : PrimeConvolution(chain, input, prime, done, sign, factorise(convolutionLength(prime))) {}

  /// The transform of x_k * c_k with zeros from k = prime on, as [pre..., k, s, post...].
  /// Its first stage reads x and c itself and knows most of the zeros.
  Value spectrum() {
    int64_t step = length / radices.front();
    std::vector<Exact> values(llvm::divideCeil(prime, step) * step);
    for (int64_t t = 0; t < prime; ++t)
      values[t] = chirp(t);
    Value chirps = table("chirp", {static_cast<int64_t>(values.size())}, values);
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
          extractAt(body.builder, body.location, chirps, {position}, body.point));
      return body.arithmetic.mul(x, c);
    };
    return transformed(load);
  }

  Value convolved() {
    std::vector<Exact> values(length);
    for (int64_t t = 0; t < prime; ++t)
      values[t] = values[(length - t) % length] = std::conj(chirp(t));
    return inverse(multiplied(spectrum(), transform(values, -1)));
  }

  /// y_j = c_j * w^(j*p) * scale * (the convolution at j).
  Value collected(std::optional<double> scale) {
    std::vector<Exact> values(prime);
    for (int64_t t = 0; t < prime; ++t)
      values[t] = static_cast<long double>(scale.value_or(1.0)) * chirp(t);
    Value convolution = convolved();
    Results results(*this, 0, prime);
    return results.finish(results.at(convolution, results.j), values);
  }

private:
  Exact chirp(int64_t t) const { return root(t * t % (2 * prime), 2 * prime, sign); }
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
  return Stage(chain, input, radix, done, sign).collected(scale);
}

} // namespace weft
