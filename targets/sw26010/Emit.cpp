//===- Emit.cpp - shuffles of a CPE -===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "targets/common/TargetEmitter.h"

namespace weft {

namespace {

/// Two bits a lane, lane 0 lowest.
int64_t bitsOf(llvm::ArrayRef<int64_t> lanes) {
  int64_t bits = 0;
  for (int64_t lane : llvm::reverse(lanes))
    bits = bits << 2 | lane;
  return bits;
}

ShuffleForm form(const char *name, int64_t immediate, bool swapped = false) {
  ShuffleForm result;
  result.op = std::string("vector.shuffle:") + name;
  result.immediate = immediate;
  result.swapped = swapped;
  return result;
}

class Sw26010Emitter : public TargetEmitter {
  /// `vshff` takes two lanes of each operand, the lower two of one and the upper two of the
  /// other. A pair of lanes that is of both operands needs one before that brings the pair
  /// into a vector.
  ShuffleForm shuffle(llvm::ArrayRef<int64_t> mask, int64_t lanes, bool one) const override {
    if (lanes != 4) {
      ShuffleForm none;
      none.op = "vector.shuffle";
      return none;
    }
    if (one)
      return form("one", bitsOf({mask[0] % 4, mask[1] % 4, mask[2] % 4, mask[3] % 4}));
    auto operand = [&](int64_t lane) { return mask[lane] / 4; };
    bool lowerMixed = operand(0) != operand(1), upperMixed = operand(2) != operand(3);
    if (!lowerMixed && !upperMixed) {
      int64_t bits = bitsOf({mask[0] % 4, mask[1] % 4, mask[2] % 4, mask[3] % 4});
      return form("ba", bits, operand(0) == 1);
    }
    // The vector in between has two lanes of the first operand, then two of the second.
    auto between = [&](int64_t pair, int64_t from) {
      for (int64_t lane : {2 * pair, 2 * pair + 1})
        if (operand(lane) == from)
          return mask[lane] % 4;
      return int64_t{0};
    };
    if (lowerMixed && upperMixed) {
      int64_t first = bitsOf({between(0, 0), between(1, 0), between(0, 1), between(1, 1)});
      int64_t second =
          bitsOf({operand(0) * 2, operand(1) * 2, operand(2) * 2 + 1, operand(3) * 2 + 1});
      return form("both", first | second << 8);
    }
    // One pair is mixed, the other of one operand: that one is named $a.
    int64_t pure = lowerMixed ? operand(2) : operand(0);
    int64_t mixed = lowerMixed ? 0 : 1;
    bool swapped = pure == 1;
    auto named = [&](int64_t lane) { return operand(lane) ^ (swapped ? 1 : 0); };
    int64_t first =
        bitsOf({between(mixed, swapped ? 1 : 0), 0, between(mixed, swapped ? 0 : 1), 0});
    int64_t picks[4];
    for (int64_t lane = 0; lane < 4; ++lane)
      picks[lane] = lane / 2 == mixed ? named(lane) * 2 : mask[lane] % 4;
    return form(lowerMixed ? "upper-a" : "lower-a", first | bitsOf(picks) << 8, swapped);
  }
};

} // namespace

const TargetEmitter &sw26010Emitter() {
  static const Sw26010Emitter emitter;
  return emitter;
}

} // namespace weft
