//===- LineInputs.h - what shared lines are made of --------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_LINES_LINEINPUTS_H
#define WEFT_PASSES_LINES_LINEINPUTS_H

#include "passes/lines/SplitLines.h"

namespace weft {

/// What stages read from outside: arrays that have the lines, and bytes of a core's parts of
/// others.
struct Inputs {
  int64_t arrays = 0, tableBytes = 0;
};
Inputs inputsOf(const LineChain &chain, const LineSplit &split);

/// What makes the columns of the first stage point by point, for it and for what stands behind the
/// chain.
MapOp makerOf(const LineChain &chain);

} // namespace weft

#endif // WEFT_PASSES_LINES_LINEINPUTS_H
