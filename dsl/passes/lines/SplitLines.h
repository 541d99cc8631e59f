//===- SplitLines.h - lines shared by the cores of a row ----------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_LINES_SPLITLINES_H
#define WEFT_PASSES_LINES_SPLITLINES_H

#include "passes/tensors/LineChain.h"

#include <optional>

namespace weft {

/// What the cores of a mesh have for lines that they share.
struct MeshRoom {
  int64_t rows = 0, columns = 0;
  int64_t bytes = 0;              ///< of a core, for arrays that stay with it
  int64_t all = 0;                ///< of a core, for all that it has
  int64_t points = 0;             ///< of a message
  int64_t longRun = 0;            ///< bytes of a run of memory that DMA serves well
  std::optional<int64_t> asked;   ///< elements of runs that the schedule asks for (`exchange`)
  std::optional<int64_t> sharing; ///< cores that share a line, as the schedule has it (`split`)
};

/// How lines are shared: rounds of `each` lines for every row of the mesh, each line by the cores
/// of a row, or for every half or quarter of a row by those. Of columns, whose neighbours lie side
/// by side, rows and columns of the mesh change places: what the cores of a row have of one point
/// is one run of memory. Or rows of cores have all columns that lie side by side, at indices of
/// their own of another line dimension (`over`), and no column is shared.
struct LineSplit {
  bool isColumns = false;
  unsigned line = 0;             ///< the line dimension that rounds go along
  int64_t rows = 0, columns = 0; ///< of the mesh, or of one whose rows are parts of its rows
  bool isPart = false;           ///< the latter
  int64_t each = 1;              ///< lines of a row at a time, or columns of a core
  std::optional<unsigned> over;  ///< the line dimension that rows of cores share
  int64_t ofOver = 1;            ///< indices of it that a row has at a time
  unsigned crossing = 0;         ///< stages before it
  /// What makes the columns of the first stage, and is read by others as well: the first stage
  /// does it, and has a second result for them.
  MapOp maker;
  int64_t first = 0, second = 0; ///< points of the stages before and behind it
  int64_t points = 0, bytes = 0; ///< of a line that a core has; bytes of them in an exchange
  /// Where both are to be filled up first: to how many rows of a matrix, and to how many columns.
  struct Filled {
    int64_t rows = 0, columns = 0;
  } filledFirst, filledSecond;
  bool isFilled() const { return filledFirst.rows != 0; }
  /// Cores that share a line, and those beside each other that have lines of their own.
  int64_t sharing() const { return over ? 1 : isColumns ? rows : columns; }
  int64_t beside() const { return isColumns ? columns : rows; }
  /// Lines of a round along its line dimension, and along `over`.
  int64_t width() const { return beside() * each / ofOver; }
  int64_t widthOver() const { return over ? rows * ofOver : 1; }
};

/// A stage of a transform has two loops along a line: p over groups, l within one.
struct StageLoops {
  int64_t groups = 0, within = 0;
};
inline StageLoops loopsOf(const LineChain &chain, const Stage &stage) {
  MapOp map = stage.map;
  return {map.getUpper()[chain.pre], map.getUpper()[chain.pre + 1]};
}

/// Whether several cores may share each line of a chain.
bool mayShareLines(const LineChain &chain, const MeshRoom &room);

/// Shares lines that no core has room for out among the cores of a row, or of a part of it:
/// `weft.blocks` that take turns replace the chain, a round of lines each. `tooLong` says why they
/// have to be; where they cannot, the chain stays as it is; an error where the schedule asks for
/// runs of columns, or for a number of cores, that cannot be had.
mlir::LogicalResult shareLines(LineChain &chain, std::optional<MeshRoom> room,
                               llvm::StringRef tooLong);

/// Shares columns that a core has room for, but in runs of memory of only `alone` bytes, where
/// those of columns that are shared are long, or as long as the schedule asks for; whether it has
/// done so. An error where it asks for what cannot be had; where columns cannot be shared, and rows
/// of cores cannot move those alone (`mayGroup`), insert-transfers finds what can.
mlir::FailureOr<bool> shareForRuns(LineChain &chain, const MeshRoom &room, int64_t alone,
                                   bool mayGroup);

} // namespace weft

#endif // WEFT_PASSES_LINES_SPLITLINES_H
