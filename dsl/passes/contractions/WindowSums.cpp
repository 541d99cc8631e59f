//===- WindowSums.cpp - sums of products over windows -----------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// A convolution's direct sum is a product of matrices whose one factor, all windows, is many times
// the image. It need not be made: a vector of a row of the image, loaded where it lies, is what one
// term multiplies with each filter of a panel. Neither factor is packed.
//
//===-----------------------------------------------------------------------===//

#include "passes/contractions/WindowSums.h"

#include "passes/Notes.h"
#include "passes/contractions/TurnedVectors.h"
#include "passes/contractions/WindowPanels.h"
#include "passes/tensors/Elementwise.h"
#include "passes/tensors/TensorLayouts.h"

#include "mlir/Dialect/Affine/Analysis/AffineStructures.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace weft {

namespace {

constexpr Notes notes("arrange-contractions");

/// Whether an expression is `dim` and a rest without it.
bool movesWith(AffineExpr expr, unsigned dim, unsigned dims) {
  AffineExpr rest = simplifyAffineExpr(expr - getAffineDimExpr(dim, expr.getContext()), dims, 0);
  return !rest.isFunctionOfDim(dim);
}

/// The one index that is a function of `dim`.
std::optional<unsigned> onlyIndexOf(ArrayRef<AffineExpr> index, unsigned dim) {
  std::optional<unsigned> found;
  for (auto [n, expr] : llvm::enumerate(index)) {
    if (!expr.isFunctionOfDim(dim))
      continue;
    if (found)
      return std::nullopt;
    found = n;
  }
  return found;
}

} // namespace

int64_t WindowSum::terms() const {
  ReduceOp sum = reduce;
  int64_t all = 1;
  for (int64_t extent : sum.getUpper())
    all *= extent;
  return all;
}

std::optional<WindowSum> WindowSum::of(MapOp map, ReduceOp reduce) {
  if (map.rank() == 0 || map.getStores().size() != 1 || !map.storeMap(0).isPermutation())
    return std::nullopt;
  auto lane = dyn_cast<AffineDimExpr>(map.storeMap(0).getResults().back());
  return lane ? of(map, reduce, lane.getPosition()) : std::nullopt;
}

std::optional<WindowSum> WindowSum::of(MapOp map, ReduceOp reduce, const PanelLimits &limits) {
  std::optional<WindowSum> sum = of(map, reduce);
  if (map.getStores().size() != 1 || !map.storeMap(0).isPermutation() ||
      (sum && sum->columns() >= limits.lanes))
    return sum;
  for (unsigned dim = map.rank(); dim-- > 0;) {
    std::optional<WindowSum> other = of(map, reduce, dim);
    if (other && other->columns() >= limits.lanes && other->terms() >= fewestTermsApart) {
      other->apart = true;
      return other;
    }
  }
  return sum;
}

