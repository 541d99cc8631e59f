//===- WideCore.h - orders for a core that issues out of order -----*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_PIPES_WIDECORE_H
#define WEFT_PASSES_PIPES_WIDECORE_H

#include "passes/pipes/PipeOrder.h"

namespace weft {

/// A core that takes operations in the order in which they stand, and starts each as soon as what
/// it needs is there and one of its pipes is free, by the target's `wide_pipes`. Operations that
/// wait fill what the core has for them, so that it sees no further: the order decides what meets.
class WideCore {
public:
  /// Nothing where the target's table does not tell of such pipes.
  static std::optional<WideCore> of(const Target &target);

  /// Cycles until a result can be used and until the pipe takes the next; the pipes, as bits.
  struct Use {
    int64_t latency = 0, busy = 0, pipes = 0;
  };

  /// Ops of one block, or of a whole body, and what each waits for; nothing where one of them is
  /// none that the table tells of.
  std::optional<BlockGraph> graphOf(llvm::ArrayRef<mlir::Operation *> ops,
                                    mlir::affine::AffineForOp loop) const;

  /// A list schedule: of what is ready and has a pipe, what has the longest way to the end; with
  /// `registers` values alive, what frees one. `times`, by node, are the cycles in which it starts
  /// them. Ways count as shorter by `later`, by node, where that is given.
  PipeOrder listOrder(const BlockGraph &graph, int64_t registers,
                      llvm::SmallVectorImpl<int64_t> &times,
                      llvm::ArrayRef<int64_t> later = {}) const;

  /// Cycles of the longest way from a node to the end.
  int64_t longestWay(const BlockGraph &graph) const;

  /// Whether the target tells how far the core sees (`wide_window`).
  bool seesSoFar() const { return window != 0; }

  /// Cycles of a turn, of many one behind the other: operations come in the order given, and wait
  /// in a window of so many for what they read and for a pipe.
  int64_t turnCycles(const BlockGraph &graph, const PipeOrder &order) const;

private:
  /// What the table has a row for, in its order.
  enum Class { Sum, Product, Within, Across, Choice, Load, Store };
  /// What an op is; nothing where it is unknown, no class where it becomes no instruction.
  std::optional<llvm::SmallVector<Class, 1>> classOf(mlir::Operation &op) const;
  Use useOf(const BlockGraph::Node &node) const;
  /// The free pipe that the fewest kinds of operations may take.
  int choosePipe(const Use &use, llvm::ArrayRef<int64_t> freeAt, int64_t cycle) const;

  /// By node, cycles from its start to the end of what waits for it, its own included.
  llvm::SmallVector<int64_t> heights(const BlockGraph &graph, llvm::ArrayRef<Use> uses) const;
  /// What each node uses, loads as they show.
  llvm::SmallVector<Use> usesOf(const BlockGraph &graph) const;

  int64_t window = 0; ///< operations that wait at the same time
  llvm::SmallVector<Use, 7> rows;
  llvm::SmallVector<int64_t, 6> wanted; ///< by pipe: how many kinds may take it
};

} // namespace weft

#endif // WEFT_PASSES_PIPES_WIDECORE_H
