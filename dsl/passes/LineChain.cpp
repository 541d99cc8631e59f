//===- LineChain.cpp - the stages of one transform, line by line -------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/LineChain.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace weft {

namespace {

/// Whether a value depends on `argument`, through index arithmetic.
bool dependsOn(Value value, Value argument) {
  if (value == argument)
    return true;
  Operation *op = value.getDefiningOp();
  return op && llvm::any_of(op->getOperands(),
                            [&](Value operand) { return dependsOn(operand, argument); });
}

bool onlyUsedBy(Value tensor, MapOp reader) {
  return llvm::all_of(tensor.getUsers(), [&](Operation *user) {
    return isa<tensor::ExtractOp>(user) && reader->isProperAncestor(user);
  });
}

/// Reads the marks of a map; nothing where its stores leave the lines.
std::optional<LineChain> singleStage(MapOp map) {
  auto lines = map->getAttrOfType<IntegerAttr>("weft.lines");
  if (!lines || map->getNumResults() != 1 || !map.getInits().empty())
    return std::nullopt;
  auto innerAttr = map->getAttrOfType<IntegerAttr>("weft.inner");
  auto type = cast<RankedTensorType>(map.getResult(0).getType());

  LineChain chain;
  Stage stage;
  stage.map = map;
  stage.innerResult = innerAttr ? innerAttr.getInt() : 1;
  chain.pre = lines.getInt();
  if (chain.pre + stage.innerResult > static_cast<unsigned>(type.getRank()))
    return std::nullopt;
  chain.post = type.getRank() - chain.pre - stage.innerResult;
  if (map.rank() < chain.pre + chain.post)
    return std::nullopt;
  stage.innerDomain = map.rank() - chain.pre - chain.post;

  for (unsigned line = 0; line < chain.lineDims(); ++line) {
    unsigned dim = line < chain.pre ? line : line + stage.innerDomain;
    unsigned result = line < chain.pre ? line : line + stage.innerResult;
    if (map.getLower()[dim] != 0 || map.getUpper()[dim] != type.getDimSize(result))
      return std::nullopt;
    for (unsigned n = 0; n < map.getStores().size(); ++n) {
      AffineMap store = map.storeMap(n);
      for (unsigned position = 0; position < store.getNumResults(); ++position) {
        bool isLine = position == result;
        AffineExpr expr = store.getResult(position);
        if (isLine ? expr != getAffineDimExpr(dim, map.getContext()) : expr.isFunctionOfDim(dim))
          return std::nullopt;
      }
    }
    chain.extents.push_back(map.getUpper()[dim]);
  }
  chain.stages.push_back(stage);
  return chain;
}

/// Whether `next` may stand behind `chain`: it alone reads the last result, on the
/// same lines.
bool continues(const LineChain &chain, const LineChain &next) {
  if (chain.pre != next.pre || chain.post != next.post || chain.extents != next.extents)
    return false;
  const Stage &stage = next.stages.front();
  Value before = chain.last().getResult(0);
  MapOp reader = stage.map;
  if (before.use_empty() || !onlyUsedBy(before, reader))
    return false;
  for (Operation *user : before.getUsers()) {
    auto lines = linesRead(next, stage, cast<tensor::ExtractOp>(user));
    if (!lines)
      return false;
    for (auto [position, line] : llvm::enumerate(*lines)) {
      unsigned inner = chain.stages.back().innerResult;
      int expected = position < chain.pre           ? static_cast<int>(position)
                     : position < chain.pre + inner ? -1
                                                    : static_cast<int>(position - inner);
      if (line != expected)
        return false;
    }
  }
  return true;
}

} // namespace

std::optional<SmallVector<int>> linesRead(const LineChain &chain, const Stage &stage,
                                          tensor::ExtractOp read) {
  SmallVector<int> lines;
  for (Value index : read.getIndices()) {
    int found = -1;
    for (unsigned line = 0; line < chain.lineDims(); ++line) {
      Value argument = chain.lineArgument(stage, line);
      if (index == argument)
        found = static_cast<int>(line);
      else if (dependsOn(index, argument))
        return std::nullopt;
    }
    lines.push_back(found);
  }
  return lines;
}

SmallVector<LineChain> findLineChains(Block &block) {
  llvm::MapVector<int64_t, SmallVector<MapOp>> groups;
  for (MapOp map : block.getOps<MapOp>())
    if (auto group = map->getAttrOfType<IntegerAttr>("weft.group"))
      groups[group.getInt()].push_back(map);
  SmallVector<LineChain> chains;
  for (auto &[group, maps] : groups) {
    bool open = false; // whether the last chain may go on
    for (MapOp map : maps) {
      std::optional<LineChain> single = singleStage(map);
      if (!single) {
        open = false;
        continue;
      }
      if (open && continues(chains.back(), *single))
        chains.back().stages.push_back(single->stages.front());
      else
        chains.push_back(std::move(*single));
      open = true;
    }
  }
  return chains;
}

} // namespace weft
