//===- ColumnBlocks.h - the columns' factor, made where it is used ---*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// The transforms of many filters are many times the filters: with few tiles to multiply
// them with, a kernel's time is that of writing and reading them. Then a panel of
// columns is made for all batches, multiplied while it is in the second cache, and
// forgotten. Blocks take turns, since their panels share one place; inside of each the
// loops are independent as ever.
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_CONTRACTIONS_COLUMNBLOCKS_H
#define WEFT_PASSES_CONTRACTIONS_COLUMNBLOCKS_H

#include "passes/contractions/Contraction.h"

namespace weft {

/// How sums are grouped where the columns' factor, the result of a codelet, is made a
/// panel at a time; nothing where that does not pay.
std::optional<Grouping> panelsInBlocks(mlir::Value factor, int64_t batch, int64_t rows,
                                       int64_t columns, int64_t terms, const PanelLimits &limits);

/// The same for a factor that can be made so.
std::optional<Grouping> groupingInBlocks(int64_t batch, int64_t rows, int64_t columns,
                                         int64_t terms, const PanelLimits &limits);

/// Puts a contraction into blocks, with the codelet that makes its columns' factor and
/// the copy that this one reads.
void joinColumnsMaker(MapOp map, int64_t wayBytes);

} // namespace weft

#endif // WEFT_PASSES_CONTRACTIONS_COLUMNBLOCKS_H
