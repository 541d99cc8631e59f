//===- PutChoice.h - whether a transform puts its results transposed -*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_LINES_PUTCHOICE_H
#define WEFT_PASSES_LINES_PUTCHOICE_H

#include "dialect/Target.h"
#include "passes/tensors/TransposedCopy.h"

namespace weft {

/// The machine, as far as it decides who makes a transposed copy.
struct PutMachine {
  int64_t lanes = 1;     ///< of vectors of the chain's numbers
  int64_t room = 0;      ///< bytes of a core for its lines
  int64_t cores = 1;     ///< with memory of their own
  int64_t meshRows = 0;  ///< of such cores, else 0
  int64_t nearBytes = 0; ///< of the first cache
  int64_t farBytes = 0;  ///< of the second one
};

/// Lanes of vectors of a chain's numbers, or of their parts.
int64_t lanesOf(const LineChain &chain, const VectorUnit &vectors);

/// The line dimension of a chain along which the copy behind it is contiguous; nothing where that
/// is the transform's own dimension.
std::optional<unsigned> lastLineOf(const LineChain &chain, const TransposedCopy &copy);

/// Whether the last stage of a chain had better store its elements where the copy behind it has
/// them: then no pass over memory copies them.
bool putsByCost(const LineChain &chain, const TransposedCopy &copy, const PutMachine &machine);

} // namespace weft

#endif // WEFT_PASSES_LINES_PUTCHOICE_H
