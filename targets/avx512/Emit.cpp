//===- Emit.cpp - shuffles of AVX-512 -===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// A shuffle within 128-bit lanes takes one cycle on every execution port that shuffles,
// a shuffle across them three on one port, and one with an index vector a register more.
// So the forms are tried in that order.
//
//===-----------------------------------------------------------------------===//

#include "targets/common/TargetEmitter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

#include <optional>

namespace weft {

namespace {

/// A shuffle of `count` elements, four 128-bit lanes of `perLane` each.
struct Pattern {
  llvm::ArrayRef<int64_t> mask;
  int64_t count = mask.size(), perLane = count / 4;

  bool isUnpack(int64_t half) const {
    return all([&](int64_t i) {
      int64_t within = i % perLane;
      int64_t element = i - within + within / 2 + half * perLane / 2;
      return within % 2 ? element + count : element;
    });
  }

  /// Each even element twice, or each odd one.
  bool isTwice(int64_t odd) const {
    return all([&](int64_t i) { return i - i % 2 + odd; });
  }

  /// Bit i: lane i is of the second operand; every element stays in its place.
  std::optional<int64_t> blend() const {
    int64_t bits = 0;
    for (int64_t i = 0; i < count; ++i) {
      if (mask[i] % count != i)
        return std::nullopt;
      bits |= (mask[i] / count) << i;
    }
    return bits;
  }

  /// The immediate of a permutation within groups of `group` elements, the same in each
  /// group if there are more than two; `source(i)` is the operand of element i.
  template <typename Source>
  std::optional<int64_t> withinGroups(int64_t group, Source source) const {
    int64_t bits = 0, width = group == 2 ? 1 : 2;
    for (int64_t i = 0; i < count; ++i) {
      int64_t element = mask[i] - source(i) * count, start = i - i % group;
      if (element < start || element >= start + group)
        return std::nullopt;
      int64_t shift = group == 2 ? i : (i % group) * width;
      if (group != 2 && i >= group && (bits >> shift & 3) != element - start)
        return std::nullopt;
      if (group == 2 || i < group)
        bits |= (element - start) << shift;
    }
    return bits;
  }

  /// The immediate of a move of whole 128-bit lanes, two from each operand.
  std::optional<int64_t> blocks(bool one) const {
    int64_t bits = 0;
    for (int64_t i = 0; i < count; ++i) {
      int64_t element = mask[i] - (i < count / 2 || one ? 0 : count);
      if (element < 0 || element >= count || element % perLane != i % perLane)
        return std::nullopt;
      int64_t lane = i / perLane, shift = 2 * lane;
      if (i % perLane == 0)
        bits |= (element / perLane) << shift;
      else if ((bits >> shift & 3) != element / perLane)
        return std::nullopt;
    }
    return bits;
  }

private:
  template <typename Expected> bool all(Expected expected) const {
    return llvm::all_of(llvm::seq<int64_t>(0, count),
                        [&](int64_t i) { return mask[i] == expected(i); });
  }
};

ShuffleForm form(const char *name, int64_t immediate = 0) {
  ShuffleForm result;
  result.op = std::string("vector.shuffle:") + name;
  result.immediate = immediate;
  return result;
}

/// Forms of two operands in this order.
std::optional<ShuffleForm> ofTwo(const Pattern &pattern) {
  if (auto bits = pattern.blend())
    return form("blend", *bits);
  if (pattern.isUnpack(0))
    return form("unpacklo");
  if (pattern.isUnpack(1))
    return form("unpackhi");
  bool pairs = pattern.perLane == 2;
  auto bits =
      pattern.withinGroups(pattern.perLane, [&](int64_t i) { return pairs ? i % 2 : i % 4 / 2; });
  if (bits)
    return form("inlanes", *bits);
  if (auto blocks = pattern.blocks(false))
    return form("blocks", *blocks);
  return std::nullopt;
}

std::optional<ShuffleForm> ofOne(const Pattern &pattern) {
  // From memory, these two need no port that shuffles.
  if (pattern.isTwice(0))
    return form("evens");
  if (pattern.isTwice(1) && pattern.perLane == 4)
    return form("odds");
  auto first = [](int64_t) { return 0; };
  if (auto bits = pattern.withinGroups(pattern.perLane, first))
    return form("inlane", *bits);
  if (auto bits = pattern.blocks(true))
    return form("blocks", *bits);
  if (pattern.count == 8)
    if (auto bits = pattern.withinGroups(4, first))
      return form("inhalves", *bits);
  return std::nullopt;
}

class Avx512Emitter : public TargetEmitter {
  ShuffleForm shuffle(llvm::ArrayRef<int64_t> mask, int64_t lanes, bool one) const override {
    if (one) {
      if (auto found = ofOne({mask}))
        return *found;
    } else {
      if (auto found = ofTwo({mask}))
        return *found;
      llvm::SmallVector<int64_t> swapped;
      for (int64_t index : mask)
        swapped.push_back((index + lanes) % (2 * lanes));
      if (auto found = ofTwo({swapped})) {
        found->swapped = true;
        return *found;
      }
    }
    ShuffleForm any = form(one ? "one" : "two");
    any.mask.assign(mask.begin(), mask.end());
    return any;
  }
};

} // namespace

const TargetEmitter &avx512Emitter() {
  static const Avx512Emitter emitter;
  return emitter;
}

} // namespace weft