std::optional<WindowSum> WindowSum::of(MapOp map, ReduceOp reduce, unsigned column) {
  auto isZero = [](int64_t low) { return low == 0; };
  auto product = reduce.yielded().getDefiningOp<arith::MulFOp>();
  if (!isa<FloatType>(reduce.getType()) || !product || reduce.getKind() != "sum" ||
      reduce->getBlock() != map.bodyBlock() || product->getBlock() != reduce.bodyBlock() ||
      !llvm::all_of(map.getLower(), isZero) || !llvm::all_of(reduce.getLower(), isZero) ||
      reduce.rank() == 0 || !map.getInits().empty())
    return std::nullopt;
  SmallVector<Value> indices = indicesOf(map, reduce);
  int64_t work = 1;
  for (int64_t extent : llvm::concat<const int64_t>(map.getUpper(), reduce.getUpper()))
    work *= extent;
  std::optional<WindowSum> withTurned;
  for (auto [one, other] : {std::pair{product.getLhs(), product.getRhs()},
                            std::pair{product.getRhs(), product.getLhs()}}) {
    auto filter = one.getDefiningOp<tensor::ExtractOp>();
    auto image = other.getDefiningOp<tensor::ExtractOp>();
    if (!filter || !image || image.getIndices().empty())
      continue;
    auto ofFilter = indicesOver(filter, indices), ofImage = indicesOver(image, indices);
    auto moving = ofImage ? onlyIndexOf(*ofImage, column) : std::nullopt;
    if (!ofFilter || !moving || !isWithout(*ofFilter, column) ||
        !movesWith((*ofImage)[*moving], column, indices.size()))
      continue;
    // The last of them lies closest in the result.
    for (unsigned dim = map.rank(); dim-- > 0;) {
      if (dim == column || !isWithout(*ofImage, dim) || isWithout(*ofFilter, dim))
        continue;
      if (*moving + 1 == ofImage->size())
        return WindowSum{map, reduce, filter, image, dim, column, std::nullopt};
      int64_t elements = cast<RankedTensorType>(image.getTensor().getType()).getNumElements();
      if (!withTurned && work >= fewestUses * elements)
        withTurned = WindowSum{map, reduce, filter, image, dim, column, moving};
      break;
    }
  }
  return withTurned;
}

/// Whether what a panel of rows reads of the image, over all of the dimension before rows and
/// columns, is so little that it is still there for the next panel. Then a panel goes through its
/// own part of the result at once: few places are stored to at a time.
static bool staysFor(const WindowSum &sum, int64_t bytes, int64_t elementBytes) {
  MapOp map = sum.map;
  ReduceOp reduce = sum.reduce;
  std::optional<unsigned> before;
  for (unsigned dim = 0; dim < map.rank(); ++dim)
    if (dim != sum.row && dim != sum.column)
      before = dim;
  if (!before)
    return false;
  SmallVector<Value> moving(reduce.bodyBlock()->getArguments().begin(),
                            reduce.bodyBlock()->getArguments().end());
  moving.push_back(map.bodyBlock()->getArgument(*before));
  moving.push_back(map.bodyBlock()->getArgument(sum.column));
  SmallVector<Value> indices = indicesOf(map, reduce);
  tensor::ExtractOp image = sum.image;
  auto type = cast<RankedTensorType>(image.getTensor().getType());
  auto exprs = indicesOver(image, indices);
  int64_t read = elementBytes;
  for (auto [dim, expr] : llvm::enumerate(*exprs))
    if (llvm::any_of(llvm::enumerate(indices), [&](auto index) {
          return llvm::is_contained(moving, index.value()) && expr.isFunctionOfDim(index.index());
        }))
      read *= type.getDimSize(dim);
  return read <= bytes;
}

bool hasWindowPanels(int64_t rows, int64_t columns, int64_t work, const PanelLimits &limits,
                     int64_t termsOfOneRow) {
  return (rows >= fewestWindowRows || termsOfOneRow >= fewestTermsOfOneRow) &&
         columns >= limits.lanes && work >= leastWork;
}

/// How the sums are grouped where each core works for itself.
static Grouping inPanels(const WindowSum &sum, const PanelLimits &limits, bool onMesh) {
  ReduceOp reduce = sum.reduce;
  int64_t rows = sum.rows(), columns = sum.columns(), terms = sum.terms();
  Grouping grouping = sum.turned && !onMesh ? groupingOfBlocks(rows, columns, 1, terms,
                                                               reduce.getUpper().back(), limits)
                                            : chooseGrouping(rows, columns, terms, limits);
  if (sum.turned && !onMesh)
    if (auto dividing = dividingPanels(sum, grouping, limits))
      grouping = *dividing;
  // All terms at once, and all columns of a row: the last vector overlaps the one before it.
  grouping.depth = 0;
  grouping.panels = llvm::divideCeil(columns, grouping.vectors * limits.lanes);
  grouping.rowsFirst = staysFor(sum, limits.l2Bytes, limits.elementBytes);
  notes
      .decided(reduce.getLoc(),
               "{0}: windows of {1} terms in panels of {2} rows by {3} vectors of {4}",
               spoken(sum.map), terms, grouping.rows, grouping.vectors, limits.lanes)
      .because("the fewest cycles by count of products and loads that {0} registers allow; a "
               "vector of the image is read where it lies, once a term for all rows of a panel",
               limits.registers)
      .number("rows", grouping.rows)
      .number("vectors", grouping.vectors);
  return grouping;
}

