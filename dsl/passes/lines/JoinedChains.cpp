//===- JoinedChains.cpp - transforms behind each other, line by line --------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/lines/JoinedChains.h"

#include "passes/Directives.h"
#include "passes/lines/LineRoom.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace weft {

/// Bytes of lines that vectors lie along, at least: what is read sooner waits for stores. Filters
/// of lines of 60 and 100 points of c128 took 1.23 and 1.05 times as long, of 512 points 0.9 times.
constexpr int64_t shortestLine = 2048;

/// Whether a block of lines of `next` may begin with those of `chain`.
static bool mayFollow(const LineChain &chain, const LineChain &next) {
  // Stages that stand alone are turned in registers, or good loops as they are.
  if (chain.pre != next.pre || chain.post != next.post || chain.extents != next.extents ||
      chain.lineDims() == 0 || chain.transformStages() < 2 || next.transformStages() < 2 ||
      next.stages.front().goesOn)
    return false;
  MapOp last = chain.last();
  if (last->getBlock() != next.last()->getBlock() || last->use_empty())
    return false;
  return llvm::all_of(last->getUsers(), [&](Operation *user) {
    auto read = dyn_cast<tensor::ExtractOp>(user);
    const auto *reader = llvm::find_if(next.stages, [&](const Stage &stage) {
      return read && MapOp(stage.map)->isProperAncestor(user);
    });
    return reader != next.stages.end() &&
           readsOwnLines(next, *reader, read, chain.stages.back().innerResult);
  });
}

static LineChain joined(const LineChain &chain, const LineChain &next) {
  LineChain both = next;
  both.stages = chain.stages;
  llvm::append_range(both.stages, next.stages);
  both.parts.clear();
  for (const LineChain &part : {chain, next}) {
    if (part.parts.empty())
      both.parts.push_back(part);
    llvm::append_range(both.parts, part.parts);
  }
  return both;
}

void joinChains(SmallVectorImpl<LineChain> &chains, const VectorUnit &vectors, const Target &target,
                bool isAsked) {
  for (size_t n = 0; n < chains.size();) {
    const LineChain &chain = chains[n];
    auto *next = llvm::find_if(chains, [&](const LineChain &other) {
      // Not itself: none of its own stages reads what it gives.
      bool isOfOther = ownName(chain.last().getLoc()) != ownName(other.last().getLoc());
      if (!mayFollow(chain, other) || (isAsked && isOfOther))
        return false;
      bool goesAlong = suitsAlongLines(chain, vectors, target);
      return goesAlong == suitsAlongLines(other, vectors, target) &&
             !(goesAlong && bytesPerLine(chain, chain.stages.back()) < shortestLine);
    });
    if (next == chains.end()) {
      ++n;
      continue;
    }
    *next = joined(chain, *next);
    chains.erase(chains.begin() + n);
    n = 0;
  }
}

} // namespace weft
