//===- PanelSegments.cpp - an extent in panels of rows or columns ---------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/lowering/PanelSegments.h"

#include "llvm/Support/MathExtras.h"

using llvm::SmallVector;

namespace weft {

SmallVector<Segment> cut(int64_t extent, int64_t width, int64_t panelsOfBlock, int64_t unit) {
  SmallVector<Segment> segments;
  int64_t panels = extent / width, from = 0;
  int64_t blocks = panels / panelsOfBlock;
  if (blocks)
    segments.push_back({0, blocks, panelsOfBlock, width});
  from = blocks * panelsOfBlock * width;
  if (int64_t rest = panels - blocks * panelsOfBlock) {
    segments.push_back({from, 1, rest, width});
    from += rest * width;
  }
  if (from == extent)
    return segments;
  int64_t filled = llvm::alignTo(extent - from, unit);
  if (filled <= extent)
    segments.push_back({extent - filled, 1, 1, filled});
  else
    segments.push_back({from, 1, 1, filled, filled - extent});
  return segments;
}

} // namespace weft
