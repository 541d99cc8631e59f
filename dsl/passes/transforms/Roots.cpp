//===- Roots.cpp - roots of unity, rounded once -----------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/transforms/Roots.h"

#include <cmath>
#include <numbers>

using namespace mlir;

namespace weft {

Exact root(int64_t exponent, int64_t order, int64_t sign) {
  // Angle = turn / (4 * order) of a full circle; the factor 4 keeps the mirror
  // images at a half, a quarter and an eighth of the circle integers.
  int64_t turn = 4 * ((exponent % order + order) % order);
  bool below = turn > 2 * order;
  if (below)
    turn = 4 * order - turn;
  bool left = turn > order;
  if (left)
    turn = 2 * order - turn;
  bool steep = 2 * turn > order;
  if (steep)
    turn = order - turn;
  long double angle = 2 * std::numbers::pi_v<long double> * static_cast<long double>(turn) /
                      static_cast<long double>(4 * order);
  long double re = std::cos(angle), im = std::sin(angle);
  if (2 * turn == order)
    re = im = std::numbers::sqrt2_v<long double> / 2;
  if (steep)
    std::swap(re, im);
  if (left)
    re = -re;
  if (below != (sign < 0))
    im = -im;
  // No negative zeros: tables print as 0.
  return {re + 0.0L, im + 0.0L};
}

std::vector<Exact> transform(const std::vector<Exact> &values, int64_t sign) {
  int64_t length = static_cast<int64_t>(values.size());
  int64_t radix = 2;
  while (radix * radix <= length && length % radix != 0)
    ++radix;
  if (length % radix != 0)
    radix = length;
  if (length == 1)
    return values;
  int64_t part = length / radix;
  std::vector<std::vector<Exact>> parts(radix);
  for (int64_t q = 0; q < radix; ++q) {
    for (int64_t t = 0; t < part; ++t)
      parts[q].push_back(values[t * radix + q]);
    parts[q] = transform(parts[q], sign);
  }
  std::vector<Exact> result(length);
  for (int64_t k = 0; k < length; ++k)
    for (int64_t q = 0; q < radix; ++q)
      result[k] += parts[q][k % part] * root(q * k, length, sign);
  return result;
}

DenseElementsAttr denseTable(RankedTensorType type, const std::vector<Exact> &values) {
  if (cast<ComplexType>(type.getElementType()).getElementType().isF32()) {
    std::vector<std::complex<float>> rounded;
    rounded.reserve(values.size());
    for (Exact value : values)
      rounded.emplace_back(static_cast<float>(value.real()), static_cast<float>(value.imag()));
    return DenseElementsAttr::get(type, ArrayRef<std::complex<float>>(rounded));
  }
  std::vector<std::complex<double>> rounded;
  rounded.reserve(values.size());
  for (Exact value : values)
    rounded.emplace_back(static_cast<double>(value.real()), static_cast<double>(value.imag()));
  return DenseElementsAttr::get(type, ArrayRef<std::complex<double>>(rounded));
}

} // namespace weft
