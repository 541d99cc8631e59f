//===- Arrangement.cpp - one sum of products laid out for the caches -------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/contractions/Arrangement.h"

#include "passes/Notes.h"
#include "passes/contractions/CodeletPlanes.h"
#include "passes/contractions/ColumnBlocks.h"
#include "passes/contractions/OneFactor.h"
#include "passes/contractions/PackedPanels.h"
#include "passes/tensors/Elementwise.h"
#include "passes/tensors/FixedInputs.h"
#include "passes/tensors/TensorLayouts.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace weft {

namespace {

constexpr Notes notes("arrange-contractions");

class Arrangement {
public:
  /// `mesh`, where given, is of cores that may share the products.
  Arrangement(Contraction &contraction, const PanelLimits &limits,
              const std::optional<MeshMachine> &mesh)
      : contraction(contraction), limits(limits), mesh(mesh), builder(contraction.map) {}

  MapOp run();
  Arranged with(MapOp products) const { return {products, inBlocks, parted, inPlanes}; }

private:
  bool chooseColumns();
  bool areTilesRows(const Factor &ofTiles, ArrayRef<unsigned> tiles,
                    ArrayRef<unsigned> filters) const;
  bool areRowsBetterColumns() const;
  bool isRowsLast() const;
  bool staysWithCores() const;
  Value rowsInOrder(bool rowsLast);
  Value columnsInOrder();
  Value columnsInPanels(int64_t width);
  Grouping panels(int64_t columns);
  bool isShared() const;
  bool worksOnPanels(int64_t columns, const Grouping &grouping) const;
  MapOp productsOf(Value ofRows, bool rowsLast, Value ofColumns, int64_t columns,
                   const Grouping &grouping, bool works);
  void replace(Value result, int64_t columns, bool worked);

