//===- PipeOrder.h - orders for two in-order pipes ------------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_PIPES_PIPEORDER_H
#define WEFT_PASSES_PIPES_PIPEORDER_H

#include "passes/pipes/BlockGraph.h"

namespace weft {

/// Nodes in the order in which they are written. In a loop whose turns overlap, a node of stage
/// s works for the turn that began s turns before.
struct PipeOrder {
  llvm::SmallVector<unsigned> nodes;
  llvm::SmallVector<int64_t> stages; ///< by node
  int64_t stageCount = 1;
};

/// The order that they have.
PipeOrder asWritten(const BlockGraph &graph);

/// A list schedule: of what is ready, each pipe takes what has the longest way to the end; with
/// `registers` values alive, what frees one, or what needs no more than `most` and does not wait.
PipeOrder listOrder(const BlockGraph &graph, int64_t registers, int64_t most = 0);

/// Cycles of a turn below which no order can be: what the busier pipe issues, or what the loop
/// carries from turn to turn.
int64_t leastInterval(const BlockGraph &graph, const PipeModel &pipes);

/// Turns that overlap, one begun each `interval` cycles; each value is read before the next turn
/// makes it again, and no more than `registers` are alive. Nothing where none is found.
std::optional<PipeOrder> moduloOrder(const BlockGraph &graph, const PipeModel &pipes,
                                     int64_t interval, int64_t registers, int64_t mostStages);

/// Values alive at one time, at most, of those that `counts` is true of.
int64_t mostAlive(
    const BlockGraph &graph, const PipeOrder &order,
    llvm::function_ref<bool(const BlockGraph::Node &)> counts = [](const BlockGraph::Node &) {
      return true;
    });

/// Stores and loads of values of one turn that `registers` do not hold.
int64_t spillAccesses(const BlockGraph &graph, const PipeOrder &order, int64_t registers);

/// Cycles that the core takes for a turn of the loop once it is under way, counting and branching
/// included.
int64_t turnCycles(const BlockGraph &graph, const PipeModel &pipes, const PipeOrder &order);

/// Cycles from the first instruction to the last of ops that run once.
int64_t runCycles(const BlockGraph &graph, const PipeModel &pipes, const PipeOrder &order);

/// Cycles of so many turns from the first instruction to the last, overlapping where they do.
int64_t loopCycles(const BlockGraph &graph, const PipeModel &pipes, const PipeOrder &order,
                   int64_t turns);

} // namespace weft

#endif // WEFT_PASSES_PIPES_PIPEORDER_H
