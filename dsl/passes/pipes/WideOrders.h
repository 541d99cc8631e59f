//===- WideOrders.h - the order of a body for a core out of order --*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_PIPES_WIDEORDERS_H
#define WEFT_PASSES_PIPES_WIDEORDERS_H

#include "passes/pipes/WideCore.h"

namespace weft {

/// An order and what is expected of it.
struct WideOrder {
  PipeOrder order;
  int64_t alive = 0;  ///< values at a time that registers are to hold
  int64_t cycles = 0; ///< of a turn, stores of what registers do not hold included
  int64_t cyclesAsWritten = 0;
  bool isAsWritten = true;
};

/// Of list schedules with more and fewer values at a time, whose parts that nothing connects begin
/// one behind the other by more and by less, the one that a core sees through best
/// (`WideCore::turnCycles`). What is written stays where nothing is won. `isAllowed` tells which
/// orders may be.
WideOrder bestInWindow(const WideCore &core, const BlockGraph &graph, int64_t registers,
                       llvm::function_ref<int64_t(const PipeOrder &)> mostAlive,
                       llvm::function_ref<bool(const PipeOrder &)> isAllowed);

} // namespace weft

#endif // WEFT_PASSES_PIPES_WIDEORDERS_H
