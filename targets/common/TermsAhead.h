//===- TermsAhead.h - what the next terms of a sum read -------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_TARGETS_COMMON_TERMSAHEAD_H
#define WEFT_TARGETS_COMMON_TERMSAHEAD_H

#include "targets/common/RowsAhead.h"

namespace weft {

/// Adds what sums over several loops of terms ask for: the lines that the next turn of the
/// outermost of them reads of the rows' factor, number by number and somewhere else, a few with
/// each turn of a loop in it; and of a panel that the first cache does not hold, the vectors some
/// terms further on.
void addTermsAhead(mlir::func::FuncOp func, const CacheModel &cache, RowsAhead &found);

} // namespace weft

#endif // WEFT_TARGETS_COMMON_TERMSAHEAD_H
