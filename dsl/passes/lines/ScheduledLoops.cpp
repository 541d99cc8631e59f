//===- ScheduledLoops.cpp - loops as a schedule asks for them -----------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/lines/ScheduledLoops.h"

#include "passes/Notes.h"
#include "passes/loops/Buffers.h"
#include "passes/lowering/ContractionLoops.h"
#include "passes/tensors/TransposedCopy.h"
#include "passes/transforms/RealArithmetic.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace weft {

namespace {

constexpr Notes notes("tile-for-ldm");

/// The numbers that divide an extent, for messages; of many those next to `wanted`.
std::string divisorsOf(int64_t extent, int64_t wanted) {
  constexpr size_t most = 12;
  llvm::SmallVector<int64_t> all;
  for (int64_t n = 1; n * n <= extent; ++n)
    if (extent % n == 0) {
      all.push_back(n);
      if (n * n != extent)
        all.push_back(extent / n);
    }
  auto away = [&](int64_t n) { return std::abs(n - wanted); };
  if (all.size() > most) {
    llvm::sort(all, [&](int64_t a, int64_t b) { return away(a) < away(b); });
    all.resize(most);
  }
  llvm::sort(all);
  return llvm::join(llvm::map_range(all, [](int64_t n) { return std::to_string(n); }), ", ");
}

/// The axes of a value that are lines of a chain, or of the copy behind it, as a schedule names
/// them.
std::string linesOf(const LineChain &chain, const std::optional<TransposedCopy> &put,
                    StringRef value) {
  SmallVector<std::string> names;
  for (unsigned line = 0; line < chain.lineDims(); ++line) {
    unsigned axis = chain.axisOf(line);
    if (put)
      axis = put->indexAt[axis];
    names.push_back(llvm::formatv("{0}.axis{1}", value, axis));
  }
  return names.empty() ? "no axis: it has a single line" : llvm::join(names, ", ");
}

/// The domain's dimension that alone is an index of what a map stores, and no other index.
std::optional<unsigned> dimensionOf(MapOp map, unsigned axis) {
  AffineMap store = map.storeMap(0);
  if (axis >= store.getNumResults())
    return std::nullopt;
  auto dim = dyn_cast<AffineDimExpr>(store.getResult(axis));
  if (!dim)
    return std::nullopt;
  return dim.getPosition();
}

} // namespace

ScheduledLoops::ScheduledLoops(func::FuncOp func, const VectorUnit &vectors)
    : func(func), vectors(vectors) {
  for (const Directive &one : directivesOf(func, {"tile", "distribute", "vectorize"}))
    for (StringRef operand : one.operands)
      if (std::optional<NamedAxis> place = axisNamed(func, operand))
        wishes.push_back({one, *place});
}

