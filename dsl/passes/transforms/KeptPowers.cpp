//===- KeptPowers.cpp - which twiddles a table keeps -----------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/transforms/KeptPowers.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace weft {
namespace {

/// Those below a base and its multiples: every other one is a product of two of them. With the base
/// that leaves the fewest.
SmallVector<int64_t> digits(int64_t highest) {
  SmallVector<int64_t> fewest;
  for (int64_t base = 2; base <= highest; ++base) {
    SmallVector<int64_t> kept;
    for (int64_t power = 1; power <= highest; ++power)
      if (power < base || power % base == 0)
        kept.push_back(power);
    if (fewest.empty() || kept.size() < fewest.size())
      fewest = kept;
  }
  return fewest;
}

/// The powers of two: a product of as many as an exponent has ones.
SmallVector<int64_t> binary(int64_t highest) {
  SmallVector<int64_t> kept;
  for (int64_t power = 1; power <= highest; power *= 2)
    kept.push_back(power);
  return kept;
}

} // namespace

SmallVector<int64_t> keptPowers(int64_t highest, int64_t most) {
  for (SmallVector<int64_t> kept : {digits(highest), binary(highest)}) {
    if (static_cast<int64_t>(kept.size()) > most)
      continue;
    // Each further one saves a product.
    for (int64_t power = 1; power <= highest && static_cast<int64_t>(kept.size()) < most; ++power)
      if (!is_contained(kept, power))
        kept.push_back(power);
    sort(kept);
    return kept;
  }
  return {};
}

std::pair<int64_t, int64_t> factorsOf(int64_t power, ArrayRef<int64_t> kept) {
  int64_t highest = 0;
  for (int64_t one : reverse(kept)) {
    if (one >= power)
      continue;
    if (is_contained(kept, power - one))
      return {one, power - one};
    highest = std::max(highest, one);
  }
  return {highest, power - highest};
}

} // namespace weft
