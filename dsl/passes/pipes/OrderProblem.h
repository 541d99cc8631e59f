//===- OrderProblem.h - what an order of a loop's body has to keep ---*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_PIPES_ORDERPROBLEM_H
#define WEFT_PASSES_PIPES_ORDERPROBLEM_H

#include "passes/pipes/PipeOrder.h"

#include <string>

namespace weft {

/// What was found for a loop, and within which bounds.
struct OrderFound {
  std::string name, place;
  int64_t cycles, bound;      ///< a turn, as ordered, and below which no order can be
  int64_t registers, entries; ///< for values; how often a core comes to the loop
  int64_t mostTurns;          ///< at a time
};

/// The problem whose answer that is, as one line of JSON: dsl/weft/exact.py solves it. Nodes are
/// numbered as in the graph; waits are [node, cycles, turns], readers [node, turns].
std::string orderProblem(const BlockGraph &graph, const OrderFound &found);

} // namespace weft

#endif // WEFT_PASSES_PIPES_ORDERPROBLEM_H
