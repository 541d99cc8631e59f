//===- Contraction.cpp - sums of products, recognised --------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/contractions/Contraction.h"

#include "passes/tensors/FixedInputs.h"
#include "passes/tensors/LoopOrder.h"
#include "passes/tensors/TensorLayouts.h"

using namespace mlir;

namespace weft {

SmallVector<unsigned> Factor::dimsOf(ArrayRef<unsigned> wanted) const {
  return llvm::map_to_vector(wanted, [&](unsigned index) {
    return static_cast<unsigned>(llvm::find(indexOf, index) - indexOf.begin());
  });
}

SmallVector<Value> indicesOf(MapOp map, ReduceOp reduce) {
  SmallVector<Value> indices(map.bodyBlock()->getArguments().begin(),
                             map.bodyBlock()->getArguments().end());
  llvm::append_range(indices, reduce.bodyBlock()->getArguments());
  return indices;
}

SmallVector<int64_t> extentsOf(MapOp map, ReduceOp reduce, ArrayRef<unsigned> indices) {
  return llvm::map_to_vector(indices, [&](unsigned index) {
    return index < map.rank() ? map.getUpper()[index] : reduce.getUpper()[index - map.rank()];
  });
}

int64_t countOf(MapOp map, ReduceOp reduce, ArrayRef<unsigned> indices) {
  int64_t points = 1;
  for (int64_t extent : extentsOf(map, reduce, indices))
    points *= extent;
  return points;
}

std::optional<ProductIndices> ProductIndices::of(ArrayRef<unsigned> left, ArrayRef<unsigned> right,
                                                 MapOp map, ReduceOp reduce) {
  auto isZero = [](int64_t low) { return low == 0; };
  if (reduce.getKind() != "sum" || reduce->getBlock() != map.bodyBlock() || reduce.rank() == 0 ||
      !llvm::all_of(map.getLower(), isZero) || !llvm::all_of(reduce.getLower(), isZero))
    return std::nullopt;
  ProductIndices found;
  for (unsigned index = 0; index < map.rank() + reduce.rank(); ++index) {
    bool inLeft = llvm::is_contained(left, index), inRight = llvm::is_contained(right, index);
    bool isTerm = index >= map.rank();
    if (isTerm ? !inLeft || !inRight : !inLeft && !inRight)
      return std::nullopt;
    (isTerm              ? found.terms
     : inLeft && inRight ? found.batch
     : inLeft            ? found.rows
                         : found.columns)
        .push_back(index);
  }
  return found;
}

bool isMaskedVector(int64_t columns, const PanelLimits &limits) {
  return limits.masked && columns < limits.lanes && columns >= fewestMasked(limits.lanes);
}

bool isPartBesideMany(int64_t rows, int64_t columns, int64_t terms, const PanelLimits &limits) {
  return limits.masked && columns > 1 && columns < limits.lanes &&
         2 * rows * terms * limits.elementBytes > limits.l2Bytes;
}

bool lanesLieAlongFilters(int64_t filters, int64_t channels, const PanelLimits &limits) {
  auto haveLanes = [&](int64_t extent) {
    return extent >= limits.lanes || isMaskedVector(extent, limits);
  };
  return haveLanes(filters) && haveLanes(channels);
}

/// So many terms for each column: the result is turned, not the factor that has all terms.
constexpr int64_t fewestTermsToTurn = 8;

bool Contraction::wantsSwap(const PanelLimits &limits) const {
  int64_t lanes = std::max<int64_t>(limits.lanes, 1);
  auto fill = [&](int64_t extent) {
    return static_cast<double>(extent) / static_cast<double>(llvm::alignTo(extent, lanes));
  };
  auto isNarrow = [&](int64_t extent) {
    return extent <= lanes || (extent < 2 * lanes && fill(extent) < 0.75);
  };
  int64_t ofRows = count(rows), ofColumns = count(columns);
  MapOp sums = map;
  AffineMap store = sums.storeMap(0);
  auto liesAlong = [&](ArrayRef<unsigned> side) {
    return store.getNumResults() && store.getResults().back().isFunctionOfDim(side.back());
  };
  // To turn results in memory costs more than half a vector's products.
  bool isLarge = count(batch) * ofRows * ofColumns * limits.elementBytes > limits.l2Bytes / 4;
  auto isFewVectors = [&](int64_t extent) {
    return isMaskedVector(extent, limits) || extent == lanes ||
           (isLarge && extent > lanes && extent <= 2 * lanes);
  };
  // Nor are many lines of terms turned for a part of a vector, but once; results that are few
  // beside them are.
  auto isBesideLines = [&](ArrayRef<unsigned> few, ArrayRef<unsigned> many, const Factor &ofMany) {
    tensor::ExtractOp read = ofMany.read;
    return isPartBesideMany(count(batch) * count(many), count(few), count(terms), limits) &&
           llvm::is_contained(terms, ofMany.indexOf.back()) && !isFixed(read.getTensor()) &&
           (liesAlong(few) || fewestTermsToTurn * count(few) <= count(terms));
  };
  bool fewColumns = isBesideLines(columns, rows, rowFactor);
  bool fewRows = isBesideLines(rows, columns, columnFactor);
  if (fewRows != fewColumns)
    return fewRows;
  if (isFewVectors(ofRows) != isFewVectors(ofColumns) &&
      liesAlong(isFewVectors(ofRows) ? rows : columns))
    return isFewVectors(ofRows);
  if (isNarrow(ofRows) || isNarrow(ofColumns))
    return std::pair(fill(ofRows), ofRows) > std::pair(fill(ofColumns), ofColumns);
  if (lines(rows) != lines(columns))
    return lines(rows) < lines(columns);
  return liesAlong(rows);
}

void Contraction::swap() {
  std::swap(rowFactor, columnFactor);
  std::swap(rows, columns);
}

SmallVector<unsigned> Contraction::batchOf(const Factor &factor) const {
  SmallVector<unsigned> own;
  llvm::copy_if(batch, std::back_inserter(own),
                [&](unsigned index) { return llvm::is_contained(factor.indexOf, index); });
  return own;
}

void Contraction::moveToBatch(int64_t fewest) {
  MapOp points = map;
  // Sums that only maps read have what order they like.
  if (points.getStores().size() != 1 || !points.storeMap(0).isPermutation() ||
      isFreeLayout(points.getResult(0)))
    return;
  auto place = [&](unsigned index) {
    return *points.storeMap(0).getResultPosition(getAffineDimExpr(index, points.getContext()));
  };
  auto isBefore = [&](unsigned a, unsigned b) { return place(a) < place(b); };
  for (auto [side, other] : {std::pair{&rows, &columns}, {&columns, &rows}}) {
    if (side->empty() || other->empty())
      continue;
    unsigned first = *llvm::min_element(*other, isBefore);
    SmallVector<unsigned> before, behind;
    for (unsigned index : *side)
      (isBefore(index, first) ? before : behind).push_back(index);
    if (before.empty() || count(behind) < fewest)
      continue;
    *side = behind;
    llvm::append_range(batch, before);
    llvm::sort(batch, isBefore);
  }
}

bool Contraction::isInOrder() const {
  MapOp points = map;
  if (points.getStores().size() != 1 || !points.getInits().empty() ||
      !points.storeMap(0).isPermutation())
    return false;
  // Indices of one value may stand anywhere.
  SmallVector<unsigned> places;
  for (ArrayRef<unsigned> side : {batch, rows, columns})
    for (unsigned index : side)
      if (count({index}) != 1)
        places.push_back(
            *points.storeMap(0).getResultPosition(getAffineDimExpr(index, points.getContext())));
  return llvm::is_sorted(places);
}

SmallVector<AffineExpr> Contraction::pointOf() const {
  MapOp points = map;
  SmallVector<AffineExpr> point(points.rank());
  for (auto [number, side] :
       llvm::enumerate(std::array<ArrayRef<unsigned>, 3>{batch, rows, columns})) {
    AffineExpr rest = getAffineDimExpr(number, points.getContext());
    for (unsigned index : llvm::reverse(side)) {
      int64_t extent = count({index});
      point[index] = index == side.front() ? rest : rest % extent;
      rest = rest.floorDiv(extent);
    }
  }
  return point;
}

size_t Contraction::lines(ArrayRef<unsigned> of) const {
  const Factor &factor = llvm::equal(of, rows) ? rowFactor : columnFactor;
  if (isFreeLayout(tensor::ExtractOp(factor.read).getTensor()))
    return of.size();
  SmallVector<unsigned> side;
  llvm::copy_if(of, std::back_inserter(side), [&](unsigned dim) { return count({dim}) != 1; });
  SmallVector<unsigned> there = factor.dimsOf(side);
  AffineMap store = MapOp(map).storeMap(0);
  auto placeOf = [&](unsigned dim) {
    for (unsigned n = 0; n < store.getNumResults(); ++n)
      if (store.getResult(n) == getAffineDimExpr(dim, store.getContext()))
        return n + 1;
    return 0U;
  };
  size_t found = side.size();
  for (size_t n = 1; n < side.size(); ++n)
    found -= there[n] == there[n - 1] + 1 && placeOf(side[n - 1]) != 0 &&
             placeOf(side[n]) == placeOf(side[n - 1]) + 1;
  return found;
}

/// The factor behind a value, if it reads one element at different plain indices.
static std::optional<Factor> factorOf(Value value, ValueRange indices) {
  auto read = value.getDefiningOp<tensor::ExtractOp>();
  if (!read)
    return std::nullopt;
  auto exprs = indicesOver(read, indices);
  if (!exprs)
    return std::nullopt;
  Factor factor{read, {}};
  for (AffineExpr expr : *exprs) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim || llvm::is_contained(factor.indexOf, dim.getPosition()))
      return std::nullopt;
    factor.indexOf.push_back(dim.getPosition());
  }
  return factor;
}

