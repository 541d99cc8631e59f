//===- OrderedTerms.h - terms in the order of memory ---------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_LOWERING_ORDEREDTERMS_H
#define WEFT_PASSES_LOWERING_ORDEREDTERMS_H

#include "passes/Passes.h"

namespace weft {

/// A reduction whose last index goes across rows touches a line of memory for each term, and adds
/// one term to one number after the other. Where another of its indices goes along the rows of all
/// that is read, the same reduction with its indices in the order of memory; else the reduction as
/// it is. One of whose result the elements lie side by side has lanes there, and stays.
ReduceOp inOrderOfMemory(ReduceOp reduce);

} // namespace weft

#endif // WEFT_PASSES_LOWERING_ORDEREDTERMS_H
