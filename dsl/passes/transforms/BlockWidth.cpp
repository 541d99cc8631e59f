//===- BlockWidth.cpp - how many columns a block has ------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/transforms/BlockWidth.h"

#include <numeric>

namespace weft {

/// Blocks wider than this many vectors gain nothing: 4 of them are 512 bytes of a row.
static constexpr int64_t widestBlock = 4;

/// Whether the second cache has what is read and what is written.
static bool isHeld(const Columns &columns, const Target &target) {
  std::optional<int64_t> cacheBytes = target.numberIfAny("l2_bytes");
  return cacheBytes && 2 * columns.lines * columns.lineBytes <= *cacheBytes;
}

/// Whether the sets of the first cache that rows fall on hold one line of every other row at least,
/// as far as that is known: those of rows that lie a power of two apart are few. 64 cubed points of
/// c128, where they hold three of four, take 1.05 times as long by longer parts of rows.
static bool haveRoom(const Columns &columns, const Target &target) {
  std::optional<int64_t> firstBytes = target.numberIfAny("l1d_bytes"),
                         ways = target.numberIfAny("l1d_ways");
  return firstBytes && ways &&
         columns.points * std::gcd(columns.rowBytes, *firstBytes / *ways) <= 2 * *firstBytes;
}

/// Whether rows do not all fall on the same lines of the first cache, as far as it is known.
static bool areApart(const Columns &columns, const Target &target) {
  std::optional<int64_t> firstBytes = target.numberIfAny("l1d_bytes"),
                         ways = target.numberIfAny("l1d_ways");
  return firstBytes && ways && columns.rowBytes % (*firstBytes / *ways) != 0;
}

bool areNear(const Columns &columns, const Target &target) {
  return isHeld(columns, target) && areApart(columns, target);
}

int64_t mostBlockBytes(const Columns &columns, const Target &target) {
  int64_t part = target.numberIfAny("l2_bytes").value_or(0) / 4;
  std::optional<int64_t> mostBytes = target.numberIfAny("column_block_array_bytes");
  if (isHeld(columns, target) || (mostBytes && columns.lines * columns.lineBytes > *mostBytes) ||
      (target.flag("wide_crowded_blocks") &&
       !(areApart(columns, target) && haveRoom(columns, target))))
    return part;
  return target.numberIfAny("column_block_bytes").value_or(part);
}

int64_t blockWidth(const Columns &columns, int64_t lanes, const Target &target) {
  int64_t width = lanes, most = mostBlockBytes(columns, target);
  while (width < widestBlock * lanes && 2 * width <= columns.count &&
         2 * width * columns.localBytes <= most)
    width *= 2;
  return width;
}

} // namespace weft
