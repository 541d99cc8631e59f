//===- PanelSegments.h - an extent in panels of rows or columns -*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_LOWERING_PANELSEGMENTS_H
#define WEFT_PASSES_LOWERING_PANELSEGMENTS_H

#include "llvm/ADT/SmallVector.h"

namespace weft {

/// `blocks` blocks of `panels` panels of `width` rows or columns, from `from` on. The last vector
/// of a panel of columns begins so many `back`.
struct Segment {
  int64_t from, blocks, panels, width, back = 0;
};

/// Whole panels in blocks, a shorter last block, a narrower last panel: of whole units, for which
/// it begins earlier where it must, and computes some sums once more. What is less than a panel is
/// one whose last unit does.
llvm::SmallVector<Segment> cut(int64_t extent, int64_t width, int64_t panelsOfBlock, int64_t unit);

} // namespace weft

#endif // WEFT_PASSES_LOWERING_PANELSEGMENTS_H
