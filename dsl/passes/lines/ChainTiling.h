//===- ChainTiling.h - a chain of stages over blocks of lines -----*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_LINES_CHAINTILING_H
#define WEFT_PASSES_LINES_CHAINTILING_H

#include "passes/tensors/TransposedCopy.h"

#include <optional>

namespace weft {

/// Which lines of a chain a block has.
struct ChainPlan {
  unsigned lane = 0;       ///< the line dimension that becomes the lane
  int64_t width = 0;       ///< lines in a block
  int64_t last = 0;        ///< lines in the last block where these are not `width`
  int64_t mostBytes = 0;   ///< that a block of columns may have
  bool packs = false;      ///< the lane is not contiguous in memory
  bool again = false;      ///< the last block begins earlier, and does lines of others again
  bool alongLines = false; ///< vectors lie along a line: one line a block, `lane` of no meaning
  bool isNear = false;     ///< a cache holds all lines: rows need not be used whole at once
  bool turned = false;     ///< no blocks: lines are turned to lanes and back in registers
};

/// What a schedule asks of the blocks of a chain's lines, with the text of the directives.
struct AskedBlocks {
  std::optional<unsigned> lane;   ///< the line dimension that is tiled, or has the lanes
  std::optional<int64_t> width;   ///< lines in a block
  std::optional<unsigned> shared; ///< the line dimension whose loop the cores share
  llvm::StringRef tile, vectorize, distribute, fold;
  llvm::StringRef outerName, innerName; ///< of the loops over the blocks, and in one

  bool empty() const { return !lane && !shared; }
};

/// Replaces a chain by blocks of lines (a second op for a narrower remainder); a single line, and
/// lines that are turned, stay with a mark of which dimension the lanes are. Loops that a schedule
/// names get its names, and the mark of those that it distributes.
/// Of a copy behind the chain that is `put` the last stage stores the elements where it has them,
/// and there is none any more.
void tileChain(LineChain &chain, const ChainPlan &plan, const AskedBlocks &asked = {},
               const std::optional<TransposedCopy> &put = {});

} // namespace weft

#endif // WEFT_PASSES_LINES_CHAINTILING_H
