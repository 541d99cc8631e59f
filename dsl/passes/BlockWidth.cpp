//===- BlockWidth.cpp - how many columns a block has ------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/BlockWidth.h"

namespace weft {

/// Blocks wider than this many vectors gain nothing: 4 of them are 512 bytes of a row.
static constexpr int64_t widestBlock = 4;

bool areNear(const Columns &columns, const Target &target) {
  std::optional<int64_t> firstBytes = target.numberIfAny("l1d_bytes"),
                         ways = target.numberIfAny("l1d_ways"),
                         cacheBytes = target.numberIfAny("l2_bytes");
  if (!firstBytes || !ways || !cacheBytes)
    return false;
  return 2 * columns.lines * columns.lineBytes <= *cacheBytes &&
         columns.rowBytes % (*firstBytes / *ways) != 0;
}

int64_t blockWidth(const Columns &columns, int64_t lanes, const Target &target) {
  int64_t width = lanes, cacheBytes = target.numberIfAny("l2_bytes").value_or(0);
  while (width < widestBlock * lanes && 2 * width <= columns.count &&
         2 * width * columns.localBytes <= cacheBytes / 4)
    width *= 2;
  return width;
}

} // namespace weft