std::optional<Contraction> Contraction::of(MapOp map, ReduceOp reduce) {
  auto element = dyn_cast<FloatType>(reduce.getType());
  auto product = reduce.yielded().getDefiningOp<arith::MulFOp>();
  if (!element || !product || product->getBlock() != reduce.bodyBlock())
    return std::nullopt;
  SmallVector<Value> indices = indicesOf(map, reduce);
  auto left = factorOf(product.getLhs(), indices), right = factorOf(product.getRhs(), indices);
  if (!left || !right)
    return std::nullopt;
  auto found = ProductIndices::of(left->indexOf, right->indexOf, map, reduce);
  auto isWhole = [&](const Factor &factor) {
    tensor::ExtractOp read = factor.read;
    return llvm::equal(extentsOf(map, reduce, factor.indexOf),
                       read.getTensor().getType().getShape());
  };
  if (!found || !isWhole(*left) || !isWhole(*right))
    return std::nullopt;
  return Contraction{*found, map, reduce, *left, *right, element};
}

/// Ways of a first cache whose target does not say them.
constexpr int64_t commonWays = 8;

FailureOr<PanelLimits> PanelLimits::of(const Target &target, Type element) {
  if (auto complex = dyn_cast<ComplexType>(element))
    element = complex.getElementType();
  FailureOr<VectorUnit> vectors = target.vectors();
  FailureOr<int64_t> registers = target.number("vector_registers"),
                     pipes = target.number("vector_pipes"), l1Bytes = target.number("l1d_bytes"),
                     l2Bytes = target.number("l2_bytes"),
                     bandwidth = target.number("memory_bytes_per_second"),
                     clock = target.number("clock_hz");
  if (failed(vectors) || failed(registers) || failed(pipes) || failed(l1Bytes) || failed(l2Bytes) ||
      failed(bandwidth) || failed(clock))
    return failure();
  int64_t bytes = element.getIntOrFloatBitWidth() / 8;
  PanelLimits limits{vectors->lanes(bytes * 8),
                     *registers,
                     *pipes,
                     *l1Bytes,
                     *l2Bytes,
                     target.numberIfAny("l3_bytes").value_or(*l2Bytes),
                     bytes,
                     target.flag("fma"),
                     target.flag("masked_lanes"),
                     double(*bandwidth) / *clock,
                     *l1Bytes / target.numberIfAny("l1d_ways").value_or(commonWays)};
  auto filters = target.numberIfAny("strip_filter_bytes_per_second"),
       farFilters = target.numberIfAny("strip_far_filter_bytes_per_second"),
       tiles = target.numberIfAny("strip_tile_bytes_per_second"),
       kept = target.numberIfAny("strip_kept_bytes");
  if (filters && farFilters && tiles && kept)
    limits.strips = {double(*filters) / *clock, double(*farFilters) / *clock,
                     double(*tiles) / *clock, *kept};
  return limits;
}

