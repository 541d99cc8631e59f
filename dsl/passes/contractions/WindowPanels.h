//===- WindowPanels.h - panels of sums over windows, for the caches --*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_CONTRACTIONS_WINDOWPANELS_H
#define WEFT_PASSES_CONTRACTIONS_WINDOWPANELS_H

#include "passes/contractions/WindowSums.h"

namespace weft {

/// The panel with the fewest cycles where vectors are read of what was turned, its columns in
/// blocks that lie apart in the result, and its cycles for all blocks. A vector alone is a load of
/// what the rows read for each product: panels have vectors of up to four blocks. Where the
/// innermost loop over terms has few `turns`, they have one vector.
Grouping groupingOfBlocks(int64_t rows, int64_t columns, int64_t blocks, int64_t terms,
                          int64_t turns, const PanelLimits &limits);

/// How many of the last dimensions of `order`, which choose no vectors (filters, where these are
/// turned), go within each panel of columns: so many that the fewest bytes come from beyond the
/// second cache. Outside of them panels come again for each index, inside of them what the rows
/// read (images) does for each panel. Threads share panels then: few of them stay inside.
int64_t dimensionsWithin(const WindowSum &sum, const Grouping &grouping, const PanelLimits &limits,
                         llvm::ArrayRef<unsigned> order);

/// Of vectors that no cache holds, a panel that divides the columns: its vectors lie one behind the
/// other then. Those of another width are picks of long rows, which drive each other from the
/// cache: 512 filters of 3x3 over 512 channels took 3 times as long. Nothing where it would cost
/// more.
std::optional<Grouping> dividingPanels(const WindowSum &sum, const Grouping &best,
                                       const PanelLimits &limits);

} // namespace weft

#endif // WEFT_PASSES_CONTRACTIONS_WINDOWPANELS_H
