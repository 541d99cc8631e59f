//===- CodeletLanes.cpp - vectors of codelets beside contractions --------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/contractions/CodeletLanes.h"

#include "passes/tensors/Elementwise.h"
#include "passes/tensors/LoopOrder.h"
#include "passes/tensors/TensorLayouts.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace weft {

namespace {

/// The dimension of a tensor that follows `dim` alone in every one of these indices.
std::optional<unsigned> axisAlong(ArrayRef<SmallVector<AffineExpr>> indices, unsigned dim) {
  std::optional<unsigned> axis;
  for (const auto &index : indices)
    for (auto [n, expr] : llvm::enumerate(index)) {
      if (!expr.isFunctionOfDim(dim))
        continue;
      if (!isa<AffineDimExpr>(expr) || (axis && *axis != n))
        return std::nullopt;
      axis = n;
    }
  return axis;
}

SmallVector<unsigned> lastOf(unsigned rank, unsigned axis) {
  SmallVector<unsigned> order;
  for (unsigned dim = 0; dim < rank; ++dim)
    if (dim != axis)
      order.push_back(dim);
  order.push_back(axis);
  return order;
}

/// The map that a read is in, if that copies the element or computes with it and others alone.
MapOp elementwiseReader(tensor::ExtractOp read) {
  auto map = read ? dyn_cast<MapOp>(read->getParentOp()) : MapOp();
  return map && isElementwise(map) ? map : MapOp();
}

bool isCopy(MapOp map, tensor::ExtractOp read) { return map.yielded().front() == read.getResult(); }

/// Where the index of a read is one of the expressions by which its map stores, or a number: the
/// same index over the place that is stored to.
std::optional<AffineMap> indexOfPlace(tensor::ExtractOp read, MapOp map) {
  auto indices = indicesOver(read, ValueRange(map.bodyBlock()->getArguments()));
  if (!indices)
    return std::nullopt;
  MLIRContext *context = map.getContext();
  SmallVector<AffineExpr> found;
  for (AffineExpr index : *indices) {
    ArrayRef<AffineExpr> places = map.storeMap(0).getResults();
    const auto *same = llvm::find_if(places, [&](AffineExpr place) {
      return simplifyAffineExpr(index - place, map.rank(), 0) == 0;
    });
    if (same != places.end())
      found.push_back(getAffineDimExpr(same - places.begin(), context));
    else if (isa<AffineConstantExpr>(index))
      found.push_back(index);
    else
      return std::nullopt;
  }
  return AffineMap::get(map.storeMap(0).getNumResults(), 0, found, context);
}

/// Lets `copy`, which reads an element at each place that `worker` stores to, do what that does
/// with the element that it has by `read`.
void takeOver(MapOp copy, MapOp worker, tensor::ExtractOp read) {
  auto yield = cast<YieldOp>(copy.bodyBlock()->getTerminator());
  OpBuilder builder(yield);
  IRMapping mapping;
  mapping.map(read.getResult(), yield.getOperand(0));
  for (Operation &op : worker.bodyBlock()->without_terminator()) {
    auto other = dyn_cast<tensor::ExtractOp>(op);
    if (&op == read || isa<affine::AffineApplyOp>(op))
      continue;
    if (other)
      mapping.map(other.getResult(),
                  elementAt(builder, other.getLoc(), other.getTensor(),
                            *indexOfPlace(other, worker), copy.bodyBlock()->getArguments()));
    else
      builder.clone(op, mapping);
  }
  yield->setOperand(0, mapping.lookupOrDefault(worker.yielded().front()));
}

/// Where one map alone works on the elements of a copy, each at its own place: lets it read what
/// the copy reads.
void joinOnlyReader(MapOp copy) {
  Value copied = copy.getResult(0);
  auto read =
      copied.hasOneUse() ? dyn_cast<tensor::ExtractOp>(*copied.user_begin()) : tensor::ExtractOp();
  MapOp reader = elementwiseReader(read);
  if (!reader || !reader.getInits().empty() || !reader.storeMap(0).isIdentity() ||
      reader.getUpper() != copy.getUpper() || reader->getBlock() != copy->getBlock() ||
      !llvm::equal(read.getIndices(), reader.bodyBlock()->getArguments()))
    return;
  IRMapping mapping;
  mapping.map(copy.bodyBlock()->getArguments(), reader.bodyBlock()->getArguments());
  OpBuilder builder(read);
  for (Operation &op : copy.bodyBlock()->without_terminator())
    builder.clone(op, mapping);
  read.replaceAllUsesWith(mapping.lookup(copy.yielded().front()));
  read.erase();
  copy.erase();
}

/// The point of a map at which it reads an index: where each of its dimensions is one of the
/// indices, or numbers blocks of one, or what is within a block.
std::optional<AffineMap> pointAt(ArrayRef<AffineExpr> index, MapOp map) {
  MLIRContext *context = map.getContext();
  SmallVector<AffineExpr> point(map.rank());
  auto isWhole = [&](unsigned dim, int64_t extent) {
    return map.getLower()[dim] == 0 && map.getUpper()[dim] == extent;
  };
  for (auto [n, expr] : llvm::enumerate(index)) {
    AffineExpr from = getAffineDimExpr(n, context);
    SmallVector<unsigned> dims;
    for (unsigned dim = 0; dim < map.rank(); ++dim)
      if (expr.isFunctionOfDim(dim))
        dims.push_back(dim);
    if (dims.size() == 1 && isa<AffineDimExpr>(expr) && !point[dims[0]]) {
      point[dims[0]] = from;
      continue;
    }
    if (dims.size() != 2 || point[dims[0]] || point[dims[1]])
      return std::nullopt;
    if (stepAlong(expr, dims[0]) == 1)
      std::swap(dims[0], dims[1]);
    auto first = stepAlong(expr, dims[0]), second = stepAlong(expr, dims[1]);
    AffineExpr sum =
        getAffineDimExpr(dims[0], context) * first.value_or(0) + getAffineDimExpr(dims[1], context);
    if (!first || second != 1 || !isWhole(dims[1], *first) ||
        simplifyAffineExpr(expr - sum, map.rank(), 0) != 0)
      return std::nullopt;
    point[dims[0]] = from.floorDiv(*first);
    point[dims[1]] = from % *first;
  }
  if (!llvm::all_of(point, [](AffineExpr expr) { return bool(expr); }))
    return std::nullopt;
  return AffineMap::get(index.size(), 0, point, context);
}

/// Of places in a whole, by the indices of its tiles: the tiles' index `axis` by the indices of
/// the whole, one of which it is, or two that number blocks of it and what is within a block.
AffineExpr axisByPlace(AffineMap places, unsigned axis) {
  MLIRContext *context = places.getContext();
  AffineExpr own = getAffineDimExpr(axis, context), result, block, within;
  int64_t ofBlocks = 0, ofPlaces = 0;
  for (auto [dim, expr] : llvm::enumerate(places.getResults())) {
    if (!expr.isFunctionOfDim(axis))
      continue;
    AffineExpr here = getAffineDimExpr(dim, context);
    auto divided = dyn_cast<AffineBinaryOpExpr>(expr);
    auto by = divided && divided.getLHS() == own ? dyn_cast<AffineConstantExpr>(divided.getRHS())
                                                 : AffineConstantExpr();
    if (expr == own && !result) {
      result = here;
    } else if (by && expr.getKind() == AffineExprKind::FloorDiv && !block) {
      block = here;
      ofBlocks = by.getValue();
    } else if (by && expr.getKind() == AffineExprKind::Mod && !within) {
      within = here;
      ofPlaces = by.getValue();
    } else {
      return {};
    }
  }
  if (result)
    return block || within ? AffineExpr() : result;
  return block && within && ofBlocks == ofPlaces ? block * ofBlocks + within : AffineExpr();
}

/// Makes all accesses of a codelet contiguous along the dimension where most are.
class CodeletLanes {
public:
  explicit CodeletLanes(MapOp map) : map(map) {}
  /// Along a dimension of at least so many elements; false where there is none.
  bool run(int64_t fewest);
  /// Where the result is only put together from its tiles: makes it as that, with `axis`, if there
  /// is one, last, so that one copy is left, which turns what is kept in another order. False where
  /// it is used otherwise.
  bool turnTiles(std::optional<unsigned> axis);

private:
  std::optional<int64_t> storeStride(unsigned n, unsigned dim) {
    auto type = cast<RankedTensorType>(map.getResult(0).getType());
    return strideAlong(type.getShape(), map.storeMap(n), dim);
  }
  std::optional<int64_t> readStride(tensor::ExtractOp read, unsigned dim) {
    return strideAlong(read.getTensor().getType(), read.getIndices(),
                       map.bodyBlock()->getArgument(dim));
  }
  void turnInput(Value tensor, unsigned dim);
  void turnResult(unsigned dim);

