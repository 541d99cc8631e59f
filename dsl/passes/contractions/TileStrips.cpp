//===- TileStrips.cpp - Winograd's tiles, a strip at a time -----------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/contractions/TileStrips.h"

#include "passes/Notes.h"
#include "passes/contractions/CutMaps.h"
#include "passes/contractions/StripCosts.h"
#include "passes/contractions/StripImages.h"
#include "passes/loops/TurnLoops.h"
#include "passes/transforms/WinogradMaps.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace weft {

namespace {

constexpr Notes notes("arrange-contractions");

RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

/// A dimension along which strips are cut, in each of the maps: the one of the maker's domain, of
/// its result, of the reader's domain and result, and of the copy's domain.
struct Cut {
  unsigned ofMaker, ofTiles, ofReader, ofPieces, ofCopy;
  int64_t extent; ///< tiles
  int64_t scale;  ///< elements of the pieces for a tile
};

class TileStrips {
public:
  TileStrips(MapOp sums, const PanelLimits &limits) : sums(sums), limits(limits) {}

  bool find();
  bool pays();
  void rewrite();

private:
  void findImages();
  SmallVector<std::array<int64_t, 3>> segments();
  std::optional<Cut> cutOf(unsigned ofTiles);
  BlocksOp strip(OpBuilder &builder, int64_t from, int64_t to, int64_t tiles, Value init);
  double costOf(int64_t bytes) const;
  bool paysByCost(int64_t bytes);
  bool isEven(const Cut &cut) { return copy.getUpper()[cut.ofCopy] == cut.extent * cut.scale; }
  int64_t bytesOf(RankedTensorType type) const {
    return type.getNumElements() * limits.elementBytes;
  }

