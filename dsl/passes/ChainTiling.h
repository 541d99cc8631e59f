//===- ChainTiling.h - a chain of stages over blocks of lines -----*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_CHAINTILING_H
#define WEFT_PASSES_CHAINTILING_H

#include "passes/LineChain.h"

namespace weft {

/// Which lines of a chain a block has.
struct ChainPlan {
  unsigned lane = 0;       ///< the line dimension that becomes the lane
  int64_t width = 0;       ///< lines in a block
  int64_t last = 0;        ///< lines in the last block where these are not `width`
  bool packs = false;      ///< the lane is not contiguous in memory
  bool again = false;      ///< the last block begins earlier, and does lines of others again
  bool alongLines = false; ///< vectors lie along a line: one line a block, `lane` of no meaning
  bool isNear = false;     ///< a cache holds all lines: rows need not be used whole at once
  bool turned = false;     ///< no blocks: lines are turned to lanes and back in registers
};

/// Replaces a chain by blocks of lines (a second op for a narrower remainder); a single line, and
/// lines that are turned, stay with a mark of which dimension the lanes are.
void tileChain(LineChain &chain, const ChainPlan &plan);

} // namespace weft

#endif // WEFT_PASSES_CHAINTILING_H
