//===- Codelets.cpp - small transforms as straight-line code ----------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/transforms/Codelets.h"

#include <numeric>

using namespace mlir;

namespace weft {
namespace {

using Input = llvm::function_ref<Parts(int64_t)>;
using Values = SmallVector<Parts>;

int64_t smallestFactor(int64_t n) {
  for (int64_t factor = 2; factor * factor <= n; ++factor)
    if (n % factor == 0)
      return factor;
  return n;
}

/// The first (inner) of the two factors of a composite radix. Fours where there
/// are any: they need no multiplication.
int64_t innerFactor(int64_t radix) {
  if (radix % 4 == 0 && radix > 4)
    return 4;
  return radix / smallestFactor(radix);
}

Values two(RealBuilder &b, Input input) {
  Parts x0 = input(0), x1 = input(1);
  return {b.add(x0, x1), b.sub(x0, x1)};
}

Values four(RealBuilder &b, int64_t sign, Input input) {
  Parts x0 = input(0), x2 = input(2);
  Parts even = b.add(x0, x2), evenDifference = b.sub(x0, x2);
  Parts x1 = input(1), x3 = input(3);
  Parts odd = b.add(x1, x3), oddDifference = b.turn(b.sub(x1, x3), sign);
  return {b.add(even, odd), b.add(evenDifference, oddDifference), b.sub(even, odd),
          b.sub(evenDifference, oddDifference)};
}

/// Sums and differences of the inputs k and radix - k: cosines act on the sums
/// only, sines on the differences only.
struct Pairs {
  Parts first;
  Values sums, differences;
};

Pairs pairs(RealBuilder &b, int64_t radix, Input input) {
  Pairs result{input(0), {}, {}};
  for (int64_t k = 1; 2 * k < radix; ++k) {
    Parts low = input(k), high = input(radix - k);
    result.sums.push_back(b.add(low, high));
    result.differences.push_back(b.sub(low, high));
  }
  return result;
}

/// The rows j of sum_k sin(2*pi*j*k/radix) * differences[k], times sign * i.
Parts sineRow(RealBuilder &b, const Pairs &x, int64_t radix, int64_t sign, int64_t j) {
  Type type = x.first.re.value.getType();
  Parts sum;
  for (auto [index, difference] : llvm::enumerate(x.differences)) {
    int64_t k = static_cast<int64_t>(index) + 1;
    Parts term = b.scale(difference, b.constant(root(j * k, radix, 1).imag(), type));
    sum = index == 0 ? term : b.add(sum, term);
  }
  return b.turn(sum, sign);
}

/// Primes by the symmetry of cosines and sines alone.
Values prime(RealBuilder &b, int64_t radix, int64_t sign, Input input) {
  Pairs x = pairs(b, radix, input);
  Type type = x.first.re.value.getType();
  Values y(radix);
  y[0] = x.first;
  for (Parts sum : x.sums)
    y[0] = b.add(y[0], sum);
  for (int64_t j = 1; 2 * j < radix; ++j) {
    Parts cosines = x.first;
    for (auto [index, sum] : llvm::enumerate(x.sums)) {
      int64_t k = static_cast<int64_t>(index) + 1;
      cosines = b.add(cosines, b.scale(sum, b.constant(root(j * k, radix, 1).real(), type)));
    }
    Parts sines = sineRow(b, x, radix, sign, j);
    y[j] = b.add(cosines, sines);
    y[radix - j] = b.sub(cosines, sines);
  }
  return y;
}

/// cos(2*pi/5) + cos(4*pi/5) = -1/2 and their difference is sqrt(5)/2: four
/// multiplications fewer than by symmetry alone.
Values five(RealBuilder &b, int64_t sign, Input input) {
  Pairs x = pairs(b, 5, input);
  Type type = x.first.re.value.getType();
  Parts sum = b.add(x.sums[0], x.sums[1]), difference = b.sub(x.sums[0], x.sums[1]);
  Parts middle = b.sub(x.first, b.scale(sum, b.constant(0.25L, type)));
  long double half = (root(1, 5, 1).real() - root(2, 5, 1).real()) / 2;
  Parts spread = b.scale(difference, b.constant(half, type));
  Parts cosines[] = {b.add(middle, spread), b.sub(middle, spread)};
  Values y(5);
  y[0] = b.add(x.first, sum);
  for (int64_t j = 1; j <= 2; ++j) {
    Parts sines = sineRow(b, x, 5, sign, j);
    y[j] = b.add(cosines[j - 1], sines);
    y[5 - j] = b.sub(cosines[j - 1], sines);
  }
  return y;
}

/// Factors without a common divisor: Good's mapping, no twiddles.
Values coprime(RealBuilder &b, int64_t inner, int64_t outer, int64_t sign, Input input) {
  int64_t radix = inner * outer;
  SmallVector<Values> columns;
  for (int64_t i = 0; i < outer; ++i)
    columns.push_back(
        codelet(b, inner, sign, [&](int64_t k) { return input((outer * k + inner * i) % radix); }));
  Values y(radix);
  for (int64_t k = 0; k < inner; ++k) {
    Values row = codelet(b, outer, sign, [&](int64_t i) { return columns[i][k]; });
    for (int64_t j = 0; j < radix; ++j)
      if (j % inner == k)
        y[j] = row[j % outer];
  }
  return y;
}

/// The general step: inner transforms, constant twiddles, outer transforms.
Values cooleyTukey(RealBuilder &b, int64_t inner, int64_t outer, int64_t sign, Input input) {
  int64_t radix = inner * outer;
  SmallVector<Values> columns;
  for (int64_t i = 0; i < outer; ++i) {
    columns.push_back(codelet(b, inner, sign, [&](int64_t k) { return input(outer * k + i); }));
    for (int64_t k = 0; k < inner; ++k)
      columns[i][k] = b.rotate(columns[i][k], i * k, radix, sign);
  }
  Values y(radix);
  for (int64_t k = 0; k < inner; ++k) {
    Values row = codelet(b, outer, sign, [&](int64_t i) { return columns[i][k]; });
    for (int64_t j = 0; j < outer; ++j)
      y[k + inner * j] = row[j];
  }
  return y;
}

} // namespace

Values codelet(RealBuilder &arithmetic, int64_t radix, int64_t sign, Input input) {
  switch (radix) {
  case 1:
    return {input(0)};
  case 2:
    return two(arithmetic, input);
  case 4:
    return four(arithmetic, sign, input);
  case 5:
    return five(arithmetic, sign, input);
  default:
    break;
  }
  if (smallestFactor(radix) == radix)
    return prime(arithmetic, radix, sign, input);
  int64_t inner = innerFactor(radix), outer = radix / inner;
  if (std::gcd(inner, outer) == 1)
    return coprime(arithmetic, inner, outer, sign, input);
  return cooleyTukey(arithmetic, inner, outer, sign, input);
}

bool isPrime(int64_t n) { return n > 1 && smallestFactor(n) == n; }

bool suitsStage(int64_t radix) {
  return radix >= 2 && (radix <= largestRadix || (radix <= largestPrime && isPrime(radix)));
}

bool hasCodelet(int64_t radix) {
  int64_t rest = radix;
  while (rest > 1 && smallestFactor(rest) <= largestPrime)
    rest /= smallestFactor(rest);
  return radix >= 2 && radix <= largestCodelet && rest == 1;
}

int64_t codeletCost(int64_t radix) {
  switch (radix) {
  case 1:
    return 0;
  case 2:
    return 4;
  case 4:
    return 16;
  case 5:
    return 44;
  default:
    break;
  }
  if (isPrime(radix))
    return (radix - 1) * (2 * radix + 2);
  int64_t inner = innerFactor(radix), outer = radix / inner;
  int64_t cost = outer * codeletCost(inner) + inner * codeletCost(outer);
  if (std::gcd(inner, outer) == 1)
    return cost;
  for (int64_t i = 1; i < outer; ++i)
    for (int64_t k = 1; k < inner; ++k)
      cost += 4 * i * k % radix == 0 ? 0 : 8 * i * k % radix == 0 ? 4 : 6;
  return cost;
}

} // namespace weft