  MapOp sums;
  const PanelLimits &limits;
  std::optional<StripCosts> costs; ///< where the machine's table has them
  MapOp maker, reader, copy;
  ReshapeOp before, behind;          ///< of the tiles, and of the sums
  std::optional<StripImages> images; ///< of each strip, where they are made for it alone
  SmallVector<Cut> cuts;             ///< outermost first; strips have one tile but of the last
  int64_t tiles = 1;                 ///< of the last one, in the longest strip
};

/// The map that alone makes a value, from its first index on.
MapOp wholeMaker(Value value) {
  auto map = value.getDefiningOp<MapOp>();
  return map && map->getNumResults() == 1 && map.getInits().empty() &&
                 llvm::all_of(map.getLower(), [](int64_t low) { return low == 0; })
             ? map
             : MapOp();
}

/// The one map whose reads alone use a value.
MapOp onlyReader(Value value) {
  MapOp found;
  for (Operation *user : value.getUsers()) {
    auto read = dyn_cast<tensor::ExtractOp>(user);
    auto map = read ? read->getParentOfType<MapOp>() : MapOp();
    if (!map || (found && found != map))
      return {};
    found = map;
  }
  return found;
}

/// The argument of a map's body that all of its reads of a tensor have as one of their indices.
std::optional<unsigned> argumentAt(MapOp map, Value tensor, unsigned index) {
  std::optional<unsigned> own;
  bool same = true;
  map.getBody().walk([&](tensor::ExtractOp read) {
    if (read.getTensor() != tensor)
      return;
    auto argument = dyn_cast<BlockArgument>(read.getIndices()[index]);
    same &= argument && argument.getOwner() == map.bodyBlock() &&
            (!own || *own == argument.getArgNumber());
    if (argument)
      own = argument.getArgNumber();
  });
  return same ? own : std::nullopt;
}

/// Whether an index of a store is a sum of multiples of a map's dimensions, from zero on.
bool isLinear(AffineExpr expr) {
  bool whole = true;
  expr.walk([&](AffineExpr part) {
    whole &= part.getKind() == AffineExprKind::Add || part.getKind() == AffineExprKind::Mul ||
             isa<AffineDimExpr, AffineConstantExpr>(part);
  });
  return whole;
}

/// Whether tiles lie as the sums do, but for the terms of the tiles, which may be several
/// dimensions, where sums have one of columns.
bool isOfSameTiles(RankedTensorType tiles, RankedTensorType sums) {
  return tiles.getRank() >= sums.getRank() &&
         tiles.getShape().take_front(sums.getRank() - 1) == sums.getShape().drop_back();
}

bool TileStrips::find() {
  auto sum = sums.yielded().front().getDefiningOp<ReduceOp>();
  auto product = sum ? sum.yielded().getDefiningOp<arith::MulFOp>() : arith::MulFOp();
  auto left = product ? product.getLhs().getDefiningOp<tensor::ExtractOp>() : tensor::ExtractOp();
  auto right = product ? product.getRhs().getDefiningOp<tensor::ExtractOp>() : tensor::ExtractOp();
  if (!left || !right || sums.rank() != 3)
    return false;
  before = left.getTensor().getDefiningOp<ReshapeOp>();
  if (!before || !before->hasOneUse() || !sums.getResult(0).hasOneUse())
    return false;
  behind = dyn_cast<ReshapeOp>(*sums.getResult(0).user_begin());
  maker = wholeMaker(before.getInput());
  if (!behind || !maker || !maker->hasAttr(codeletMark) || !maker->hasOneUse())
    return false;
  reader = onlyReader(behind.getResult());
  if (!reader || !reader->hasAttr(codeletMark) || !wholeMaker(reader.getResult(0)))
    return false;
  copy = onlyReader(reader.getResult(0));
  if (!copy || !wholeMaker(copy.getResult(0)) || copy.getStores().size() != 1 ||
      !llvm::all_of(copy.storeMap(0).getResults(), isLinear) ||
      copy->getBlock() != sums->getBlock() || reader->getBlock() != sums->getBlock() ||
      maker->getBlock() != sums->getBlock() ||
      !isOfSameTiles(typeOf(before.getInput()), typeOf(behind.getResult())))
    return false;
  // Rows are dimensions of the tiles that lie side by side; what is before them is the batch.
  RankedTensorType made = typeOf(before.getInput());
  int64_t batch = 1, rows = 1;
  unsigned dim = 0;
  while (dim < made.getRank() && batch < sums.getUpper()[0])
    batch *= made.getDimSize(dim++);
  for (; dim < made.getRank() && rows < sums.getUpper()[1]; ++dim) {
    rows *= made.getDimSize(dim);
    if (made.getDimSize(dim) == 1)
      continue;
    std::optional<Cut> cut = cutOf(dim);
    if (!cut)
      return false;
    cuts.push_back(*cut);
  }
  return batch == sums.getUpper()[0] && rows == sums.getUpper()[1] && !cuts.empty();
}

std::optional<Cut> TileStrips::cutOf(unsigned ofTiles) {
  Cut cut{0, ofTiles, 0, 0, 0, typeOf(before.getInput()).getDimSize(ofTiles), 0};
  // Each store of the maker puts one of its dimensions there.
  auto dimAt = [](AffineMap map, unsigned result) {
    return dyn_cast<AffineDimExpr>(map.getResult(result));
  };
  auto first = dimAt(maker.storeMap(0), ofTiles);
  for (unsigned n = 0; n < maker.getStores().size(); ++n)
    if (!first || maker.storeMap(n).getResult(ofTiles) != first)
      return std::nullopt;
  cut.ofMaker = first.getPosition();
  // The reader reads the tile of one of its own.
  auto own = argumentAt(reader, behind.getResult(), ofTiles);
  if (!own || reader.getUpper()[*own] != cut.extent)
    return std::nullopt;
  cut.ofReader = *own;
  // And stores pieces of it, `scale` elements wide, along one dimension of its result.
  std::optional<unsigned> piece;
  for (unsigned n = 0; n < reader.getStores().size(); ++n)
    for (auto [dim, expr] : llvm::enumerate(reader.storeMap(n).getResults()))
      if (expr.isFunctionOfDim(*own)) {
        if (piece && *piece != dim)
          return std::nullopt;
        piece = dim;
      }
  if (!piece)
    return std::nullopt;
  cut.ofPieces = *piece;
  RankedTensorType pieces = typeOf(reader.getResult(0));
  if (pieces.getDimSize(*piece) % cut.extent != 0)
    return std::nullopt;
  cut.scale = pieces.getDimSize(*piece) / cut.extent;
  AffineExpr start = getAffineDimExpr(*own, reader.getContext()) * cut.scale;
  for (unsigned n = 0; n < reader.getStores().size(); ++n) {
    AffineExpr rest =
        simplifyAffineExpr(reader.storeMap(n).getResult(*piece) - start, reader.rank(), 0);
    auto within = dyn_cast<AffineConstantExpr>(rest);
    if (!within || within.getValue() < 0 || within.getValue() >= cut.scale)
      return std::nullopt;
  }
  // The copy reads each of them at one of its own.
  auto ofCopy = argumentAt(copy, reader.getResult(0), cut.ofPieces);
  if (!ofCopy)
    return std::nullopt;
  cut.ofCopy = *ofCopy;
  return cut;
}

/// What a byte of so many costs beyond the second cache, times one that stays in the third: more
/// and more of them come from memory, and go there. How much of that cache is a core's own is not
/// known, so that this is no step.
double TileStrips::costOf(int64_t bytes) const {
  constexpr double ofMemory = 8;
  return std::clamp(static_cast<double>(bytes) / static_cast<double>(limits.l3Bytes), 1.0,
                    ofMemory);
}

/// Whether strips, which read the filters once each, move fewer bytes beyond the second cache, and
/// how large they are.
bool TileStrips::pays() {
  RankedTensorType whole = typeOf(sums.getResult(0));
  int64_t bytes = bytesOf(typeOf(before.getResult())) + bytesOf(whole);
  auto reject = [&] {
    return notes.rejected(sums, "{0}: its tiles a strip at a time", spoken(copy));
  };
  if (bytes <= limits.l2Bytes) {
    reject()
        .because("all of them, {0} bytes, stay in the second cache ({1} bytes) as they are", bytes,
                 limits.l2Bytes)
        .number("bytes", bytes);
    return false;
  }
  if (limits.strips)
    return paysByCost(bytes);
  // One tile of the outer dimensions, as many of the next as half of the cache holds, or all of it
  // where filters do not stay there and come anew for each strip; those of the last dimension are
  // left together, as rows of the products.
  // What keeps their panels apart is never read.
  int64_t terms = typeOf(before.getResult()).getDimSize(2);
  int64_t ofFilters = whole.getDimSize(0) * whole.getDimSize(2) * terms * limits.elementBytes;
  bool filtersStay = 2 * ofFilters <= limits.l2Bytes;
  int64_t room = filtersStay ? limits.l2Bytes / 2 : limits.l2Bytes;
  size_t last = cuts.size() >= 2 ? cuts.size() - 2 : 0, depth = 0;
  int64_t ofOne = bytes / cuts.front().extent;
  while (ofOne > room && depth < last && isEven(cuts[depth]))
    ofOne /= cuts[++depth].extent;
  // Of a row that is a little too large most is still there when it is read again.
  if (ofOne > 2 * limits.l2Bytes) {
    reject()
        .because("a row of them takes {0} bytes, more than twice the second cache's {1}", ofOne,
                 limits.l2Bytes)
        .number("bytes", ofOne);
    return false;
  }
  cuts.truncate(depth + 1);
  int64_t strips = 1;
  for (const Cut &cut : cuts)
    strips *= cut.extent;
  int64_t fitting = std::clamp<int64_t>(room / ofOne, 1, cuts.back().extent);
  tiles = stripWidths(cuts.back().extent, fitting).front();
  strips = strips / cuts.back().extent * llvm::divideCeil(cuts.back().extent, tiles);
  int64_t again = filtersStay ? 0 : (strips - 1) * ofFilters;
  // The tiles and products are written and read.
  if (static_cast<double>(again) * costOf(ofFilters) >=
      2 * static_cast<double>(bytes) * costOf(bytes)) {
    reject()
        .because("the filters would be read {0} times, {1} bytes each time; the tiles and their "
                 "products are {2} bytes, the third cache has {3}",
                 strips, ofFilters, bytes, limits.l3Bytes)
        .number("bytes", ofFilters);
    return false;
  }
  notes.decided(sums, "{0}: its tiles in {1} strips", spoken(copy), strips)
      .because("all of them and their products are {0} bytes, a strip's are {1}, the second cache "
               "has {2}",
               bytes, ofOne * tiles, limits.l2Bytes)
      .number("strips", strips)
      .number("bytes", ofOne * tiles);
  return true;
}

/// The length that `StripCosts` choose; one strip of all does not pay.
bool TileStrips::paysByCost(int64_t bytes) {
  std::optional<Grouping> grouping = groupingOf(sums);
  ArrayRef<int64_t> upper = sums.getUpper();
  int64_t terms = typeOf(before.getResult()).getDimSize(2);
  if (!grouping)
    return false;
  costs.emplace(StripProducts{upper[0], upper[2], terms, grouping->vectors, calledBytes(sums)},
                limits);
  StripLength length = costs->cheapest(llvm::map_to_vector(
      cuts, [&](const Cut &cut) { return StripExtent{cut.extent, isEven(cut)}; }));
  int64_t strips = llvm::divideCeil(cuts[length.depth].extent, length.tiles), ofOne = bytes;
  for (unsigned n = 0; n < length.depth; ++n) {
    strips *= cuts[n].extent;
    ofOne /= cuts[n].extent;
  }
  tiles = stripWidths(cuts[length.depth].extent, length.tiles).front();
  ofOne = ofOne / cuts[length.depth].extent * tiles;
  if (strips == 1) {
    notes.rejected(sums, "{0}: its tiles a strip at a time", spoken(copy))
        .because(
            "each strip would read all filters once more: {0} cycles for all tiles at once are "
            "the fewest, or close to it",
            static_cast<int64_t>(length.cycles))
        .number("bytes", bytes);
    return false;
  }
  cuts.truncate(length.depth + 1);
  notes.decided(sums, "{0}: its tiles in {1} strips", spoken(copy), strips)
      .because("all of them and their products are {0} bytes, a strip's are {1}, the second cache "
               "has {2}: with the filters that each strip reads once more {3} cycles, the fewest "
               "or close to it",
               bytes, ofOne, limits.l2Bytes, static_cast<int64_t>(length.cycles))
      .number("strips", strips)
      .number("bytes", ofOne);
  return true;
}

void eraseUnusedIndices(MapOp map) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*map.bodyBlock())))
    if (isa<affine::AffineApplyOp>(op) && op.use_empty())
      op.erase();
}