  Contraction &contraction;
  PanelLimits limits;
  const std::optional<MeshMachine> &mesh;
  OpBuilder builder;
  bool inBlocks = false, inPlanes = false, parted = false;
  bool overlaps = false; ///< the last vector of a panel begins earlier
};

bool Arrangement::chooseColumns() {
  auto reject = [&] {
    return notes.rejected(contraction.reduce.getLoc(), "{0}: its sums of products in panels",
                          spoken(contraction.map));
  };
  if (contraction.rows.empty() || contraction.columns.empty()) {
    reject().because("one factor has no index of its own: each of its elements is used once a sum");
    return false;
  }
  bool areRows = mesh && weft::isOfPlanes(contraction.rowFactor, contraction.rows);
  inPlanes = areRows || (mesh && weft::isOfPlanes(contraction.columnFactor, contraction.columns));
  if (inPlanes ? areRows : areRowsBetterColumns())
    contraction.swap();
  int64_t rows = contraction.count(contraction.rows);
  int64_t columns = contraction.count(contraction.columns);
  int64_t batch = contraction.count(contraction.batch);
  int64_t terms = contraction.count(contraction.terms);
  if (hasPanels(batch, rows, columns, terms, limits))
    return true;
  int64_t work = batch * rows * columns * terms;
  if (rows < fewestRows)
    reject().because("{0} rows; {1} pay for packing", rows, fewestRows).number("rows", rows);
  else if (2 * columns < limits.lanes)
    reject()
        .because("{0} columns fill less than half of {1} lanes", columns, limits.lanes)
        .number("columns", columns);
  else
    reject().because("{0} products; {1} pay for packing", work, leastWork).number("products", work);
  return false;
}

/// Beside tiles that codelets cut and put together lanes lie along filters, and channels in the
/// codelets, where these fill vectors: along a row of tiles a codelet would pick them from places
/// apart, or had none.
bool Arrangement::areTilesRows(const Factor &ofTiles, ArrayRef<unsigned> tiles,
                               ArrayRef<unsigned> filters) const {
  int64_t terms = contraction.count(contraction.terms);
  MapOp sums = contraction.map;
  return !mesh && isOfTiles(ofTiles, tiles) && isFreeLayout(sums.getResult(0)) &&
         lanesLieAlongFilters(contraction.count(filters), terms, limits) &&
         hasPanels(contraction.count(contraction.batch), contraction.count(tiles),
                   contraction.count(filters), terms, limits);
}

bool Arrangement::areRowsBetterColumns() const {
  if (areTilesRows(contraction.rowFactor, contraction.rows, contraction.columns))
    return false;
  return areTilesRows(contraction.columnFactor, contraction.columns, contraction.rows) ||
         contraction.wantsSwap(limits);
}

/// Whether the rows' factor has its rows side by side.
bool Arrangement::isRowsLast() const {
  const Factor &factor = contraction.rowFactor;
  SmallVector<unsigned> order = contraction.batchOf(factor);
  llvm::append_range(order, contraction.terms);
  llvm::append_range(order, contraction.rows);
  return llvm::is_sorted(factor.dimsOf(order));
}

/// Whether cores have products of one factor each of their own, beside what that is made of: then
/// columns in an order of theirs cost more than cores gain together.
bool Arrangement::staysWithCores() const {
  constexpr int64_t coresForEach = 4; // with fewer products, all cores at each of them are faster
  if (!mesh)
    return false;
  int64_t batch = contraction.count(contraction.batch), rows = contraction.count(contraction.rows),
          columns = contraction.count(contraction.columns),
          terms = contraction.count(contraction.terms);
  int64_t bytes = (2 * std::max(rows, columns) * terms + rows * columns) * limits.elementBytes;
  if (batch * coresForEach < mesh->meshRows * mesh->meshColumns || bytes > mesh->ldmBytes)
    return false;
  notes
      .rejected(contraction.reduce.getLoc(),
                "{0}: columns of what is both factors in an order of their own",
                spoken(contraction.map))
      .because(
          "cores have products of their own, {0} of them, each of {1} bytes with its factor and "
          "what that is made of",
          batch, bytes)
      .number("products", batch)
      .number("bytes", bytes);
  return true;
}

/// [b, row, term], or [b, term, row].
Value Arrangement::rowsInOrder(bool rowsLast) {
  const Factor &factor = contraction.rowFactor;
  SmallVector<unsigned> batch = contraction.batchOf(factor), indices = batch;
  llvm::append_range(indices, rowsLast ? contraction.terms : contraction.rows);
  llvm::append_range(indices, rowsLast ? contraction.rows : contraction.terms);
  tensor::ExtractOp read = factor.read;
  Value ordered = inOrder(builder, read.getTensor(), factor.dimsOf(indices));
  int64_t rows = contraction.count(contraction.rows), terms = contraction.count(contraction.terms);
  return reshaped(builder, read.getLoc(), ordered,
                  {contraction.count(batch), rowsLast ? terms : rows, rowsLast ? rows : terms});
}

/// [b, panel, term, column of panel]
Value Arrangement::columnsInPanels(int64_t width) {
  MLIRContext *context = builder.getContext();
  const Factor &factor = contraction.columnFactor;
  tensor::ExtractOp read = factor.read;
  Value source = read.getTensor();
  SmallVector<unsigned> ofBatch = contraction.batchOf(factor);
  int64_t batch = contraction.count(ofBatch), terms = contraction.count(contraction.terms),
          columns = contraction.count(contraction.columns);
  auto exprsOf = [&](ArrayRef<unsigned> indices) {
    return llvm::map_to_vector(factor.dimsOf(indices),
                               [&](unsigned dim) { return getAffineDimExpr(dim, context); });
  };
  if (columns % width == 0 && contraction.columns.size() == 1 && isFreeLayout(source)) {
    AffineExpr column = exprsOf(contraction.columns).front();
    bool isOne = columns == width;
    auto layout = AffineMap::get(
        factor.indexOf.size(), 0,
        {linear(exprsOf(ofBatch), contraction.extents(ofBatch), context),
         isOne ? getAffineConstantExpr(0, context) : column.floorDiv(width),
         linear(exprsOf(contraction.terms), contraction.extents(contraction.terms), context),
         isOne ? column : column % width},
        context);
    // Batches that lie a power of two of bytes apart fall into the same places of the caches, and a
    // codelet stores to all of them: one unused term a panel keeps them apart.
    auto maker = source.getDefiningOp<MapOp>();
    bool apart = !inBlocks && batch > 1 && maker.getInits().empty() &&
                 terms * columns * limits.elementBytes % limits.wayBytes == 0;
    changeLayout(source, {batch, columns / width, terms + apart, width}, simplifyAffineMap(layout));
    if (apart) {
      OpBuilder at(maker);
      auto type = cast<RankedTensorType>(source.getType());
      Value empty =
          tensor::EmptyOp::create(at, maker.getLoc(), type.getShape(), type.getElementType());
      maker.getInitsMutable().assign(empty);
    }
    return source;
  }
  SmallVector<unsigned> termsLast = factor.dimsOf(ofBatch), columnsLast = termsLast;
  llvm::append_range(termsLast, factor.dimsOf(contraction.columns));
  llvm::append_range(termsLast, factor.dimsOf(contraction.terms));
  llvm::append_range(columnsLast, factor.dimsOf(contraction.terms));
  llvm::append_range(columnsLast, factor.dimsOf(contraction.columns));
  bool asIs = llvm::is_sorted(termsLast);
  Value ordered = asIs ? source : inOrder(builder, source, columnsLast);
  SmallVector<int64_t> shape{batch, asIs ? columns : terms, asIs ? terms : columns};
  return packedInPanels(builder, read.getLoc(), reshaped(builder, read.getLoc(), ordered, shape),
                        asIs, width, limits.lanes);
}

/// Whether what the map does with its sums is done before a panel is stored.
bool Arrangement::worksOnPanels(int64_t columns, const Grouping &grouping) const {
  MapOp map = contraction.map;
  ReduceOp reduce = contraction.reduce;
  return !grouping.shared && !inBlocks && columns == contraction.count(contraction.columns) &&
         contraction.isInOrder() && map.yielded().front() != reduce.getResult() &&
         worksOnSums(map, reduce);
}

/// Lets what the sum was read for read `result`, [b, row, column], instead; where that is `worked`
/// on, it is the map's result.
void Arrangement::replace(Value result, int64_t columns, bool worked) {
  MapOp map = contraction.map;
  MLIRContext *context = builder.getContext();
  SmallVector<unsigned> order(contraction.batch);
  llvm::append_range(order, contraction.rows);
  SmallVector<int64_t> shape = contraction.extents(order);
  auto exprsOf = [&](ArrayRef<unsigned> indices) {
    return llvm::map_to_vector(indices,
                               [&](unsigned dim) { return getAffineDimExpr(dim, context); });
  };
  SmallVector<AffineExpr> index = exprsOf(order);
  int64_t wanted = contraction.count(contraction.columns);
  if (columns == wanted) {
    llvm::append_range(shape, contraction.extents(contraction.columns));
    llvm::append_range(index, exprsOf(contraction.columns));
    llvm::append_range(order, contraction.columns);
  } else {
    shape.push_back(columns);
    index.push_back(
        linear(exprsOf(contraction.columns), contraction.extents(contraction.columns), context));
  }
  result = reshaped(builder, map.getLoc(), result, shape);
  AffineMap layout = AffineMap::get(map.rank(), 0, index, context);

  auto readAt = [&](Operation *at, Location loc, ArrayRef<OpFoldResult> point, AffineMap where) {
    OpBuilder here(at);
    SmallVector<Value> indices;
    for (unsigned n = 0; n < where.getNumResults(); ++n)
      indices.push_back(getValueOrCreateConstantIndexOp(
          here, loc,
          affine::makeComposedFoldedAffineApply(here, loc, where.getSubMap({n}), point)));
    return tensor::ExtractOp::create(here, loc, result, indices);
  };
  ReduceOp reduce = contraction.reduce;
  bool alone = map.yielded().size() == 1 && map.yielded().front() == reduce.getResult() &&
               map.getInits().empty() && map.storeMap(0).isPermutation();
  Value old = map.getResult(0);
  if (worked || (alone && columns == wanted && contraction.isInOrder())) {
    ArrayRef<int64_t> form = cast<RankedTensorType>(old.getType()).getShape();
    old.replaceAllUsesWith(reshaped(builder, map.getLoc(), result, form));
    map.erase();
    return;
  }
  if (alone) {
    // Nothing but the sums: their readers read the products' result.
    AffineMap there = layout.compose(inversePermutation(map.storeMap(0)));
    for (Operation *user : llvm::to_vector(old.getUsers()))
      if (auto read = dyn_cast<tensor::ExtractOp>(user)) {
        read.replaceAllUsesWith(
            readAt(read, read.getLoc(), getAsOpFoldResult(read.getIndices()), there).getResult());
        read.erase();
      }
    if (old.use_empty()) {
      map.erase();
      return;
    }
  }
  Value element = readAt(reduce, reduce.getLoc(),
                         getAsOpFoldResult(ValueRange(map.bodyBlock()->getArguments())), layout);
  reduce.replaceAllUsesWith(element);
  reduce.erase();
}

/// [b, term, column]
Value Arrangement::columnsInOrder() {
  const Factor &factor = contraction.columnFactor;
  SmallVector<unsigned> batch = contraction.batchOf(factor), order = factor.dimsOf(batch);
  llvm::append_range(order, factor.dimsOf(contraction.terms));
  llvm::append_range(order, factor.dimsOf(contraction.columns));
  tensor::ExtractOp read = factor.read;
  return reshaped(builder, read.getLoc(), inOrder(builder, read.getTensor(), order),
                  {contraction.count(batch), contraction.count(contraction.terms),
                   contraction.count(contraction.columns)});
}

/// Whether the cores of a mesh share the products: then nothing is packed.
bool Arrangement::isShared() const {
  if (!mesh)
    return false;
  int64_t rows = contraction.count(contraction.rows),
          columns = contraction.count(contraction.columns);
  int64_t terms = contraction.count(contraction.terms);
  std::string why;
  if (planPanels({contraction.count(contraction.batch), rows, columns, terms, limits.elementBytes,
                  !isRowsLast(), isRowsLast() ? rows : terms, columns, columns},
                 *mesh, why)) {
    notes
        .decided(contraction.reduce.getLoc(),
                 "{0}: {1} rows by {2} columns as they are, for all cores together",
                 spoken(contraction.map), rows, columns)
        .because("panels come to the cores by messages: none need be packed in memory");
    return true;
  }
  notes
      .rejected(contraction.reduce.getLoc(), "{0}: {1} rows by {2} columns for all cores together",
                spoken(contraction.map), rows, columns)
      .because("{0}", why);
  return false;
}

/// How the sums are grouped where each core works for itself.
Grouping Arrangement::panels(int64_t columns) {
  int64_t batch = contraction.count(contraction.batch), rows = contraction.count(contraction.rows),
          terms = contraction.count(contraction.terms);
  bool isFree =
      contraction.columns.size() == 1 && isFreeLayout(contraction.columnFactor.read.getTensor());
  PanelLimits own = limits;
  own.divides = isFree ? contraction.count(contraction.columns) : 0;
  own.streams = batch * terms * columns * limits.elementBytes > limits.l2Bytes;
  Grouping grouping = chooseGrouping(rows, columns, terms, own);
  if (isFree && !isFixed(contraction.columnFactor.read.getTensor()) && !parted)
    if (auto narrow = panelsInBlocks(contraction.columnFactor.read.getTensor(), batch, rows,
                                     own.divides, terms, limits)) {
      grouping = *narrow;
      inBlocks = true;
    }
  // Of a panel that is not full, the last vector begins earlier. What two vectors have would take
  // each part of the terms twice.
  int64_t wanted = contraction.count(contraction.columns);
  overlaps = limits.lanes <= wanted && wanted < columns &&
             columns == grouping.vectors * limits.lanes && !inBlocks && contraction.isInOrder();
  if (overlaps)
    grouping.depth = terms;
  notes
      .decided(contraction.reduce.getLoc(),
               "{0}: {1} rows by {2} columns in panels of {3} rows by {4} vectors of {5}",
               spoken(contraction.map), rows, wanted, grouping.rows, grouping.vectors, limits.lanes)
      .because("the fewest cycles by count of products and loads that {0} registers allow; {1} of "
               "{2} terms before a panel is stored, for the first cache ({3} bytes)",
               limits.registers, grouping.depth, terms, limits.l1Bytes)
      .number("rows", grouping.rows)
      .number("vectors", grouping.vectors)
      .number("depth", grouping.depth)
      .number("panels", grouping.panels);
  if (inBlocks)
    notes
        .decided(contraction.reduce.getLoc(), "{0}: its columns are made a panel at a time",
                 spoken(contraction.map))
        .because("all of them are {0} bytes, the second cache has {1}; {2} rows read a panel",
                 batch * terms * columns * limits.elementBytes, limits.l2Bytes, rows)
        .number("bytes", batch * terms * columns * limits.elementBytes);
  return grouping;
}

/// The map that multiplies [b, row, term], or [b, term, row], by panels, or by [b, term, column] if
/// they are shared; where it works on its sums, as the map does.
MapOp Arrangement::productsOf(Value ofRows, bool rowsLast, Value ofColumns, int64_t columns,
                              const Grouping &grouping, bool works) {
  MLIRContext *context = builder.getContext();
  Location loc = contraction.map.getLoc();
  int64_t batch = contraction.count(contraction.batch), rows = contraction.count(contraction.rows),
          terms = contraction.count(contraction.terms);
  auto type = RankedTensorType::get({batch, rows, columns}, contraction.element);
  auto map = MapOp::create(
      builder, loc, TypeRange{type}, ArrayRef<int64_t>{0, 0, 0}, type.getShape(), ValueRange{},
      builder.getAffineMapArrayAttr({AffineMap::getMultiDimIdentityMap(3, context)}), nullptr);
  setGrouping(map, grouping);
  Block *body = &map.getBody().emplaceBlock();
  for (unsigned dim = 0; dim < 3; ++dim)
    body->addArgument(builder.getIndexType(), loc);
  OpBuilder inner = OpBuilder::atBlockBegin(body);
  auto reduce =
      ReduceOp::create(inner, contraction.reduce.getLoc(), contraction.element,
                       inner.getStringAttr("sum"), ArrayRef<int64_t>{0}, ArrayRef<int64_t>{terms});
  SmallVector<AffineExpr> point = contraction.pointOf();
  if (works) {
    IRMapping mapping;
    mapping.map(ReduceOp(contraction.reduce).getResult(), reduce.getResult());
    for (auto [index, is] : llvm::zip(contraction.map.bodyBlock()->getArguments(), point))
      mapping.map(index, affine::AffineApplyOp::create(inner, loc, AffineMap::get(3, 0, is),
                                                       body->getArguments())
                             .getResult());
    for (Operation &op : *contraction.map.bodyBlock())
      if (&op != contraction.reduce)
        inner.clone(op, mapping);
  } else {
    YieldOp::create(inner, loc, reduce.getResult());
  }
  Block *term = &reduce.getBody().emplaceBlock();
  Value k = term->addArgument(builder.getIndexType(), contraction.reduce.getLoc());
  inner.setInsertionPointToStart(term);
  Value b = body->getArgument(0), row = body->getArgument(1), column = body->getArgument(2);
  auto indexInBatch = [&](const Factor &factor) -> Value {
    SmallVector<unsigned> own = contraction.batchOf(factor);
    if (own.size() == contraction.batch.size())
      return b;
    SmallVector<AffineExpr> exprs =
        llvm::map_to_vector(own, [&](unsigned index) { return point[index]; });
    AffineExpr index = linear(exprs, contraction.extents(own), context);
    return affine::AffineApplyOp::create(inner, loc, AffineMap::get(1, 0, index), b);
  };
  SmallVector<Value> ofRow{indexInBatch(contraction.rowFactor), row, k},
      ofColumn{indexInBatch(contraction.columnFactor), k, column};
  if (rowsLast)
    std::swap(ofRow[1], ofRow[2]);
  if (!grouping.shared) {
    int64_t width = grouping.vectors * limits.lanes;
    AffineExpr d0 = inner.getAffineDimExpr(0);
    bool isOne = columns <= width;
    auto at = [&](AffineExpr place) {
      return affine::AffineApplyOp::create(inner, loc, AffineMap::get(1, 0, place), column)
          .getResult();
    };
    Value panel = at(isOne ? inner.getAffineConstantExpr(0) : d0.floorDiv(width));
    Value within = at(isOne ? d0 : d0 % width);
    ofColumn = {ofColumn[0], panel, k, within};
  }
  Value left = tensor::ExtractOp::create(inner, contraction.rowFactor.read.getLoc(), ofRows, ofRow);
  Value right =
      tensor::ExtractOp::create(inner, contraction.columnFactor.read.getLoc(), ofColumns, ofColumn);
  Value product = arith::MulFOp::create(inner, contraction.reduce.getLoc(), left, right);
  YieldOp::create(inner, contraction.reduce.getLoc(), product);
  return map;
}

MapOp Arrangement::run() {
  if (!mesh)
    contraction.moveToBatch(fewestVectors * limits.lanes);
  for (const Factor &factor : {contraction.rowFactor, contraction.columnFactor})
    parted |=
        contraction.count(contraction.batchOf(factor)) != contraction.count(contraction.batch);
  if (!chooseColumns())
    return {};
  if (isOfOneFactor(contraction)) {
    if (staysWithCores())
      return {};
    copyForColumns(builder, contraction);
  }
  int64_t columns = contraction.count(contraction.columns);
  Grouping grouping;
  grouping.shared = isShared();
  inPlanes &= grouping.shared;
  if (!grouping.shared) {
    if (limits.masked && columns < limits.lanes)
      limits.lanes = columns; // that are there: nothing is filled up
    int64_t filled = llvm::alignTo(columns, limits.lanes);
    grouping = panels(filled);
    columns = overlaps ? columns : filled;
  }
  makeApart(contraction.columnFactor.read.getTensor(), contraction.rowFactor.read.getTensor());
  bool rowsLast = grouping.shared && isRowsLast();
  Value ofRows = rowsInOrder(rowsLast);
  Value ofColumns =
      grouping.shared ? columnsInOrder() : columnsInPanels(grouping.vectors * limits.lanes);
  bool works = worksOnPanels(columns, grouping);
  MapOp map = productsOf(ofRows, rowsLast, ofColumns, columns, grouping, works);
  replace(map.getResult(0), columns, works);
  return map;
}

} // namespace

Arranged arrange(Contraction &contraction, const PanelLimits &limits,
                 const std::optional<MeshMachine> &mesh) {
  Arrangement arrangement(contraction, limits, mesh);
  MapOp products = arrangement.run();
  return arrangement.with(products);
}

} // namespace weft