  MapOp map;
  llvm::MapVector<Value, SmallVector<tensor::ExtractOp>> reads;
};

void CodeletLanes::turnInput(Value tensor, unsigned dim) {
  SmallVector<SmallVector<AffineExpr>> indices;
  for (tensor::ExtractOp read : reads[tensor]) {
    auto index = indicesOver(read, ValueRange(map.bodyBlock()->getArguments()));
    if (!index)
      return;
    indices.push_back(*index);
  }
  auto axis = axisAlong(indices, dim);
  if (!axis)
    return;
  OpBuilder builder(map);
  SmallVector<unsigned> order = lastOf(cast<RankedTensorType>(tensor.getType()).getRank(), *axis);
  Value turned = inOrder(builder, tensor, order);
  if (turned == tensor)
    return;
  for (tensor::ExtractOp read : reads[tensor]) {
    SmallVector<Value> index;
    for (unsigned from : order)
      index.push_back(read.getIndices()[from]);
    OpBuilder at(read);
    read.replaceAllUsesWith(
        tensor::ExtractOp::create(at, read.getLoc(), turned, index).getResult());
    read.erase();
  }
}

bool CodeletLanes::turnTiles(std::optional<unsigned> axis) {
  MLIRContext *context = map.getContext();
  Value tiles = map.getResult(0);
  auto type = cast<RankedTensorType>(tiles.getType());
  // All readers copy elements to places that one map gives; one alone may work on them, too.
  SmallVector<MapOp> copies;
  MapOp worker;
  tensor::ExtractOp worked;
  AffineMap places;
  for (Operation *user : tiles.getUsers()) {
    auto read = dyn_cast<tensor::ExtractOp>(user);
    MapOp copy = elementwiseReader(read);
    if (!copy || worker || llvm::is_contained(copies, copy))
      return false;
    if (!isCopy(copy, read)) {
      for (auto other : copy.bodyBlock()->getOps<tensor::ExtractOp>())
        if (other != read && !indexOfPlace(other, copy))
          return false;
      if (!copies.empty() || !copy.getInits().empty())
        return false;
      worker = copy;
      worked = read;
    }
    auto index = indicesOver(read, ValueRange(copy.bodyBlock()->getArguments()));
    if (!index)
      return false;
    auto point = pointAt(*index, copy);
    if (!point)
      return false;
    AffineMap goes = simplifyAffineMap(copy.storeMap(0).compose(*point));
    if (places && places != goes)
      return false;
    places = goes;
    copies.push_back(copy);
  }
  // They fill one value, one after the other.
  Value whole;
  for (MapOp copy : copies) {
    Value result = copy.getResult(0);
    if (!copy.getInits().empty()) {
      auto before = copy.getInits()[0].getDefiningOp<MapOp>();
      if (before ? !llvm::is_contained(copies, before) || !before->hasOneUse()
                 : !copy.getInits()[0].getDefiningOp<tensor::EmptyOp>())
        return false;
    }
    bool isLast = llvm::none_of(result.getUsers(), [&](Operation *user) {
      return llvm::is_contained(copies, dyn_cast<MapOp>(user));
    });
    if (isLast && whole)
      return false;
    if (isLast)
      whole = result;
  }
  if (!whole)
    return false;
  // Each dimension of the whole counts tiles and elements of a tile, or is one of the tiles'.
  AffineExpr own = axis ? axisByPlace(places, *axis) : AffineExpr();
  if (axis && !own)
    return false;
  SmallVector<int64_t> shape;
  SmallVector<AffineExpr> byWhole, byTiles;
  for (auto [dim, expr] : llvm::enumerate(places.getResults())) {
    if (axis && expr.isFunctionOfDim(*axis))
      continue;
    int64_t extent = 1;
    for (unsigned from = type.getRank(); from-- > 0;)
      if (expr.isFunctionOfDim(from)) {
        if (stepAlong(expr, from) != extent)
          return false;
        extent *= type.getDimSize(from);
      }
    shape.push_back(extent);
    byWhole.push_back(getAffineDimExpr(dim, context));
    byTiles.push_back(expr);
  }
  if (axis) {
    shape.push_back(type.getDimSize(*axis));
    byWhole.push_back(own);
    byTiles.push_back(getAffineDimExpr(*axis, context));
  }
  AffineMap turned = AffineMap::get(places.getNumResults(), 0, byWhole, context);
  changeLayout(tiles, shape, AffineMap::get(type.getRank(), 0, byTiles, context));
  OpBuilder builder(whole.getDefiningOp());
  auto eraseCopies = [&] {
    // The last of them first: each is the start of the next.
    while (!copies.empty()) {
      auto *unused = llvm::find_if(copies, [](MapOp map) { return map->use_empty(); });
      (*unused)->erase();
      copies.erase(unused);
    }
  };
  if (!axis && !worker && tiles.getType() == whole.getType()) {
    whole.replaceAllUsesWith(tiles);
    eraseCopies();
    return true;
  }
  Value copy = copyOf(builder, whole.getLoc(), tiles,
                      cast<RankedTensorType>(whole.getType()).getShape(), turned);
  if (worker)
    takeOver(cast<MapOp>(copy.getDefiningOp()), worker, worked);
  whole.replaceAllUsesWith(copy);
  eraseCopies();
  joinOnlyReader(cast<MapOp>(copy.getDefiningOp()));
  return true;
}

void CodeletLanes::turnResult(unsigned dim) {
  SmallVector<SmallVector<AffineExpr>> indices;
  for (unsigned n = 0; n < map.getStores().size(); ++n)
    indices.push_back(llvm::to_vector(map.storeMap(n).getResults()));
  auto axis = axisAlong(indices, dim);
  if (!axis)
    return;
  Value result = map.getResult(0);
  auto type = cast<RankedTensorType>(result.getType());
  if (turnTiles(axis))
    return;
  if (!isFreeLayout(result)) {
    // Others want it as it is: from a copy.
    OpBuilder after(map->getContext());
    after.setInsertionPointAfter(map);
    Value copy = copyOf(after, map.getLoc(), result, type.getShape(),
                        AffineMap::getMultiDimIdentityMap(type.getRank(), map.getContext()));
    result.replaceAllUsesExcept(copy, copy.getDefiningOp());
    for (tensor::ExtractOp read :
         llvm::to_vector(copy.getDefiningOp<MapOp>().bodyBlock()->getOps<tensor::ExtractOp>()))
      read.getTensorMutable().assign(result);
  }
  OpBuilder builder(map);
  inOrder(builder, result, lastOf(type.getRank(), *axis));
}

bool CodeletLanes::run(int64_t fewest) {
  reads.clear();
  map.getBody().walk([&](tensor::ExtractOp read) { reads[read.getTensor()].push_back(read); });
  std::optional<unsigned> best;
  int64_t most = 0;
  for (unsigned dim = 0; dim < map.rank(); ++dim) {
    if (map.getUpper()[dim] < fewest)
      continue;
    int64_t contiguous = 0;
    for (unsigned n = 0; n < map.getStores().size(); ++n)
      contiguous += storeStride(n, dim) == 1;
    for (auto &[tensor, all] : reads)
      for (tensor::ExtractOp read : all)
        contiguous += readStride(read, dim) == 1;
    if (contiguous > most) {
      most = contiguous;
      best = dim;
    }
  }
  if (!best)
    return false;
  for (Value tensor : llvm::to_vector(llvm::make_first_range(reads)))
    if (llvm::any_of(reads[tensor], [&](tensor::ExtractOp read) {
          auto stride = readStride(read, *best);
          return stride != 0 && stride != 1;
        }))
      turnInput(tensor, *best);
  for (unsigned n = 0; n < map.getStores().size(); ++n)
    if (storeStride(n, *best) != 1) {
      turnResult(*best);
      break;
    }
  return true;
}

} // namespace

void alignCodelet(MapOp map, int64_t lanes, bool masked) {
  CodeletLanes codelet(map);
  if (!codelet.run(lanes) && masked)
    codelet.run(fewestMasked(lanes));
}

void putTogether(MapOp map) { CodeletLanes(map).turnTiles({}); }

} // namespace weft
