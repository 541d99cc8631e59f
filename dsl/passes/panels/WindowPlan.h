//===- WindowPlan.h - how a mesh of cores shares sums over windows --*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_PANELS_WINDOWPLAN_H
#define WEFT_PASSES_PANELS_WINDOWPLAN_H

#include "passes/panels/PanelPlan.h"

namespace weft {

/// Sums over channels and taps of filter[k, channel, tap] * image[channel, pixel + reach of the
/// tap]. The pixels of an image lie in lines; those of a line and the lines themselves lie at equal
/// distances in the image, side by side in the result.
struct WindowShape {
  int64_t images = 1, filters = 0, channels = 1, taps = 1;
  int64_t lines = 1, columns = 0; ///< of the result
  int64_t pitch = 0;              ///< from line to line of the image
  int64_t reach = 0;              ///< of the tap that goes farthest
  int64_t elementBytes = 4;
  int64_t keptBytes = 0; ///< of arrays that stay with each core whole
  /// Rows of the image, their elements, and how many of its border of zeros come before both, where
  /// memory has it without: a line begins with the border's.
  int64_t rows = 0, rowElements = 0, above = 0, beside = 0;

  /// Elements of a channel that all lines read.
  int64_t stretch() const { return (lines - 1) * pitch + columns + reach; }
};

/// How many turns blocks take to write their elements, where so many of a width cover an extent at
/// even distances: those that overlap are of different turns.
int64_t turnsOf(int64_t extent, int64_t width, int64_t count);

/// How cores share the sums. Rows of the mesh have filters (or pixels, as the columns do), its
/// columns some lines of an image each. Blocks overlap where they do not divide filters or lines,
/// and those that do write in turn.
struct WindowPlan {
  int64_t filterPlaces = 1, imagePlaces = 1;  ///< of the mesh
  int64_t filters = 0, lines = 0;             ///< of a core's block
  int64_t filterBlocks = 1, linesOfImage = 1; ///< blocks that cover all filters, and an image
  int64_t rounds = 1;                         ///< of the blocks of all images
  int64_t sumPitch = 0, imagePitch = 0;       ///< elements of a filter's sums, of a channel
  int64_t registerRows = 1, registerVectors = 1;
  llvm::SmallVector<PanelPhase, 3> phases; ///< of channels
  int64_t bytes = 0;
  double cycles = 0, bound = 0; ///< as PanelPlan has them

  bool sharesImages() const { return filterPlaces > 1; }
  int64_t blocks() const { return filterBlocks * rounds; }
  /// Elements of a channel that a core's block reads.
  int64_t stretch(const WindowShape &shape) const {
    return (lines - 1) * shape.pitch + shape.columns + shape.reach;
  }
  /// Rows of the image that a block reads, borders included, and those that are fetched.
  int64_t rowsOf(const WindowShape &shape) const { return lines + shape.reach / shape.pitch; }
  int64_t rowsThere(const WindowShape &shape) const { return std::min(rowsOf(shape), shape.rows); }
  /// Elements of a channel that come for it.
  int64_t fetched(const WindowShape &shape) const {
    return shape.rows ? rowsThere(shape) * shape.rowElements : stretch(shape);
  }
  /// Whether there is something between the columns of the result.
  bool isCompacted(const WindowShape &shape) const { return sumPitch != lines * shape.columns; }
  int64_t filterTurns(const WindowShape &shape) const {
    return turnsOf(shape.filters, filters, filterPlaces * filterBlocks);
  }
  int64_t lineTurns(const WindowShape &shape) const {
    return turnsOf(shape.lines, lines, linesOfImage);
  }
};

/// The plan with the fewest cycles; nothing, and why, where there is none.
std::optional<WindowPlan> planWindows(const WindowShape &shape, const MeshMachine &machine,
                                      std::string &why);

} // namespace weft

#endif // WEFT_PASSES_PANELS_WINDOWPLAN_H