bool hasPanels(int64_t batch, int64_t rows, int64_t columns, int64_t terms,
               const PanelLimits &limits) {
  // Sums of many terms pay for fewer rows, and where both are few for a part of a vector.
  constexpr int64_t manyTerms = 16, veryMany = 64;
  bool hasRows = rows >= fewestRows || (rows > 1 && terms >= manyTerms);
  bool isPart = (limits.masked && columns > 1 && rows < limits.lanes && terms >= veryMany) ||
                isPartBesideMany(batch * rows, columns, terms, limits);
  return hasRows && (2 * columns >= limits.lanes || isMaskedVector(columns, limits) || isPart) &&
         batch * rows * columns * terms >= leastWork;
}

Grouping chooseGrouping(int64_t rows, int64_t columns, int64_t terms, const PanelLimits &limits,
                        std::optional<int64_t> width) {
  // An FMA takes four cycles: so many chains keep one pipe busy.
  constexpr double chains = 4, callCycles = 20;
  // One register holds the factor of the row, and without FMA one more a product.
  int64_t reserved = limits.fma ? 1 : 2;
  int64_t vectorsInAll = llvm::divideCeil(columns, limits.lanes);
  auto cyclesOf = [&](int64_t panelRows, int64_t panelVectors) {
    double sums = panelRows * panelVectors, loads = panelRows + panelVectors;
    return std::max({sums, loads, chains * limits.pipes}) / limits.pipes * terms + callCycles +
           sums;
  };
  auto bytesOf = [&](int64_t panelVectors) {
    return double(panelVectors) * limits.lanes * limits.elementBytes * terms;
  };
  Grouping best;
  double fewest = 0;
  int64_t most = width.value_or(std::min<int64_t>(vectorsInAll, 6));
  for (int64_t vectors = width.value_or(1); vectors <= most; ++vectors)
    for (int64_t height = 1; height <= std::min(rows, limits.registers); ++height) {
      if (height * vectors + vectors + reserved > limits.registers)
        break;
      double cycles = 0;
      int64_t lastRows = rows % height, lastVectors = vectorsInAll % vectors;
      for (auto [times, panelVectors] :
           {std::pair{vectorsInAll / vectors, vectors}, {lastVectors ? 1 : 0, lastVectors}}) {
        if (!times)
          continue;
        double first = cyclesOf(height, panelVectors);
        int64_t whole = rows / height;
        double panel = static_cast<double>(whole) * first;
        if (lastRows)
          panel += cyclesOf(lastRows, panelVectors);
        if (limits.streams) {
          double stream = bytesOf(panelVectors) / limits.bytesPerCycle;
          panel += std::max(limits.leastWait * stream, stream - first);
        }
        cycles += times * panel;
      }
      if (limits.divides % (vectors * limits.lanes) != 0)
        cycles += 2.0 * terms * columns * limits.elementBytes / limits.bytesPerCycle;
      if (best.depth != 0 && cycles >= fewest)
        continue;
      fewest = cycles;
      best = {height, vectors, terms, 1, cycles};
    }
  // A panel's rows stay in the first cache, a block of columns in half of the second.
  auto balanced = [](int64_t whole, int64_t most) {
    int64_t parts = llvm::divideCeil(whole, std::max<int64_t>(most, 1));
    return llvm::divideCeil(whole, parts);
  };
  int64_t rowBytes = best.rows * limits.elementBytes;
  best.depth = balanced(terms, limits.l1Bytes * 7 / 8 / rowBytes);
  int64_t columnBytes = best.vectors * limits.lanes * best.depth * limits.elementBytes;
  best.panels =
      balanced(std::max<int64_t>(vectorsInAll / best.vectors, 1), limits.l2Bytes / 2 / columnBytes);
  return best;
}

} // namespace weft