/// Lets a cut map read `local` instead of `chain`, of which that is the part: at its own indices.
void readLocally(MapOp map, ArrayRef<DimCut> cuts, Value chain, Value local) {
  auto ownOf = [&](Value index) {
    auto apply = index.getDefiningOp<affine::AffineApplyOp>();
    bool isCut = apply && llvm::any_of(cuts, [&](const DimCut &cut) {
                   return apply.getMapOperands().size() == 2 &&
                          apply.getMapOperands()[0] == cut.origin &&
                          apply.getMapOperands()[1] == map.bodyBlock()->getArgument(cut.dim);
                 });
    return isCut ? Value(apply.getMapOperands()[1]) : index;
  };
  map.getBody().walk([&](tensor::ExtractOp read) {
    if (read.getTensor() != chain)
      return;
    read.getTensorMutable().assign(local);
    for (OpOperand &index : read.getIndicesMutable())
      index.set(ownOf(index.get()));
  });
  eraseUnusedIndices(map);
}

SmallVector<AffineMap> storesOf(MapOp map) {
  return llvm::map_to_vector(llvm::seq<unsigned>(0, map.getStores().size()),
                             [&](unsigned n) { return map.storeMap(n); });
}

BlocksOp TileStrips::strip(OpBuilder &builder, int64_t from, int64_t to, int64_t width,
                           Value init) {
  MLIRContext *context = builder.getContext();
  Location loc = copy.getLoc();
  SmallVector<int64_t> lower, upper, steps;
  for (const Cut &cut : cuts) {
    bool last = &cut == &cuts.back();
    lower.push_back(last ? from : 0);
    upper.push_back(last ? to : cut.extent);
    steps.push_back(last ? width : 1);
  }
  SmallVector<int64_t> ofTiles(typeOf(before.getInput()).getShape());
  SmallVector<int64_t> ofSums(typeOf(sums.getResult(0)).getShape());
  SmallVector<int64_t> ofPieces(typeOf(reader.getResult(0)).getShape());
  SmallVector<int64_t> inCopy;
  for (auto [n, cut] : llvm::enumerate(cuts)) {
    ofTiles[cut.ofTiles] = steps[n];
    ofSums[1] = ofSums[1] / cut.extent * steps[n];
    ofPieces[cut.ofPieces] = steps[n] * cut.scale;
    // The copy leaves out what the last tile has too much.
    inCopy.push_back(
        std::min(steps[n] * cut.scale, copy.getUpper()[cut.ofCopy] - lower[n] * cut.scale));
  }
  // Where a local element of the copy goes: further by the origin, as its store says.
  AffineMap store = copy.storeMap(0);
  unsigned origins = cuts.size(), rank = store.getNumResults();
  SmallVector<int64_t> shape;
  SmallVector<AffineExpr> place;
  for (unsigned dim = 0; dim < rank; ++dim) {
    SmallVector<AffineExpr> last;
    for (int64_t points : copy.getUpper())
      last.push_back(getAffineConstantExpr(points - 1, context));
    AffineExpr moved = getAffineConstantExpr(0, context);
    for (auto [n, cut] : llvm::enumerate(cuts)) {
      last[cut.ofCopy] = getAffineConstantExpr(inCopy[n] - 1, context);
      SmallVector<AffineExpr> only(copy.rank(), getAffineConstantExpr(0, context));
      only[cut.ofCopy] = getAffineDimExpr(n, context) * cut.scale;
      moved = moved + store.getResult(dim).replaceDims(only);
    }
    shape.push_back(
        cast<AffineConstantExpr>(simplifyAffineExpr(store.getResult(dim).replaceDims(last), 0, 0))
            .getValue() +
        1);
    place.push_back(moved + getAffineDimExpr(origins + dim, context));
  }
  auto blocks =
      BlocksOp::create(builder, loc, copy->getResultTypes(), lower, upper, steps,
                       init ? ValueRange{init} : ValueRange{},
                       builder.getAffineMapArrayAttr(
                           {simplifyAffineMap(AffineMap::get(origins + rank, 0, place, context))}));
  blocks->setAttr(inTurnMark, builder.getUnitAttr());
  Block *body = &blocks.getBody().emplaceBlock();
  SmallVector<DimCut> inMaker, inReader, inLast;
  SmallVector<Value> all;
  for (auto [n, cut] : llvm::enumerate(cuts)) {
    Value origin = body->addArgument(builder.getIndexType(),
                                     reader.bodyBlock()->getArgument(cut.ofReader).getLoc());
    all.push_back(origin);
    inMaker.push_back({cut.ofMaker, steps[n], origin});
    inReader.push_back({cut.ofReader, steps[n], origin});
    inLast.push_back({cut.ofCopy, inCopy[n], origin, cut.scale});
  }
  OpBuilder inner = OpBuilder::atBlockBegin(body);
  Type element = typeOf(sums.getResult(0)).getElementType();
  Value local = images ? images->make(inner, all, steps, from) : Value();
  MapOp made = cutMap(inner, maker, inMaker, ofTiles, storesOf(maker));
  if (local) {
    images->readLocally(made, local);
    eraseUnusedIndices(made);
  }
  SmallVector<int64_t> rows(typeOf(before.getResult()).getShape());
  rows[1] = ofSums[1];
  Value left = ReshapeOp::create(inner, before.getLoc(), RankedTensorType::get(rows, element),
                                 made.getResult(0));
  // Rows count from the strip's first tile on: no origin.
  IRMapping mapping;
  mapping.map(before.getResult(), left);
  auto multiplied = cast<MapOp>(inner.clone(*sums, mapping));
  multiplied.getResult(0).setType(RankedTensorType::get(ofSums, element));
  multiplied.setUpper(ofSums);
  if (costs)
    setGrouping(multiplied, costs->grouping(ofSums[1]));
  SmallVector<int64_t> back(typeOf(behind.getResult()).getShape());
  for (auto [n, cut] : llvm::enumerate(cuts))
    back[cut.ofTiles] = steps[n];
  Value products = ReshapeOp::create(inner, behind.getLoc(), RankedTensorType::get(back, element),
                                     multiplied.getResult(0));
  MapOp pieces = cutMap(inner, reader, inReader, ofPieces, storesOf(reader));
  readLocally(pieces, inReader, behind.getResult(), products);
  MapOp placed = cutMap(inner, copy, inLast, shape, storesOf(copy));
  readLocally(placed, inLast, reader.getResult(0), pieces.getResult(0));
  YieldOp::create(inner, loc, placed.getResult(0));
  return blocks;
}

