//===- OrderProblem.cpp - what an order of a loop's body has to keep --------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/pipes/OrderProblem.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace weft {

static llvm::json::Array waitsOf(llvm::ArrayRef<BlockGraph::Wait> waits) {
  llvm::json::Array all;
  for (const BlockGraph::Wait &wait : waits)
    all.push_back(llvm::json::Array{wait.node, wait.cycles, wait.turns});
  return all;
}

static llvm::json::Array readersOf(const BlockGraph::Node &node) {
  llvm::json::Array all;
  for (const BlockGraph::Wait &reader : node.readers)
    all.push_back(llvm::json::Array{reader.node, reader.turns});
  return all;
}

std::string orderProblem(const BlockGraph &graph, const OrderFound &found) {
  llvm::json::Array nodes;
  for (const BlockGraph::Node &node : graph.nodes())
    nodes.push_back(llvm::json::Object{
        {"pipe", node.instructions.empty() ? -1 : node.pipe},
        {"busy", node.busy},
        {"divides", node.divides},
        {"joins_at", node.joinsAt},
        {"in_register", node.inRegister},
        {"before", waitsOf(node.before)},
        {"readers", readersOf(node)},
    });
  llvm::json::Object problem{
      {"name", found.name},
      {"place", found.place},
      {"cycles", found.cycles},
      {"bound", found.bound},
      {"registers", found.registers},
      {"entries", found.entries},
      {"most_turns", found.mostTurns},
      {"pointers", graph.pointers()},
      {"nodes", std::move(nodes)},
  };
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(std::move(problem));
  return text;
}

} // namespace weft