/// Where a panel has whole lines of rows and registers for more, and reads more vectors than the
/// first cache holds: so many lines that its registers are full. They read its vectors once.
static void takeLinesTogether(const WindowSum &sum, Grouping &grouping, const PanelLimits &limits) {
  int64_t line = sum.rows(), width = grouping.vectors * limits.lanes;
  std::optional<unsigned> lines = linesOfRows(sum);
  if (!lines || grouping.rows != line ||
      sum.terms() * width * limits.elementBytes <= limits.l1Bytes)
    return;
  MapOp map = sum.map;
  int64_t room = (limits.registers - grouping.vectors - 1) / (grouping.vectors * line);
  int64_t together = std::min(room, map.getUpper()[*lines]);
  if (together < 2)
    return;
  grouping.rows = line * together;
  joinLines(sum, *lines);
  notes
      .decided(ReduceOp(sum.reduce).getLoc(), "{0}: {1} lines of {2} rows together", spoken(map),
               together, line)
      .because("the vectors that they are multiplied with, {0} bytes, are read once for all",
               sum.terms() * width * limits.elementBytes)
      .number("lines", together);
}

/// By how many elements a place in memory moves with each dimension of the map and of the sum;
/// nothing where it does not move by equal distances. `order` is that of the tensor's dimensions.
static std::optional<SmallVector<int64_t>> stridesOf(const WindowSum &sum, tensor::ExtractOp read,
                                                     ArrayRef<unsigned> order) {
  SmallVector<Value> indices = indicesOf(sum.map, sum.reduce);
  auto exprs = indicesOver(read, indices);
  SmallVector<AffineExpr> point;
  SmallVector<int64_t> shape, strides;
  for (unsigned dim : order) {
    point.push_back((*exprs)[dim]);
    shape.push_back(read.getTensor().getType().getDimSize(dim));
  }
  AffineExpr place = linear(point, shape, read->getContext());
  if (failed(getFlattenedAffineExpr(place, indices.size(), 0, &strides)) ||
      strides.size() != indices.size() + 1)
    return std::nullopt;
  return strides;
}

/// What cores of a mesh would share: the last dimension before rows and columns has the lines.
/// Nothing, and why, where filters and images do not lie as the cores take them (share-panels).
static std::optional<WindowShape> shapeOnMesh(const WindowSum &sum, int64_t elementBytes,
                                              std::string &why) {
  MapOp map = sum.map;
  ReduceOp reduce = sum.reduce;
  auto asTheyAre = [](tensor::ExtractOp read) {
    return llvm::to_vector(llvm::seq<unsigned>(read.getTensor().getType().getRank()));
  };
  auto image = stridesOf(sum, sum.image, sum.turned ? turnedOrder(sum) : asTheyAre(sum.image));
  auto filter = stridesOf(sum, sum.filter, asTheyAre(sum.filter));
  if (!image || !filter || (*image)[sum.column] != 1) {
    why = "images, or filters, lie at no equal distances";
    return std::nullopt;
  }
  WindowShape shape;
  shape.elementBytes = elementBytes;
  shape.filters = sum.rows();
  shape.columns = sum.columns();
  shape.pitch = shape.columns;
  for (unsigned dim = 0; dim < map.rank(); ++dim) {
    if (dim == sum.row || dim == sum.column)
      continue;
    shape.images *= shape.lines;
    shape.lines = map.getUpper()[dim];
    shape.pitch = std::max((*image)[dim], shape.columns);
  }
  unsigned hasChannels = reduce.rank() > 1;
  for (unsigned dim = reduce.rank(); dim-- > hasChannels;) {
    int64_t reach = (*image)[map.rank() + dim];
    if ((*filter)[map.rank() + dim] != shape.taps || reach < 0) {
      why = "the taps of a filter do not lie side by side in memory, or go backwards in the image";
      return std::nullopt;
    }
    shape.taps *= reduce.getUpper()[dim];
    shape.reach += (reduce.getUpper()[dim] - 1) * reach;
  }
  shape.channels = hasChannels ? reduce.getUpper()[0] : 1;
  if (shape.channels > 1 &&
      ((*filter)[map.rank()] != shape.taps || (*image)[map.rank()] < shape.stretch())) {
    why = "the channels of a filter do not lie side by side in memory, or an image's overlap";
    return std::nullopt;
  }
  return shape;
}

