//===- LineChain.cpp - the stages of one transform, line by line -------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/tensors/LineChain.h"

#include "passes/tensors/LoopOrder.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace weft {

namespace {

bool onlyUsedBy(Value tensor, MapOp reader) {
  return llvm::all_of(tensor.getUsers(), [&](Operation *user) {
    return isa<tensor::ExtractOp>(user) && reader->isProperAncestor(user);
  });
}

/// The stage that a map is on lines of these dimensions, and how many lines there are; nothing
/// where its stores leave them.
std::optional<Stage> stageOn(MapOp map, const LineChain &chain, unsigned innerResult,
                             SmallVector<int64_t> &extents) {
  auto type = cast<RankedTensorType>(map.getResult(0).getType());
  if (chain.lineDims() + innerResult != static_cast<unsigned>(type.getRank()) ||
      map.rank() < chain.lineDims())
    return std::nullopt;
  Stage stage;
  stage.map = map;
  stage.innerResult = innerResult;
  stage.innerDomain = map.rank() - chain.lineDims();
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
    extents.push_back(map.getUpper()[dim]);
  }
  return stage;
}

/// Whether a map fills what another one has left, rather than an empty tensor.
bool goesOnWithOther(MapOp map) {
  return llvm::any_of(map.getInits(),
                      [](Value init) { return !init.getDefiningOp<tensor::EmptyOp>(); });
}

/// Reads the marks of a map.
std::optional<LineChain> singleStage(MapOp map) {
  auto lines = map->getAttrOfType<IntegerAttr>("weft.lines");
  if (!lines || map->getNumResults() != 1)
    return std::nullopt;
  auto innerAttr = map->getAttrOfType<IntegerAttr>("weft.inner");
  unsigned innerResult = innerAttr ? innerAttr.getInt() : 1;
  auto type = cast<RankedTensorType>(map.getResult(0).getType());
  LineChain chain;
  chain.pre = lines.getInt();
  if (chain.pre + innerResult > static_cast<unsigned>(type.getRank()))
    return std::nullopt;
  chain.post = type.getRank() - chain.pre - innerResult;
  std::optional<Stage> stage = stageOn(map, chain, innerResult, chain.extents);
  if (!stage)
    return std::nullopt;
  stage->goesOn = goesOnWithOther(map);
  chain.stages.push_back(*stage);
  return chain;
}

/// Whether `next` may stand behind `chain`: on the same lines, it reads the last result, or goes
/// on with it, and whatever else it reads of the chain at its own lines.
bool continues(const LineChain &chain, const LineChain &next) {
  if (chain.pre != next.pre || chain.post != next.post || chain.extents != next.extents)
    return false;
  const Stage &stage = next.stages.front();
  MapOp reader = stage.map;
  Value before = chain.last().getResult(0);
  bool readsLast = false;
  auto reads = reader.getBody().walk([&](tensor::ExtractOp read) {
    auto *of = llvm::find_if(chain.stages, [&](const Stage &earlier) {
      MapOp map = earlier.map;
      return map.getResult(0) == read.getTensor();
    });
    if (of == chain.stages.end())
      return WalkResult::advance();
    readsLast |= read.getTensor() == before;
    return readsOwnLines(next, stage, read, of->innerResult) ? WalkResult::advance()
                                                             : WalkResult::interrupt();
  });
  if (stage.goesOn)
    readsLast = reader.getInits().front() == before;
  return !reads.wasInterrupted() && readsLast;
}

/// Cuts chains behind stages whose results are read elsewhere as well: only what the whole chain
/// gives is there behind it.
SmallVector<LineChain> closed(SmallVector<LineChain> open) {
  SmallVector<LineChain> chains;
  while (!open.empty()) {
    LineChain chain = open.pop_back_val();
    llvm::SmallPtrSet<Operation *, 8> maps;
    for (const Stage &stage : chain.stages)
      maps.insert(stage.map);
    auto isOfChain = [&](Operation *user) {
      while (user && !maps.contains(user))
        user = user->getParentOp();
      return user != nullptr;
    };
    auto *last = std::prev(chain.stages.end());
    auto *cut = std::find_if(chain.stages.begin(), last, [&](const Stage &stage) {
      MapOp map = stage.map;
      return !llvm::all_of(map->getUsers(), isOfChain);
    });
    if (cut != last) {
      LineChain rest = chain;
      rest.stages.assign(std::next(cut), chain.stages.end());
      chain.stages.truncate(std::distance(chain.stages.begin(), cut) + 1);
      open.push_back(std::move(rest));
      open.push_back(std::move(chain));
    } else if (!chain.stages.front().goesOn) {
      chains.push_back(std::move(chain));
    }
  }
  return chains;
}

//===-- Edges ---------------------------------------------------------------===//

/// The maps that give a tensor together, each going on with what the one before it left; none
/// where some other op has a part in it.
SmallVector<MapOp> mapsThatGive(Value tensor) {
  SmallVector<MapOp> maps;
  for (Value value = tensor;;) {
    auto map = value.getDefiningOp<MapOp>();
    bool isPlain =
        map && map->getNumResults() == 1 && map->getDiscardableAttrs().empty() &&
        map->getBlock() == tensor.getParentBlock() &&
        llvm::all_of(*map.bodyBlock(), [](Operation &op) { return op.getNumRegions() == 0; });
    if (!isPlain)
      return {};
    maps.push_back(map);
    if (map.getInits().empty())
      break;
    value = map.getInits().front();
    if (!value.hasOneUse())
      return {};
    if (value.getDefiningOp<tensor::EmptyOp>())
      break;
  }
  std::reverse(maps.begin(), maps.end());
  return maps;
}