FailureOr<AskedBlocks> ScheduledLoops::ofChain(const LineChain &chain,
                                               const std::optional<TransposedCopy> &put) {
  AskedBlocks asked;
  MapOp last = put ? put->map : chain.last();
  auto rank = cast<RankedTensorType>(last.getResult(0).getType()).getRank();
  for (Wish &wish : wishes) {
    StringRef name = wish.place.value;
    bool isOfCopy = put && name == ownName(last.getLoc());
    bool isOfStages = llvm::any_of(chain.stages, [&](const Stage &stage) {
      return !stage.isEdge && name == ownName(MapOp(stage.map).getLoc());
    });
    if (!(isOfCopy || isOfStages) || wish.place.axis >= rank)
      continue;
    ofChains.insert(name);
    unsigned axis = isOfCopy ? put->sourceAxis(wish.place.axis) : wish.place.axis;
    std::optional<unsigned> line = chain.lineOf(axis);
    if (!line) {
      wish.obstacle =
          llvm::formatv("axis{0} is what the transform goes along: its points depend on "
                        "each other",
                        wish.place.axis);
      wish.expected = linesOf(chain, isOfCopy ? put : std::nullopt, name);
      wish.where = last.getLoc();
      continue;
    }
    ArrayRef<NamedAxis::Part> parts = wish.place.parts;
    auto impossible = [&](const Twine &why, const Twine &expected) {
      return refuse(last.getLoc(), wish.directive.text, why, expected);
    };
    if (parts.size() > 1 || (wish.directive.word == "tile" && !parts.empty()))
      return impossible("lines of a transform are tiled once",
                        llvm::formatv("one tile of {0}", name));
    bool isInner = !parts.empty() && parts.front().isInner;
    bool isOuter = !parts.empty() && !isInner;
    if (wish.directive.word == "distribute") {
      if (isInner)
        return impossible("the lines of a block are side by side in vectors",
                          parts.front().tile.names.front());
      if (asked.shared)
        return impossible(llvm::formatv("another loop of '{0}' is shared already", name),
                          "one of them");
      asked.shared = line;
      asked.distribute = wish.directive.text;
    } else {
      if (wish.directive.word == "vectorize" && isOuter)
        return impossible("blocks come one after the other", parts.front().tile.names.back());
      if (asked.lane && *asked.lane != *line)
        return impossible("the lines of a block go along another axis already", "the same axis");
      asked.lane = line;
      if (wish.directive.word == "vectorize") {
        if (failed(checkLanes(wish, last)))
          return failure();
        asked.vectorize = wish.directive.text;
      } else {
        asked.width = wish.directive.number();
        asked.tile = wish.directive.text;
        asked.outerName = wish.directive.names.front();
        asked.innerName = wish.directive.names.back();
        if (*asked.width > chain.extents[*line])
          return impossible(llvm::formatv("there are {0} lines along it", chain.extents[*line]),
                            llvm::formatv("1 to {0}", chain.extents[*line]));
      }
    }
    wish.isDone = true;
  }
  return asked;
}

LogicalResult ScheduledLoops::checkLanes(const Wish &wish, MapOp map) const {
  Type element = realType(cast<RankedTensorType>(map->getResult(0).getType()).getElementType());
  int64_t lanes = std::max<int64_t>(vectors.lanes(element.getIntOrFloatBitWidth()), 1);
  int64_t asked = wish.directive.number();
  if (asked == 0 || asked == lanes)
    return success();
  std::string type;
  llvm::raw_string_ostream(type) << element;
  return refuse(map.getLoc(), wish.directive.text,
                llvm::formatv("vectors have {0} numbers of {1} here", lanes, type),
                llvm::Twine(lanes));
}

/// A map with two dimensions in place of one: blocks of so many indices, and, innermost, the
/// indices of one.
MapOp ScheduledLoops::tile(MapOp map, unsigned dim, int64_t times, const Directive &directive) {
  OpBuilder builder(map);
  MLIRContext *context = map.getContext();
  unsigned inner = map.rank();
  SmallVector<int64_t> lower(map.getLower()), upper(map.getUpper());
  int64_t from = lower[dim];
  lower[dim] = 0;
  upper[dim] = (upper[dim] - from) / times;
  lower.push_back(0);
  upper.push_back(times);
  SmallVector<AffineExpr> renumber;
  for (unsigned n = 0; n < inner; ++n)
    renumber.push_back(getAffineDimExpr(n, context));
  renumber[dim] = renumber[dim] * times + getAffineDimExpr(inner, context) + from;
  SmallVector<AffineMap> stores;
  for (unsigned n = 0; n < map.getStores().size(); ++n)
    stores.push_back(map.storeMap(n).replaceDimsAndSymbols(renumber, {}, inner + 1, 0));
  auto tiled =
      MapOp::create(builder, map.getLoc(), map.getResultTypes(), lower, upper, map.getInits(),
                    builder.getAffineMapArrayAttr(stores), map.getIntoAttr());
  tiled->setDiscardableAttrs(map->getDiscardableAttrDictionary());
  tiled.getBody().takeBody(map.getBody());
  Block *body = tiled.bodyBlock();
  BlockArgument outer = body->getArgument(dim);
  Location where = outer.getLoc();
  BlockArgument own =
      body->addArgument(builder.getIndexType(), named(where, directive.names.back()));
  outer.setLoc(named(where, directive.names.front()));
  builder.setInsertionPointToStart(body);
  AffineExpr index = getAffineDimExpr(0, context) * times + getAffineDimExpr(1, context) + from;
  auto old = affine::AffineApplyOp::create(builder, where, AffineMap::get(2, 0, index),
                                           ValueRange{outer, own});
  outer.replaceAllUsesExcept(old, old);
  notes.decided(tiled, "{0}: blocks of {1} along a loop", spoken(map.getResult(0)), times)
      .because("the schedule asks for it")
      .number("times", times);
  map.replaceAllUsesWith(tiled.getResults());
  map.erase();
  return tiled;
}

