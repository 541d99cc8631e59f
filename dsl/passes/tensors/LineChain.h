//===- LineChain.h - the stages of one transform, line by line ---------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_TENSORS_LINECHAIN_H
#define WEFT_PASSES_TENSORS_LINECHAIN_H

#include "passes/Passes.h"

#include <optional>
#include <vector>

namespace weft {

/// Of `weft.blocks`: vectors lie along the lines, not across them; local arrays are as
/// memory has them.
constexpr llvm::StringLiteral alongLinesMark = "weft.along_lines";
/// Of a map: the dimension that becomes vector lanes.
constexpr llvm::StringLiteral laneIndexMark = "weft.lane_index";

/// One map of a chain. Its result is [pre..., inner..., post...]: `pre` and `post`
/// number the lines, `inner` lies along them. Its domain is the same with other inner
/// dimensions.
struct Stage {
  MapOp map;
  unsigned innerDomain = 0; ///< inner dimensions of the domain
  unsigned innerResult = 0; ///< inner dimensions of the result
  bool isEdge = false;      ///< no stage of the transform, but what comes before or behind it
  bool goesOn = false;      ///< it fills what the map before it has left, and reads what that reads
};

/// Maps that work on the same lines one after the other: each reads the one before, or goes on with
/// it, and nobody else reads any but the last. Of joined chains (`parts`) the first map of one may
/// read the last of any before. The maps that make the lines of the first stage, and
/// those that alone read the lines of the last one, are its edges: the separation of the two halves
/// of a real transform is one.
struct LineChain {
  llvm::SmallVector<Stage> stages;
  unsigned pre = 0, post = 0;         ///< line dimensions before and behind the inner ones
  llvm::SmallVector<int64_t> extents; ///< of the line dimensions, pre then post
  std::vector<LineChain> parts;       ///< where it was joined: the chains that it consists of

  unsigned lineDims() const { return pre + post; }
  /// Whether lines are numbered by more than one dimension of several.
  bool hasOtherLines() const {
    return llvm::count_if(extents, [](int64_t extent) { return extent > 1; }) > 1;
  }
  /// The domain's argument for line dimension `line`.
  mlir::BlockArgument lineArgument(const Stage &stage, unsigned line) const {
    MapOp map = stage.map;
    return map.bodyBlock()->getArgument(line < pre ? line : line + stage.innerDomain);
  }
  MapOp last() const { return stages.back().map; }
  /// The axis of the last stage's result that a line dimension is.
  unsigned axisOf(unsigned line) const {
    return line < pre ? line : line + stages.back().innerResult;
  }
  /// The line dimension that an axis of it is; nothing of one along the lines.
  std::optional<unsigned> lineOf(unsigned axis) const {
    unsigned inner = stages.back().innerResult;
    if (axis >= pre && axis < pre + inner)
      return std::nullopt;
    return axis < pre ? axis : axis - inner;
  }
  /// The stages of the transform alone.
  unsigned transformStages() const {
    return llvm::count_if(stages, [](const Stage &stage) { return !stage.isEdge; });
  }
  void dropEdges() {
    llvm::erase_if(stages, [](const Stage &stage) { return stage.isEdge; });
  }
};

/// Whether a stage of these lines that reads the result of another one, with so many inner
/// dimensions, reads it at its own lines.
bool readsOwnLines(const LineChain &chain, const Stage &reader, mlir::tensor::ExtractOp read,
                   unsigned inner);

/// The chains of a block: maps marked `weft.lines` with one `weft.group`, and the maps at their
/// edges. Maps whose indices do not keep to their lines are in no chain.
llvm::SmallVector<LineChain> findLineChains(mlir::Block &block);

/// How a tensor from outside is read: which of its dimensions are lines. Nothing
/// where an index mixes lines with anything else.
/// Entry n is the line dimension that index n of `read` is, or -1 for an inner one.
std::optional<llvm::SmallVector<int>> linesRead(const LineChain &chain, const Stage &stage,
                                                mlir::tensor::ExtractOp read);

} // namespace weft

#endif // WEFT_PASSES_TENSORS_LINECHAIN_H