/// They as edges of a chain, along whose lines there is one dimension.
std::optional<SmallVector<Stage>> edgesOf(const LineChain &chain, ArrayRef<MapOp> maps) {
  SmallVector<Stage> edges;
  for (MapOp map : maps) {
    SmallVector<int64_t> extents;
    std::optional<Stage> stage = stageOn(map, chain, 1, extents);
    if (!stage || stage->innerDomain != 1 || extents != chain.extents)
      return std::nullopt;
    stage->isEdge = true;
    stage->goesOn = !edges.empty();
    edges.push_back(*stage);
  }
  return edges.empty() ? std::nullopt : std::optional(edges);
}

/// What makes the lines of the first stage, for it alone: the halves of a real transform that
/// are put together.
void addEdgesBefore(LineChain &chain) {
  const Stage &first = chain.stages.front();
  MapOp reader = first.map;
  llvm::SmallSetVector<Value, 2> inputs;
  reader.getBody().walk([&](tensor::ExtractOp read) {
    if (read.getTensor().getDefiningOp<MapOp>())
      inputs.insert(read.getTensor());
  });
  if (inputs.size() != 1)
    return;
  Value input = inputs.front();
  if (input.getParentBlock() != reader->getBlock() || !onlyUsedBy(input, reader))
    return;
  std::optional<SmallVector<Stage>> edges = edgesOf(chain, mapsThatGive(input));
  if (!edges || !llvm::all_of(input.getUsers(), [&](Operation *user) {
        return readsOwnLines(chain, first, cast<tensor::ExtractOp>(user), 1);
      }))
    return;
  chain.stages.insert(chain.stages.begin(), edges->begin(), edges->end());
}

/// What alone reads the lines of the last stage, but for maps that a chain has already.
void addEdgesBehind(LineChain &chain, llvm::SmallPtrSetImpl<Operation *> &taken) {
  Value before = chain.last().getResult(0);
  if (chain.stages.back().innerResult != 1 || before.use_empty())
    return;
  auto next = dyn_cast<MapOp>((*before.user_begin())->getParentOp());
  while (next && next->getNumResults() == 1 && next->hasOneUse()) {
    auto user = dyn_cast<MapOp>(*next->user_begin());
    if (!user || !llvm::is_contained(user.getInits(), next.getResult(0)))
      break;
    next = user;
  }
  if (!next || next->getNumResults() != 1 || next->getBlock() != chain.last()->getBlock())
    return;
  std::optional<SmallVector<Stage>> edges = edgesOf(chain, mapsThatGive(next.getResult(0)));
  if (!edges || llvm::any_of(*edges, [&](Stage &edge) { return taken.contains(edge.map); }))
    return;
  for (Operation *user : before.getUsers()) {
    const Stage *reader =
        llvm::find_if(*edges, [&](Stage &edge) { return edge.map->isProperAncestor(user); });
    auto read = dyn_cast<tensor::ExtractOp>(user);
    if (reader == edges->end() || !read || !readsOwnLines(chain, *reader, read, 1))
      return;
  }
  // A map that reads two chains stands behind both: the later one has it.
  for (Stage &edge : *edges) {
    WalkResult read = edge.map->walk([&](tensor::ExtractOp extract) {
      Operation *made = extract.getTensor().getDefiningOp();
      bool isLater = made && taken.contains(made) && chain.last()->isBeforeInBlock(made);
      return isLater ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (read.wasInterrupted())
      return;
  }
  for (Stage &edge : *edges)
    taken.insert(edge.map);
  llvm::append_range(chain.stages, *edges);
}

} // namespace

bool readsOwnLines(const LineChain &chain, const Stage &reader, tensor::ExtractOp read,
                   unsigned inner) {
  auto lines = linesRead(chain, reader, read);
  if (!lines)
    return false;
  for (auto [position, line] : llvm::enumerate(*lines)) {
    int expected = position < chain.pre           ? static_cast<int>(position)
                   : position < chain.pre + inner ? -1
                                                  : static_cast<int>(position - inner);
    if (line != expected)
      return false;
  }
  return true;
}

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
  SmallVector<LineChain> found;
  for (auto &[group, maps] : groups) {
    bool open = false; // whether the last chain may go on
    for (MapOp map : maps) {
      std::optional<LineChain> single = singleStage(map);
      if (!single) {
        open = false;
        continue;
      }
      if (open && continues(found.back(), *single))
        found.back().stages.push_back(single->stages.front());
      else
        found.push_back(std::move(*single));
      open = true;
    }
  }
  std::reverse(found.begin(), found.end());
  SmallVector<LineChain> chains = closed(std::move(found));
  // What lies between two transforms belongs to the second one.
  for (LineChain &chain : chains)
    addEdgesBefore(chain);
  llvm::SmallPtrSet<Operation *, 8> taken;
  for (LineChain &chain : chains)
    for (const Stage &stage : chain.stages)
      taken.insert(stage.map);
  for (LineChain &chain : chains)
    addEdgesBehind(chain, taken);
  return chains;
}

} // namespace weft