/// Whether the images of a strip are made for it: where they are copied in their order, and most of
/// their elements are not copied for the next strip once more.
void TileStrips::findImages() {
  constexpr double mostOverlap = 2;
  auto found =
      StripImages::of(maker, llvm::map_to_vector(cuts, [](const Cut &cut) { return cut.ofMaker; }));
  if (!found || found->overlap(tiles) > mostOverlap)
    return;
  for (unsigned n = 0; n + 1 < cuts.size(); ++n)
    if (!found->isUniform(n, cuts[n].extent))
      return;
  images = found;
  notes.decided(sums, "{0}: what a strip reads of its images is copied for it alone", spoken(copy))
      .because(
          "the copy only adds a border: {0} times the elements of the strip's tiles, which stay "
          "in a cache",
          images->overlap(tiles));
}

/// Strips of the same width one after the other, for which one body will do: from, to, width.
SmallVector<std::array<int64_t, 3>> TileStrips::segments() {
  const Cut &cut = cuts.back();
  // Tiles of which the copy takes nothing are not made.
  int64_t points = copy.getUpper()[cut.ofCopy], taken = llvm::divideCeil(points, cut.scale);
  SmallVector<std::array<int64_t, 3>> found;
  for (int64_t from = 0; int64_t width : stripWidths(taken, tiles)) {
    // The last strip has less of a tile where these reach too far.
    bool isWhole = (from + width) * cut.scale <= points;
    bool joins = !found.empty() && found.back()[2] == width && isWhole &&
                 (!images || images->seen(cuts.size() - 1, from, width) ==
                                 images->seen(cuts.size() - 1, found.back()[0], width));
    if (joins)
      found.back()[1] += width;
    else
      found.push_back({from, from + width, width});
    from += width;
  }
  return found;
}

void TileStrips::rewrite() {
  findImages();
  OpBuilder builder(copy);
  Value result;
  for (auto [from, to, width] : segments()) {
    if (result) {
      auto first = cast<BlocksOp>(result.getDefiningOp());
      if (first.getInits().empty()) {
        OpBuilder at(first);
        Value empty = tensor::EmptyOp::create(at, copy.getLoc(), typeOf(result).getShape(),
                                              typeOf(result).getElementType());
        first.getInitsMutable().assign(empty);
      }
    }
    BlocksOp blocks = strip(builder, from, to, width, result);
    if (result)
      blocks->setAttr(besideMark, builder.getUnitAttr());
    result = blocks.getResult(0);
  }
  copy.getResult(0).replaceAllUsesWith(result);
  for (Operation *op : {copy.getOperation(), reader.getOperation(), behind.getOperation(),
                        sums.getOperation(), before.getOperation(), maker.getOperation()})
    op->erase();
  if (images)
    images->erase();
}

} // namespace

void cutIntoStrips(MapOp contraction, const PanelLimits &limits) {
  TileStrips strips(contraction, limits);
  if (strips.find() && strips.pays())
    strips.rewrite();
}

} // namespace weft
