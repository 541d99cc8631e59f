//===- BlockWidth.h - how many columns a block has ------------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_TRANSFORMS_BLOCKWIDTH_H
#define WEFT_PASSES_TRANSFORMS_BLOCKWIDTH_H

#include "dialect/Target.h"

namespace weft {

/// Lines side by side in memory, which stages go over block by block.
struct Columns {
  int64_t count = 0;      ///< side by side
  int64_t lines = 0;      ///< in all
  int64_t lineBytes = 0;  ///< of a line of the result
  int64_t localBytes = 0; ///< of the arrays that stages of one line have between them
  int64_t rowBytes = 0;   ///< from a point of a line to the next
  int64_t points = 0;     ///< of a line
};

/// Whether rows need not be used whole at once: the second cache has what is read and what is
/// written, and rows do not all fall on the same lines of the first. The fewer columns a block has,
/// the more of it stays in that one.
bool areNear(const Columns &columns, const Target &target);

/// What the arrays between a block's stages may take: a quarter of the second cache, which other
/// things pass through; of columns that it does not hold `column_block_bytes`, on CPUs where blocks
/// that stay in the first cache were measured to be faster than longer parts of rows. Some of those
/// CPUs want the longer parts where rows share too few sets of it (`wide_crowded_blocks`), or of
/// arrays beyond their last cache (`column_block_array_bytes`).
int64_t mostBlockBytes(const Columns &columns, const Target &target);

/// Columns of a block, of which a vector has `lanes`; at most four vectors, as more gain nothing.
int64_t blockWidth(const Columns &columns, int64_t lanes, const Target &target);

} // namespace weft

#endif // WEFT_PASSES_TRANSFORMS_BLOCKWIDTH_H
