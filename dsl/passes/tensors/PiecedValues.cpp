//===- PiecedValues.cpp - tensors that several stores make -------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/tensors/PiecedValues.h"

#include "passes/tensors/Elementwise.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace weft {

namespace {

/// A sum of the indices of a map times numbers, and a number, which stands last.
using Linear = SmallVector<int64_t>;
/// The least value of something, and the largest.
using Range = std::pair<int64_t, int64_t>;

std::optional<Linear> linear(AffineExpr expr, unsigned dims) {
  Linear flat;
  if (failed(getFlattenedAffineExpr(expr, dims, 0, &flat)) || flat.size() != dims + 1)
    return std::nullopt;
  return flat;
}

AffineExpr exprOf(const Linear &value, MLIRContext *context) {
  AffineExpr expr = getAffineConstantExpr(value.back(), context);
  for (auto [dim, factor] : llvm::enumerate(ArrayRef(value).drop_back()))
    expr = getAffineDimExpr(dim, context) * factor + expr;
  return expr;
}

/// On all points of `map`.
Range rangeOf(const Linear &value, MapOp map) {
  Range range(value.back(), value.back());
  for (auto [factor, low, high] :
       llvm::zip(ArrayRef(value).drop_back(), map.getLower(), map.getUpper())) {
    range.first += std::min(factor * low, factor * (high - 1));
    range.second += std::max(factor * low, factor * (high - 1));
  }
  return range;
}

/// Where a store or a read of `map` goes, an index of the tensor each; nothing for what is no sum
/// of the map's own indices. Those that have one value are that.
std::optional<SmallVector<Linear>> placeOf(AffineMap indices, MapOp map) {
  SmallVector<Linear> place;
  for (AffineExpr expr : indices.getResults()) {
    std::optional<Linear> index = linear(expr, map.rank());
    if (!index)
      return std::nullopt;
    for (auto [dim, low, high] : llvm::enumerate(map.getLower(), map.getUpper()))
      if (high - low == 1)
        index->back() += std::exchange((*index)[dim], 0) * low;
    place.push_back(*index);
  }
  return place;
}

std::optional<SmallVector<Linear>> placeOf(tensor::ExtractOp read, MapOp reader) {
  SmallVector<Value> values(read.getIndices());
  auto indices = AffineMap::getMultiDimIdentityMap(values.size(), read.getContext());
  affine::fullyComposeAffineMapAndOperands(&indices, &values);
  affine::canonicalizeMapAndOperands(&indices, &values);
  SmallVector<AffineExpr> dims;
  for (Value value : values) {
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument || argument.getOwner() != reader.bodyBlock() || indices.getNumSymbols())
      return std::nullopt;
    dims.push_back(getAffineDimExpr(argument.getArgNumber(), read.getContext()));
  }
  return placeOf(indices.replaceDimsAndSymbols(dims, {}, reader.rank(), 0), reader);
}

bool mayMeet(ArrayRef<Linear> one, MapOp oneOn, ArrayRef<Linear> other, MapOp otherOn) {
  return llvm::all_of(llvm::zip(one, other), [&](auto pair) {
    Range left = rangeOf(std::get<0>(pair), oneOn), right = rangeOf(std::get<1>(pair), otherOn);
    return left.first <= right.second && right.first <= left.second;
  });
}

/// The point of `piece` whose store `store` goes to `place`, in the indices of `reader`; nothing
/// where some of it is not known, or may lie outside of the piece.
std::optional<SmallVector<AffineExpr>> pointOf(MapOp piece, ArrayRef<Linear> store,
                                               ArrayRef<Linear> place, MapOp reader) {
  SmallVector<std::optional<Linear>> point(piece.rank());
  for (auto [low, high, value] : llvm::zip(piece.getLower(), piece.getUpper(), point))
    if (high - low == 1) {
      value = Linear(reader.rank() + 1, 0);
      value->back() = low;
    }
  for (auto [stored, read] : llvm::zip(store, place)) {
    Linear rest = read;
    std::optional<unsigned> unknown;
    rest.back() -= stored.back();
    for (auto [dim, factor] : llvm::enumerate(ArrayRef(stored).drop_back())) {
      if (factor != 0 && std::exchange(unknown, dim))
        return std::nullopt;
    }
    if (!unknown) {
      if (llvm::any_of(rest, [](int64_t part) { return part != 0; }))
        return std::nullopt;
      continue;
    }
    int64_t factor = stored[*unknown];
    if (llvm::any_of(rest, [&](int64_t part) { return part % factor != 0; }))
      return std::nullopt;
    for (int64_t &part : rest)
      part /= factor;
    if (std::optional<Linear> &known = point[*unknown]; known && *known != rest)
      return std::nullopt;
    point[*unknown] = rest;
  }
  SmallVector<AffineExpr> exprs;
  for (auto [value, low, high] : llvm::zip(point, piece.getLower(), piece.getUpper())) {
    if (!value)
      return std::nullopt;
    auto [least, largest] = rangeOf(*value, reader);
    if (least < low || largest >= high)
      return std::nullopt;
    exprs.push_back(exprOf(*value, reader.getContext()));
  }
  return exprs;
}

