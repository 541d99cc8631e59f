//===- AliveValues.h - values that an order has in registers --------*- C++ -*- ===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_PIPES_ALIVEVALUES_H
#define WEFT_PASSES_PIPES_ALIVEVALUES_H

#include "passes/pipes/BlockGraph.h"

namespace weft {

/// Which values are alive while nodes of one turn are put one behind the other.
class AliveValues {
public:
  explicit AliveValues(const BlockGraph &graph) : graph(graph), left(graph.nodes().size()) {
    for (auto [number, node] : llvm::enumerate(graph.nodes())) {
      for (const BlockGraph::Wait &reader : node.readers)
        ++(reader.turns == 0 ? left[number].here : left[number].next);
      count += left[number].next != 0; // carried into the turn
    }
  }
  /// How many more are alive behind it.
  int64_t change(unsigned number) const {
    int64_t more = graph.nodes()[number].inRegister ? 1 : 0;
    forReads(number, [&](unsigned made, bool carried) {
      more -= carried ? left[made].next == 1 : left[made].here == 1 && endsInTurn(made);
    });
    return more;
  }
  /// Whether it works on values that others have made.
  bool reads(unsigned number) const {
    bool any = false;
    forReads(number, [&](unsigned, bool) { any = true; });
    return any;
  }
  void place(unsigned number) {
    count += change(number);
    forReads(number,
             [&](unsigned made, bool carried) { --(carried ? left[made].next : left[made].here); });
  }
  int64_t now() const { return count; }

private:
  /// Readers that are not placed yet: of what is made in the turn, and of what the one before made.
  struct Left {
    int64_t here = 0, next = 0;
  };
  template <typename Action> void forReads(unsigned number, Action action) const {
    for (const BlockGraph::Wait &wait : graph.nodes()[number].before)
      for (const BlockGraph::Wait &reader : graph.nodes()[wait.node].readers)
        if (reader.node == number && reader.turns == wait.turns) {
          action(wait.node, wait.turns != 0);
          break;
        }
  }
  /// What is needed behind the nodes, or in the next turn, stays alive.
  bool endsInTurn(unsigned made) const {
    const BlockGraph::Node &node = graph.nodes()[made];
    return !node.livesOn && llvm::all_of(node.readers, [](const BlockGraph::Wait &reader) {
      return reader.turns == 0;
    });
  }

  const BlockGraph &graph;
  llvm::SmallVector<Left> left;
  int64_t count = 0;
};

} // namespace weft

#endif // WEFT_PASSES_PIPES_ALIVEVALUES_H
