//===- LineInputs.cpp - what shared lines are made of -----------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/lines/LineInputs.h"

#include "passes/loops/Buffers.h"
#include "passes/tensors/LoopOrder.h"
#include "passes/transfers/LdmPlan.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace weft {

Inputs inputsOf(const LineChain &chain, const LineSplit &split) {
  constexpr int64_t little = 4096; // each core has all of it
  llvm::SmallSetVector<Value, 4> arrays, tables;
  auto add = [&](tensor::ExtractOp read, bool ofLines) {
    (ofLines ? arrays : tables).insert(read.getTensor());
  };
  for (const Stage &stage : chain.stages) {
    MapOp map = stage.map;
    map.getBody().walk([&](tensor::ExtractOp read) {
      std::optional<SmallVector<int>> lines = linesRead(chain, stage, read);
      add(read, !lines || llvm::is_contained(*lines, static_cast<int>(split.line)));
    });
  }
  for (const Stage &stage : chain.stages) {
    MapOp map = stage.map;
    arrays.remove(map.getResult(0));
  }
  if (MapOp maker = split.maker) {
    arrays.remove(maker.getResult(0));
    // What has neither many points nor both comes when it is read.
    Value point = maker.bodyBlock()->getArgument(chain.pre);
    Value line = maker.bodyBlock()->getArguments().back();
    for (auto read : maker.bodyBlock()->getOps<tensor::ExtractOp>()) {
      auto reads = [&](Value variable) {
        return llvm::any_of(read.getIndices(),
                            [&](Value index) { return dependsOn(index, variable); });
      };
      if (reads(point))
        add(read, reads(line));
    }
  }
  Inputs inputs{static_cast<int64_t>(arrays.size()), 0};
  for (Value table : tables) {
    int64_t bytes = bytesOf(cast<RankedTensorType>(table.getType()));
    inputs.tableBytes +=
        llvm::alignTo(bytes > little ? bytes / split.sharing() : bytes, ldmAlignment);
  }
  return inputs;
}

namespace {

/// Whether the first stage reads each point of its own columns of a tensor once.
bool readsColumnsOnce(const LineChain &chain, Value input) {
  const Stage &first = chain.stages.front();
  MapOp reader = first.map;
  llvm::SmallDenseSet<Value> points;
  for (Operation *user : input.getUsers()) {
    if (!reader->isProperAncestor(user))
      continue;
    auto read = cast<tensor::ExtractOp>(user);
    std::optional<SmallVector<int>> lines = linesRead(chain, first, read);
    if (!lines || read->getBlock() != reader.bodyBlock())
      return false;
    for (auto [number, line] : llvm::enumerate(*lines)) {
      bool isPoint = number == chain.pre;
      if (line != (isPoint ? -1 : static_cast<int>(number) - (number > chain.pre ? 1 : 0)))
        return false;
    }
    points.insert(read.getIndices()[chain.pre]);
  }
  return points.size() == reader.getStores().size();
}

} // namespace

MapOp makerOf(const LineChain &chain) {
  MapOp reader = chain.stages.front().map, last = chain.last();
  for (auto read : reader.bodyBlock()->getOps<tensor::ExtractOp>()) {
    Value input = read.getTensor();
    auto maker = input.getDefiningOp<MapOp>();
    if (!maker || maker->getBlock() != reader->getBlock() || maker->getNumResults() != 1 ||
        !maker.getInits().empty() || !maker->getDiscardableAttrs().empty() ||
        maker.getStores().size() != 1 || !maker.storeMap(0).isIdentity() ||
        input.getType() != last.getResult(0).getType() ||
        llvm::any_of(*maker.bodyBlock(), [](Operation &op) { return op.getNumRegions() != 0; }))
      continue;
    bool others = llvm::all_of(input.getUsers(), [&](Operation *user) {
      Operation *here = reader->getBlock()->findAncestorOpInBlock(*user);
      return here && (here == reader || last->isBeforeInBlock(here));
    });
    if (others && readsColumnsOnce(chain, input))
      return maker;
  }
  return {};
}

} // namespace weft