LogicalResult ScheduledLoops::serveMap(MapOp map) {
  StringRef name = ownName(map.getLoc());
  llvm::StringMap<unsigned> loops; // dimensions by the names that tiles give them
  std::optional<unsigned> lane, shared;
  for (Wish &wish : wishes) {
    if (wish.place.value != name || ofChains.contains(name) || map->getNumResults() != 1)
      continue;
    const Directive &directive = wish.directive;
    wish.where = map.getLoc();
    if (groupingOf(map)) {
      wish.obstacle = "it is a product, whose blocks and panels go together";
      wish.expected = "an axis of what is computed element by element";
      continue;
    }
    std::optional<unsigned> dim = dimensionOf(map, wish.place.axis);
    if (!wish.place.parts.empty()) {
      const NamedAxis::Part &part = wish.place.parts.back();
      auto known = loops.find(part.isInner ? part.tile.names.back() : part.tile.names.front());
      dim = known == loops.end() ? std::optional<unsigned>() : known->second;
    }
    if (!dim) {
      if (wish.obstacle.empty()) {
        wish.obstacle =
            llvm::formatv("no loop goes along axis{0} of '{1}' alone", wish.place.axis, name);
        wish.expected = "an axis that one index of a loop runs over";
      }
      continue;
    }
    int64_t extent = map.getUpper()[*dim] - map.getLower()[*dim];
    if (directive.word == "tile") {
      int64_t times = directive.number();
      if (extent % times != 0) {
        wish.obstacle = llvm::formatv("{0} is no multiple of {1}", extent, times);
        wish.expected = divisorsOf(extent, times);
        continue;
      }
      map = tile(map, *dim, times, directive);
      loops[directive.names.front()] = *dim;
      loops[directive.names.back()] = map.rank() - 1;
    } else if (directive.word == "distribute") {
      if (shared)
        return refuse(map.getLoc(), directive.text, "another loop of it is shared already",
                      "one of them");
      shared = dim;
      markDistributed(map, *dim, directive.text);
    } else {
      if (lane)
        return refuse(map.getLoc(), directive.text, "the lanes go along another loop of it already",
                      "one of them");
      lane = dim;
      if (failed(checkLanes(wish, map)))
        return failure();
      OpBuilder builder(map);
      map->setAttr(laneIndexMark, builder.getI64IntegerAttr(*dim));
      map->setAttr(vectorizeMark, builder.getStringAttr(directive.text));
    }
    wish.isDone = true;
  }
  return success();
}

LogicalResult ScheduledLoops::doRest() {
  if (wishes.empty())
    return success();
  SmallVector<MapOp> maps;
  func.walk([&](MapOp map) {
    if (map->getParentOp() == func || isa<scf::ForOp>(map->getParentOp()))
      maps.push_back(map);
  });
  for (MapOp map : maps)
    if (failed(serveMap(map)))
      return failure();
  for (const Wish &wish : wishes)
    if (!wish.isDone) {
      if (!wish.obstacle.empty())
        return refuse(*wish.where, wish.directive.text, wish.obstacle, wish.expected);
      bool isByLines = func.walk([&](BlocksOp blocks) {
                             bool isIt = ownName(blocks.getLoc()) == wish.place.value;
                             return isIt ? WalkResult::interrupt() : WalkResult::advance();
                           })
                           .wasInterrupted();
      const char *why = isByLines
                            ? "the lines of '{0}' go in blocks of the compiler's own, as those "
                              "of real transforms and of lines that are turned behind one do"
                            : "'{0}' has no loops of its own: it is an input, or computed "
                              "within another loop, or by a kernel that is called";
      return refuse(func.getLoc(), wish.directive.text, llvm::formatv(why, wish.place.value).str(),
                    anyAxisIn(func, wish.place.value));
    }
  return success();
}

} // namespace weft
