//===- NeighbouringAxes.cpp - axes that move together are one -----------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/convolutions/NeighbouringAxes.h"

#include "passes/convolutions/Convolutions.h"
#include "passes/tensors/TensorLayouts.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace weft {

namespace {

class Neighbours {
public:
  explicit Neighbours(MapOp map) : map(map), body(*map.bodyBlock()) {}

  bool find();
  void join(const Notes &notes);

private:
  bool isPlain();
  bool findReads();
  bool areOne(unsigned dim) const;
  /// Of a read, where an index of the map stands; none where it does not.
  static std::optional<unsigned> placeOf(tensor::ExtractOp read, Value index);
  /// Extents of a shape in which the map's indices that are one stand at `first` and behind.
  SmallVector<int64_t> joined(tensor::ExtractOp read, SmallVectorImpl<Value> &indices) const;

  MapOp map;
  Block &body;
  SmallVector<tensor::ExtractOp> reads;
  /// By index of the map, whether it is one with the index before.
  SmallVector<bool> isInner;
};

/// Whether it stands beside a map of a transform's lines.
bool isBesideLines(MapOp map, ArrayRef<tensor::ExtractOp> reads) {
  auto hasLines = [](Operation *op) {
    auto beside = op ? dyn_cast<MapOp>(op) : MapOp();
    return beside && beside->hasAttr("weft.lines");
  };
  return llvm::any_of(
             reads,
             [&](tensor::ExtractOp read) { return hasLines(read.getTensor().getDefiningOp()); }) ||
         llvm::any_of(map->getUsers(), [&](Operation *user) {
           return hasLines(user) || hasLines(user->getParentOp());
         });
}

bool Neighbours::isPlain() {
  auto whole = [&](Value result) {
    return cast<RankedTensorType>(result.getType()).getShape() == map.getUpper();
  };
  auto isKnown = [](NamedAttribute mark) { return mark.getName() == sortedMark; };
  return map.getInits().empty() && llvm::all_of(map->getDiscardableAttrs(), isKnown) &&
         map->getNumResults() == map.getStores().size() &&
         llvm::all_of(map.getLower(), [](int64_t lower) { return lower == 0; }) &&
         llvm::all_of(
             llvm::seq<unsigned>(0, map.getStores().size()),
             [&](unsigned n) { return map.target(n) == n && map.storeMap(n).isIdentity(); }) &&
         llvm::all_of(map->getResults(), whole) &&
         !map->getParentOfType<func::FuncOp>()->hasAttr("weft.schedule");
}

std::optional<unsigned> Neighbours::placeOf(tensor::ExtractOp read, Value index) {
  for (auto [place, at] : llvm::enumerate(read.getIndices()))
    if (at == index)
      return place;
  return std::nullopt;
}

/// All that its indices are used for; one of them with its axes in another order.
bool Neighbours::findReads() {
  bool isTurned = false;
  for (Operation &op : body.without_terminator()) {
    if (op.getNumRegions() != 0)
      return false;
    auto read = dyn_cast<tensor::ExtractOp>(op);
    if (!read) {
      if (llvm::any_of(op.getOperandTypes(), [](Type type) { return type.isIndex(); }))
        return false;
      continue;
    }
    std::optional<unsigned> last;
    SmallVector<bool> seen(map.rank(), false);
    for (Value index : read.getIndices()) {
      auto argument = dyn_cast<BlockArgument>(index);
      if (!argument || argument.getOwner() != &body) {
        if (Operation *made = index.getDefiningOp(); made && made->getBlock() == &body)
          return false;
        continue;
      }
      unsigned number = argument.getArgNumber();
      if (seen[number])
        return false;
      seen[number] = true;
      isTurned |= last && number < *last;
      last = number;
    }
    reads.push_back(read);
  }
  return isTurned;
}

/// Whether an index and the next one stand side by side wherever they do, over whole extents.
bool Neighbours::areOne(unsigned dim) const {
  Value outer = body.getArgument(dim), inner = body.getArgument(dim + 1);
  ArrayRef<int64_t> extents = MapOp(map).getUpper();
  return llvm::all_of(reads, [&](tensor::ExtractOp read) {
    auto first = placeOf(read, outer), second = placeOf(read, inner);
    if (!first && !second)
      return true;
    ArrayRef<int64_t> shape = read.getTensor().getType().getShape();
    return first && second && *first + 1 == *second && shape[*second] == extents[dim + 1] &&
           shape[*first] == extents[dim];
  });
}

bool Neighbours::find() {
  if (!isPlain() || !findReads() || isBesideLines(map, reads))
    return false;
  isInner.assign(map.rank(), false);
  for (unsigned dim = 0; dim + 1 < map.rank(); ++dim)
    isInner[dim + 1] = areOne(dim);
  return llvm::is_contained(isInner, true);
}

SmallVector<int64_t> Neighbours::joined(tensor::ExtractOp read,
                                        SmallVectorImpl<Value> &indices) const {
  SmallVector<int64_t> shape;
  for (auto [index, extent] : llvm::zip(read.getIndices(), read.getTensor().getType().getShape())) {
    auto argument = dyn_cast<BlockArgument>(index);
    if (argument && argument.getOwner() == &body && isInner[argument.getArgNumber()]) {
      shape.back() *= extent;
      continue;
    }
    shape.push_back(extent);
    indices.push_back(index);
  }
  return shape;
}

void Neighbours::join(const Notes &notes) {
  OpBuilder builder(map);
  Location loc = map.getLoc();
  SmallVector<int64_t> extents;
  for (auto [extent, inner] : llvm::zip(map.getUpper(), isInner)) {
    if (inner)
      extents.back() *= extent;
    else
      extents.push_back(extent);
  }
  SmallVector<Type> types;
  for (Type type : map->getResultTypes())
    types.push_back(RankedTensorType::get(extents, cast<RankedTensorType>(type).getElementType()));
  auto identity = AffineMap::getMultiDimIdentityMap(extents.size(), map.getContext());
  auto flat = MapOp::create(
      builder, loc, types, SmallVector<int64_t>(extents.size(), 0), extents, ValueRange{},
      builder.getAffineMapArrayAttr(SmallVector<AffineMap>(types.size(), identity)),
      map.getIntoAttr());
  flat->setDiscardableAttrs(map->getDiscardableAttrDictionary());
  Block *block = &flat.getBody().emplaceBlock();
  IRMapping mapping;
  for (auto [argument, inner] : llvm::zip(body.getArguments(), isInner))
    if (!inner)
      mapping.map(argument, block->addArgument(builder.getIndexType(), argument.getLoc()));
  OpBuilder within = OpBuilder::atBlockBegin(block);
  for (Operation &op : body) {
    auto read = dyn_cast<tensor::ExtractOp>(op);
    if (!read) {
      within.clone(op, mapping);
      continue;
    }
    SmallVector<Value> indices;
    SmallVector<int64_t> shape = joined(read, indices);
    for (Value &index : indices)
      index = mapping.lookupOrDefault(index);
    builder.setInsertionPoint(flat);
    Value source = reshaped(builder, read.getLoc(), read.getTensor(), shape);
    mapping.map(read.getResult(),
                tensor::ExtractOp::create(within, read.getLoc(), source, indices).getResult());
  }
  notes.decided(map, "{0}: {1} axes as {2}", spoken(map->getResult(0)), map.rank(), extents.size())
      .because("the others are neighbours in all that it reads and in what it makes: longer runs");
  builder.setInsertionPointAfter(flat);
  for (auto [result, joined] : llvm::zip(map->getResults(), flat->getResults()))
    result.replaceAllUsesWith(
        reshaped(builder, loc, joined, cast<RankedTensorType>(result.getType()).getShape()));
  map.erase();
}

} // namespace

bool joinNeighbours(MapOp map, const Notes &notes) {
  Neighbours neighbours(map);
  if (!neighbours.find())
    return false;
  neighbours.join(notes);
  return true;
}

} // namespace weft