/// The maps that make a tensor, each going on with what the one before left.
SmallVector<MapOp> piecesOf(Value tensor) {
  SmallVector<MapOp> maps;
  for (Value value = tensor;;) {
    auto map = value.getDefiningOp<MapOp>();
    bool isPlain =
        map && map->getNumResults() == 1 && map->getDiscardableAttrs().empty() &&
        map->getBlock() == tensor.getParentBlock() &&
        llvm::all_of(*map.bodyBlock(), [](Operation &op) { return op.getNumRegions() == 0; });
    if (!isPlain || (value != tensor && !value.hasOneUse()))
      return {};
    maps.push_back(map);
    if (map.getInits().empty() || map.getInits().front().getDefiningOp<tensor::EmptyOp>())
      break;
    value = map.getInits().front();
  }
  std::reverse(maps.begin(), maps.end());
  return maps;
}

int64_t pointsOf(MapOp map) {
  int64_t points = 1;
  for (auto [low, high] : llvm::zip(map.getLower(), map.getUpper()))
    points *= high - low;
  return points;
}

/// Whether two reads are of one point of a piece, in one reader.
bool areTogether(const PieceRead &one, const PieceRead &other) {
  return one.reader() == other.reader() && one.piece == other.piece && one.point == other.point;
}

} // namespace

std::optional<PieceRead> PiecedValue::madeBy(tensor::ExtractOp read) const {
  auto reader = dyn_cast<MapOp>(read->getParentOp());
  if (!reader || reader->getBlock() != maps.front()->getBlock())
    return std::nullopt;
  std::optional<SmallVector<Linear>> place = placeOf(read, reader);
  if (!place)
    return std::nullopt;
  // A later map stores over what those before it did.
  for (MapOp piece : llvm::reverse(maps)) {
    bool meets = false;
    for (unsigned n = 0; n < piece.getStores().size(); ++n) {
      std::optional<SmallVector<Linear>> store = placeOf(piece.storeMap(n), piece);
      if (!store)
        return std::nullopt;
      if (auto point = pointOf(piece, *store, *place, reader))
        return PieceRead{read, piece, n, *point};
      meets |= mayMeet(*store, piece, *place, reader);
    }
    if (meets)
      return std::nullopt;
  }
  return std::nullopt;
}

std::optional<PiecedValue> PiecedValue::of(Value tensor) {
  PiecedValue value;
  value.maps = piecesOf(tensor);
  if (value.maps.empty() || tensor.use_empty())
    return std::nullopt;
  for (Operation *user : tensor.getUsers()) {
    auto read = dyn_cast<tensor::ExtractOp>(user);
    std::optional<PieceRead> made = read ? value.madeBy(read) : std::nullopt;
    if (!made)
      return std::nullopt;
    value.found.push_back(*made);
  }
  return value;
}

bool PiecedValue::areEvaluatedOnce() const {
  llvm::SmallDenseMap<Operation *, int64_t> evaluations;
  for (const PieceRead &read : found) {
    const PieceRead *first =
        llvm::find_if(found, [&](const PieceRead &other) { return areTogether(other, read); });
    if (first == &read)
      evaluations[read.piece] += pointsOf(read.reader());
  }
  return llvm::all_of(maps, [&](MapOp piece) {
    return isFree(piece) || evaluations.lookup(piece) <= pointsOf(piece);
  });
}

void PiecedValue::evaluateInReaders() {
  while (!found.empty()) {
    // The point is of the reader's indices alone: what is made there serves all its reads.
    PieceRead first = found.front();
    MapOp reader = first.reader(), piece = first.piece;
    OpBuilder builder = OpBuilder::atBlockBegin(reader.bodyBlock());
    SmallVector<OpFoldResult> indices(reader.bodyBlock()->getArguments().begin(),
                                      reader.bodyBlock()->getArguments().end());
    IRMapping mapping;
    for (auto [argument, expr] : llvm::zip(piece.bodyBlock()->getArguments(), first.point))
      mapping.map(
          argument,
          affine::makeComposedAffineApply(builder, piece.getLoc(), expr, indices).getResult());
    // What other stores yield is left where it is.
    llvm::DenseSet<Value> needed;
    for (const PieceRead &other : found)
      if (areTogether(other, first))
        needed.insert(piece.yielded()[other.store]);
    SmallVector<Operation *> ops;
    for (Operation &op : llvm::reverse(piece.bodyBlock()->without_terminator()))
      if (llvm::any_of(op.getResults(), [&](Value value) { return needed.contains(value); })) {
        needed.insert_range(op.getOperands());
        ops.push_back(&op);
      }
    for (Operation *op : llvm::reverse(ops))
      builder.clone(*op, mapping);
    SmallVector<tensor::ExtractOp> made;
    llvm::erase_if(found, [&](PieceRead &other) {
      if (!areTogether(other, first))
        return false;
      other.read.replaceAllUsesWith(mapping.lookupOrDefault(piece.yielded()[other.store]));
      made.push_back(other.read);
      return true;
    });
    for (tensor::ExtractOp read : made)
      read.erase();
  }
}

} // namespace weft