/// Whether the cores of a mesh share the sums.
static bool isShared(const WindowSum &sum, int64_t elementBytes, const MeshMachine &mesh) {
  ReduceOp reduce = sum.reduce;
  std::string why;
  std::optional<WindowShape> shape = shapeOnMesh(sum, elementBytes, why);
  if (shape && planWindows(*shape, mesh, why)) {
    notes
        .decided(reduce.getLoc(),
                 "{0}: windows of {1} in lines of {2} by {3} filters, for all cores together",
                 spoken(sum.map), shape->taps, shape->columns, shape->filters)
        .because("lines of images come to the cores by messages, and each serves all taps");
    return true;
  }
  notes
      .rejected(reduce.getLoc(), "{0}: its sums over windows for all cores together",
                spoken(sum.map))
      .because("{0}", why);
  return false;
}

MapOp arrangeWindows(WindowSum sum, const PanelLimits &limits,
                     const std::optional<MeshMachine> &mesh) {
  MapOp map = sum.map;
  ReduceOp reduce = sum.reduce;
  int64_t rows = sum.rows(), columns = sum.columns(), terms = sum.terms(), work = terms;
  for (int64_t extent : map.getUpper())
    work *= extent;
  // What lies in no vectors as it is needs no more rows.
  int64_t others = sum.apart ? std::max(rows, fewestWindowRows) : rows;
  int64_t ofOneRow = reduce.rank() > 1 && !mesh ? terms : 0;
  if (!hasWindowPanels(others, columns, work, limits, ofOneRow)) {
    auto note =
        notes.rejected(reduce.getLoc(), "{0}: its sums over windows in panels", spoken(map));
    if (others < fewestWindowRows && ofOneRow < fewestTermsOfOneRow)
      note.because("{0} rows; {1} pay, or {2} terms of several indices", rows, fewestWindowRows,
                   fewestTermsOfOneRow)
          .number("rows", rows);
    else if (columns < limits.lanes)
      note.because("{0} columns do not fill {1} lanes", columns, limits.lanes)
          .number("columns", columns);
    else
      note.because("{0} products; {1} pay", work, leastWork).number("products", work);
    return {};
  }
  if (sum.turned && !mesh)
    if (auto blocks = blocksOfColumns(sum)) {
      Grouping grouping = groupingOfBlocks(rows, columns, map.getUpper()[*blocks], terms,
                                           reduce.getUpper().back(), limits);
      if (int64_t together = grouping.vectors * limits.lanes / columns; together > 1)
        joinBlocks(sum, *blocks, together);
    }
  Grouping grouping;
  grouping.shared = mesh && isShared(sum, limits.elementBytes, *mesh);
  if (!grouping.shared)
    grouping = inPanels(sum, limits, mesh.has_value());
  if (sum.turned && !mesh)
    takeLinesTogether(sum, grouping, limits);
  if (sum.apart)
    notes
        .decided(reduce.getLoc(), "{0}: its sums lie apart, with the columns of its vectors last",
                 spoken(map))
        .because("as the result lies, what is side by side fills no vector of {0}", limits.lanes);
  if (sum.turned)
    notes
        .decided(reduce.getLoc(), "{0}: columns of what its vectors are loaded from side by side",
                 spoken(map))
        .because("each of its elements is used {0} times at least", fewestUses);
  SmallVector<unsigned> order;
  for (unsigned dim = 0; dim < map.rank(); ++dim)
    if (dim != sum.row && dim != sum.column)
      order.push_back(dim);
  // A core's own memory has no places that drive each other from it.
  if (sum.turned && !mesh && readInPanels(sum, grouping.vectors * limits.lanes))
    blocksLast(sum, limits, order);
  else if (sum.turned)
    turnImage(sum);
  if (sum.turned && !mesh)
    if (int64_t within = dimensionsWithin(sum, grouping, limits, order)) {
      grouping.withinColumns = within;
      grouping.rowsFirst = false;
      notes
          .decided(reduce.getLoc(), "{0}: all that panels of columns are for, before the next one",
                   spoken(map))
          .because(
              "their vectors, {0} bytes, are more than three quarters of the second cache ({1})",
              terms * columns * limits.elementBytes, limits.l2Bytes);
    }
  order.append({sum.row, sum.column});
  SmallVector<int64_t> lower(map.rank(), 0), upper;
  SmallVector<AffineExpr> renumbered(map.rank());
  OpBuilder builder(map);
  for (auto [place, dim] : llvm::enumerate(order)) {
    upper.push_back(map.getUpper()[dim]);
    renumbered[dim] = builder.getAffineDimExpr(place);
  }
  AffineMap place = sum.apart ? AffineMap::getPermutationMap(order, map.getContext())
                              : map.storeMap(0); // of the sums, by the map's dimensions
  AffineMap store = place.replaceDimsAndSymbols(renumbered, {}, map.rank(), 0);
  auto wanted = cast<RankedTensorType>(map.getResult(0).getType());
  auto type = RankedTensorType::get(sum.apart ? ArrayRef<int64_t>(upper) : wanted.getShape(),
                                    reduce.getType());
  auto sums = MapOp::create(builder, map.getLoc(), TypeRange{type}, lower, upper, ValueRange{},
                            builder.getAffineMapArrayAttr({store}), nullptr);
  setGrouping(sums, grouping);
  Block *body = &sums.getBody().emplaceBlock();
  IRMapping mapping;
  for (unsigned dim : order) {
    BlockArgument old = map.bodyBlock()->getArgument(dim);
    mapping.map(old, body->addArgument(old.getType(), old.getLoc()));
  }
  OpBuilder inner = OpBuilder::atBlockBegin(body);
  // Cores of a mesh put sums as they are.
  bool isSumAlone = map.yielded().front() == reduce.getResult();
  if (!sum.apart && (grouping.shared ? isSumAlone : worksOnSums(map, reduce))) {
    for (Operation &op : *map.bodyBlock())
      inner.clone(op, mapping);
    map.getResult(0).replaceAllUsesWith(sums.getResult(0));
    map.erase();
    return sums;
  }
  // With what it reads of the map's body: indices that other reads of the map share.
  for (Operation &op : *map.bodyBlock())
    if (&op != reduce && op.isBeforeInBlock(reduce) && isa<affine::AffineApplyOp>(op))
      inner.clone(op, mapping);
  Operation *copied = inner.clone(*reduce, mapping);
  YieldOp::create(inner, map.getLoc(), copied->getResult(0));

  // What else the map does reads the sums.
  OpBuilder at(reduce);
  Value element =
      elementAt(at, reduce.getLoc(), sums.getResult(0), place, map.bodyBlock()->getArguments());
  reduce.replaceAllUsesWith(element);
  reduce.erase();
  return sums;
}

} // namespace weft
