//===- ContractionLoops.cpp - sums of products in registers and caches ----------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// The nest is written with scalars: a loop over the lanes of one vector, marked
// `weft.lane`, holds the sums of a panel, one a row and vector, as values that the
// loop over the reduced index carries. vectorize-complex makes vectors of them like of
// any other loop.
//
//===-----------------------------------------------------------------------===//

#include "passes/lowering/ContractionLoops.h"

#include "passes/lowering/PanelSegments.h"
#include "passes/lowering/WindowBorders.h"

#include "mlir/Analysis/SliceAnalysis.h"

using namespace mlir;

namespace weft {

namespace {

/// Fewer panels of rows than this do not feed the cores: panels of columns as well.
constexpr int64_t fewPanels = 8;

/// A panel under way.
struct Panel {
  const Segment &rows;
  int64_t vectors, termsFrom, termsTo;
  Value termsBlock;
  SmallVector<Value> sums; ///< so far: one a row and vector
  function_ref<void(int64_t)> atRow, atColumn;
};

class ContractionLoops {
public:
  ContractionLoops(MapOp map, const Grouping &grouping, ContractionTarget &target)
      : map(map), grouping(grouping), target(target), builder(target.builder),
        reduce(*map.bodyBlock()->getOps<ReduceOp>().begin()),
        product(reduce.yielded().getDefiningOp<arith::MulFOp>()), within(withinOf(map)),
        at(map.rank(), 0) {}

  LogicalResult run();

private:
  affine::AffineForOp open(Location loc, int64_t lower, int64_t upper, int64_t step,
                           bool independent, ValueRange carried = {});
  LogicalResult plain();
  using PanelBody = function_ref<LogicalResult(const Segment &, affine::AffineForOp)>;
  LogicalResult overPanels(ArrayRef<Segment> segments, Location loc, bool independent,
                           PanelBody body);
  Value startOf(const Segment &segment, affine::AffineForOp panels);
  LogicalResult overDimensions(unsigned first, unsigned end, function_ref<LogicalResult()> body);
  LogicalResult inside(unsigned around);
  LogicalResult rowsWithin(unsigned dim);
  LogicalResult withinColumns(unsigned first);
  LogicalResult rowsAndColumns(int64_t termsFrom, int64_t termsTo, Value termsBlock);
  LogicalResult panel(const Segment &rows, const Segment &columns, Value row, Value column,
                      int64_t termsFrom, int64_t termsTo, Value termsBlock);
  LogicalResult addTerms(Panel &panel, unsigned dim, ArrayRef<int64_t> rows);
  bool isAdded(const Panel &panel, int64_t row, unsigned dim, int64_t term);
  SmallVector<Segment> rowsApart(ArrayRef<Segment> segments);
  /// One factor at the current indices.
  FailureOr<Value> factor(Value read);
  /// constant + the sum of parts[n] * factors[n] (1 where there are none)
  Value indexSum(ArrayRef<Value> parts, ArrayRef<int64_t> factors, int64_t constant);
  FailureOr<Value> workedOn(Value sum);
  SmallVector<OpFoldResult> resultIndex();
  int64_t rowCount() { return map.getUpper()[map.rank() - 2]; }
  Location rowLoc() { return map.bodyBlock()->getArgument(map.rank() - 2).getLoc(); }
  Location columnLoc() { return map.bodyBlock()->getArguments().back().getLoc(); }
  /// Of all rows, and of all columns, in one block.
  SmallVector<Segment> wholeRows() {
    return rowsApart(cut(rowCount(), grouping.rows, rowCount(), 1));
  }
  SmallVector<Segment> wholeColumns() {
    int64_t columns = map.getUpper().back();
    return cut(columns, grouping.vectors * target.lanes, columns, target.lanes);
  }

  MapOp map;
  Grouping grouping;
  ContractionTarget &target;
  OpBuilder &builder;
  ReduceOp reduce;
  arith::MulFOp product;
  SmallVector<Within> within; ///< which terms are added
  SmallVector<int64_t> at;    ///< by dimension around rows and columns: one of its run
  Value left, right;          ///< the factors: of the row, of the column
};

affine::AffineForOp ContractionLoops::open(Location loc, int64_t lower, int64_t upper, int64_t step,
                                           bool independent, ValueRange carried) {
  auto loop = affine::AffineForOp::create(builder, loc, lower, upper, step, carried);
  if (independent)
    loop->setAttr("weft.independent", builder.getUnitAttr());
  loop.getInductionVar().setLoc(loc);
  builder.setInsertionPointToStart(loop.getBody());
  return loop;
}

Value ContractionLoops::indexSum(ArrayRef<Value> parts, ArrayRef<int64_t> factors,
                                 int64_t constant) {
  AffineExpr sum = builder.getAffineConstantExpr(constant);
  for (size_t n = 0; n < parts.size(); ++n)
    sum = sum + builder.getAffineDimExpr(n) * (factors.empty() ? 1 : factors[n]);
  auto composed = affine::makeComposedFoldedAffineApply(
      builder, map.getLoc(), AffineMap::get(parts.size(), 0, sum), getAsOpFoldResult(parts));
  return getValueOrCreateConstantIndexOp(builder, map.getLoc(), composed);
}

FailureOr<Value> ContractionLoops::factor(Value read) {
  BackwardSliceOptions options;
  options.inclusive = options.omitBlockArguments = true;
  options.filter = [&](Operation *op) { return map->isProperAncestor(op); };
  llvm::SetVector<Operation *> slice;
  if (failed(getBackwardSlice(read, &slice, options)))
    return failure();
  for (Operation *op : slice)
    if (failed(target.point.lower(op)))
      return failure();
  return target.point.get(read).real;
}

SmallVector<OpFoldResult> ContractionLoops::resultIndex() {
  SmallVector<Value> variables;
  for (Value index : map.bodyBlock()->getArguments())
    variables.push_back(target.scalars.lookup(index));
  return target.placed(target.point.indices(map.getLoc(), map.storeMap(0), variables));
}

/// What the map yields for a sum, at the current indices.
FailureOr<Value> ContractionLoops::workedOn(Value sum) {
  if (map.yielded().front() == reduce.getResult())
    return sum;
  target.scalars.map(reduce.getResult(), sum);
  for (Operation &op : map.bodyBlock()->without_terminator())
    if (&op != reduce && failed(target.point.lower(&op)))
      return failure();
  return target.point.get(map.yielded().front()).real;
}

/// Whether one of a sum's terms is added for a row of a panel.
bool ContractionLoops::isAdded(const Panel &panel, int64_t row, unsigned dim, int64_t term) {
  return llvm::all_of(within, [&](const Within &one) {
    bool isOfRow = one.dim == map.rank() - 2;
    return one.term != dim || one.holds(isOfRow ? panel.rows.from + row : at[one.dim], term);
  });
}

/// Loops over the terms from index `dim` of the sum on, of those rows of a panel that have them:
/// one loop where that are all rows, else one for each stretch of terms that the same rows have.
LogicalResult ContractionLoops::addTerms(Panel &panel, unsigned dim, ArrayRef<int64_t> rows) {
  Location loc = map.getLoc();
  SmallVectorImpl<Value> &sums = panel.sums;
  if (dim == reduce.rank()) {
    SmallVector<Value> ofColumn;
    panel.atRow(rows.front());
    for (int64_t vector = 0; vector < panel.vectors; ++vector) {
      panel.atColumn(vector);
      FailureOr<Value> value = factor(right);
      if (failed(value))
        return failure();
      ofColumn.push_back(*value);
    }
    for (int64_t n : rows) {
      panel.atRow(n);
      FailureOr<Value> ofRow = factor(left);
      if (failed(ofRow))
        return failure();
      for (int64_t vector = 0; vector < panel.vectors; ++vector) {
        Value &sum = sums[n * panel.vectors + vector];
        if (target.fma) {
          sum = math::FmaOp::create(builder, loc, *ofRow, ofColumn[vector], sum);
          continue;
        }
        Value term = arith::MulFOp::create(builder, loc, *ofRow, ofColumn[vector]);
        sum = arith::AddFOp::create(builder, loc, sum, term);
      }
    }
    return success();
  }
  Value index = reduce.bodyBlock()->getArgument(dim);
  bool outer = dim == 0;
  int64_t from = outer ? panel.termsFrom : reduce.getLower()[dim],
          to = outer ? panel.termsTo : reduce.getUpper()[dim];
  auto having = [&](int64_t term) {
    SmallVector<int64_t> some;
    llvm::copy_if(rows, std::back_inserter(some),
                  [&](int64_t row) { return isAdded(panel, row, dim, term); });
    return some;
  };
  bool areSome = llvm::any_of(within, [&](const Within &one) { return one.term == dim; });
  while (from < to) {
    SmallVector<int64_t> some = areSome ? having(from) : llvm::to_vector(rows);
    int64_t first = from++;
    while (from < to && (!areSome || having(from) == some))
      ++from;
    if (some.empty())
      continue;
    OpBuilder::InsertionGuard guard(builder);
    SmallVector<unsigned> carried; // numbers of sums
    for (int64_t row : some)
      for (int64_t vector = 0; vector < panel.vectors; ++vector)
        carried.push_back(row * panel.vectors + vector);
    auto those = [&] {
      return llvm::map_to_vector(carried, [&](unsigned number) { return sums[number]; });
    };
    auto loop = open(index.getLoc(), first, from, 1, false, those());
    for (auto [number, value] : llvm::zip_equal(carried, loop.getRegionIterArgs()))
      sums[number] = value;
    target.scalars.map(index, outer && panel.termsBlock
                                  ? indexSum({panel.termsBlock, loop.getInductionVar()}, {}, 0)
                                  : loop.getInductionVar());
    if (failed(addTerms(panel, dim + 1, some)))
      return failure();
    builder.setInsertionPointToEnd(loop.getBody());
    affine::AffineYieldOp::create(builder, loc, those());
    for (auto [number, value] : llvm::zip_equal(carried, loop.getResults()))
      sums[number] = value;
  }
  return success();
}

LogicalResult ContractionLoops::panel(const Segment &rows, const Segment &columns, Value row,
                                      Value column, int64_t termsFrom, int64_t termsTo,
                                      Value termsBlock) {
  OpBuilder::InsertionGuard guard(builder);
  Location loc = map.getLoc();
  Block *body = map.bodyBlock();
  Value rowIndex = body->getArgument(map.rank() - 2),
        columnIndex = body->getArgument(map.rank() - 1);
  int64_t vectors = columns.width / target.lanes;
  affine::AffineForOp lane = open(columnIndex.getLoc(), 0, target.lanes, 1, true);
  lane->setAttr("weft.lane", builder.getUnitAttr());
  auto atRow = [&](int64_t n) { target.scalars.map(rowIndex, indexSum({row}, {}, n)); };
  auto atColumn = [&](int64_t n) {
    int64_t from = n * target.lanes - (n + 1 == vectors ? columns.back : 0);
    target.scalars.map(columnIndex, indexSum({column, lane.getInductionVar()}, {}, from));
  };

  // The sums so far: none, or what the block of terms before has stored.
  SmallVector<Value> sums;
  bool first = termsFrom == 0 && !termsBlock, last = termsTo == reduce.getUpper()[0] && !termsBlock;
  Type element = product.getType();
  for (int64_t n = 0; n < rows.width; ++n)
    for (int64_t vector = 0; vector < vectors; ++vector) {
      if (first) {
        sums.push_back(sums.empty() ? arith::ConstantOp::create(builder, loc,
                                                                builder.getFloatAttr(element, 0.0))
                                    : sums.front());
        continue;
      }
      atRow(n);
      atColumn(vector);
      sums.push_back(loadReal(builder, loc, target.result.memref, resultIndex()));
    }

  Panel panel{rows, vectors, termsFrom, termsTo, termsBlock, std::move(sums), atRow, atColumn};
  if (failed(addTerms(panel, 0, llvm::to_vector(llvm::seq<int64_t>(0, rows.width)))))
    return failure();
  for (int64_t n = 0; n < rows.width; ++n)
    for (int64_t vector = 0; vector < vectors; ++vector) {
      atRow(n);
      atColumn(vector);
      Value sum = panel.sums[n * vectors + vector];
      FailureOr<Value> worked = last ? workedOn(sum) : sum;
      if (failed(worked))
        return failure();
      storeReal(builder, loc, *worked, target.result.memref, resultIndex());
    }
  return success();
}

LogicalResult ContractionLoops::rowsAndColumns(int64_t termsFrom, int64_t termsTo,
                                               Value termsBlock) {
  Block *body = map.bodyBlock();
  unsigned rank = map.rank();
  Value rowIndex = body->getArgument(rank - 2), columnIndex = body->getArgument(rank - 1);
  int64_t rowCount = map.getUpper()[rank - 2], columnCount = map.getUpper()[rank - 1];
  for (const Segment &columns :
       cut(columnCount, grouping.vectors * target.lanes, grouping.panels, target.lanes)) {
    OpBuilder::InsertionGuard guard(builder);
    int64_t blockWidth = columns.panels * columns.width;
    bool rowsFeed = rowCount / grouping.rows >= fewPanels;
    // Loops count panels, so that an index is known to be a multiple of the width.
    affine::AffineForOp block = open(columnIndex.getLoc(), 0, columns.blocks, 1, !rowsFeed);
    for (const Segment &rows : rowsApart(cut(rowCount, grouping.rows, rowCount, 1))) {
      OpBuilder::InsertionGuard inner(builder);
      affine::AffineForOp row = open(rowIndex.getLoc(), 0, rows.panels, 1, true);
      affine::AffineForOp column = open(columnIndex.getLoc(), 0, columns.panels, 1, true);
      Value rowStart = indexSum({row.getInductionVar()}, {rows.width}, rows.from);
      Value columnStart = indexSum({block.getInductionVar(), column.getInductionVar()},
                                   {blockWidth, columns.width}, columns.from);
      if (failed(panel(rows, columns, rowStart, columnStart, termsFrom, termsTo, termsBlock)))
        return failure();
    }
  }
  return success();
}

/// A loop over the panels of each segment, with what `body` makes of it.
LogicalResult ContractionLoops::overPanels(ArrayRef<Segment> segments, Location loc,
                                           bool independent, PanelBody body) {
  for (const Segment &segment : segments) {
    OpBuilder::InsertionGuard guard(builder);
    if (failed(body(segment, open(loc, 0, segment.panels, 1, independent))))
      return failure();
  }
  return success();
}

/// Where one of a segment's panels begins.
Value ContractionLoops::startOf(const Segment &segment, affine::AffineForOp panels) {
  return indexSum({panels.getInductionVar()}, {segment.width}, segment.from);
}

/// Loops over dimensions before rows and columns: one for each run of values that have the same
/// terms, one behind the other.
LogicalResult ContractionLoops::overDimensions(unsigned first, unsigned end,
                                               function_ref<LogicalResult()> body) {
  if (first == end)
    return body();
  BlockArgument index = map.bodyBlock()->getArgument(first);
  for (Run run : runsOf(map, within, first)) {
    OpBuilder::InsertionGuard guard(builder);
    auto loop = open(index.getLoc(), run.lower, run.upper, 1, true);
    target.scalars.map(index, loop.getInductionVar());
    at[first] = run.lower;
    if (failed(overDimensions(first + 1, end, body)))
      return failure();
  }
  return success();
}

/// Panels of rows by the terms that their rows have: those in a segment have the same.
SmallVector<Segment> ContractionLoops::rowsApart(ArrayRef<Segment> segments) {
  unsigned row = map.rank() - 2;
  if (llvm::none_of(within, [&](const Within &one) { return one.dim == row; }))
    return llvm::to_vector(segments);
  auto areAlike = [&](int64_t from, int64_t other, int64_t width) {
    for (int64_t n = 0; n < width; ++n)
      if (!haveSameTerms(map, within, row, from + n, other + n))
        return false;
    return true;
  };
  SmallVector<Segment> apart;
  for (const Segment &segment : segments)
    for (int64_t panel = 0; panel < segment.blocks * segment.panels; ++panel) {
      int64_t from = segment.from + panel * segment.width;
      if (panel == 0 || !areAlike(apart.back().from, from, segment.width))
        apart.push_back({from, 1, 0, segment.width, segment.back});
      ++apart.back().panels;
    }
  return apart;
}

/// All terms at once: panels of rows, in each the loop over `dim`, in that panels of columns.
LogicalResult ContractionLoops::rowsWithin(unsigned dim) {
  bool rowsFeed = rowCount() / grouping.rows >= fewPanels;
  return overPanels(wholeRows(), rowLoc(), rowsFeed, [&](const Segment &rows, auto ofRows) {
    return overDimensions(dim, dim + 1, [&] {
      Value row = startOf(rows, ofRows);
      return overPanels(wholeColumns(), columnLoc(), true,
                        [&](const Segment &columns, auto ofColumns) {
                          return panel(rows, columns, row, startOf(columns, ofColumns), 0,
                                       reduce.getUpper()[0], {});
                        });
    });
  });
}

/// All terms at once: panels of columns, in each the loops over the dimensions from `first` on, in
/// these panels of rows.
LogicalResult ContractionLoops::withinColumns(unsigned first) {
  return overPanels(wholeColumns(), columnLoc(), true, [&](const Segment &columns, auto ofColumns) {
    return overDimensions(first, map.rank() - 2, [&] {
      Value column = startOf(columns, ofColumns);
      return overPanels(wholeRows(), rowLoc(), true, [&](const Segment &rows, auto ofRows) {
        return panel(rows, columns, startOf(rows, ofRows), column, 0, reduce.getUpper()[0], {});
      });
    });
  });
}

/// The loops over rows, columns and terms as they are.
LogicalResult ContractionLoops::plain() {
  Location loc = map.getLoc();
  affine::AffineForOp inner;
  for (unsigned dim = map.rank() - 2; dim < map.rank(); ++dim) {
    Value index = map.bodyBlock()->getArgument(dim);
    inner = open(index.getLoc(), 0, map.getUpper()[dim], 1, true);
    target.scalars.map(index, inner.getInductionVar());
  }
  inner->setAttr(sharedMark, builder.getUnitAttr());
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getFloatAttr(product.getType(), 0.0));
  SmallVector<affine::AffineForOp> terms;
  Value sum = zero;
  for (unsigned dim = 0; dim < reduce.rank(); ++dim) {
    Value index = reduce.bodyBlock()->getArgument(dim);
    terms.push_back(open(index.getLoc(), 0, reduce.getUpper()[dim], 1, false, sum));
    target.scalars.map(index, terms.back().getInductionVar());
    sum = terms.back().getRegionIterArgs().front();
  }
  FailureOr<Value> ofRow = factor(left), ofColumn = factor(right);
  if (failed(ofRow) || failed(ofColumn))
    return failure();
  if (target.fma)
    sum = math::FmaOp::create(builder, loc, *ofRow, *ofColumn, sum);
  else
    sum = arith::AddFOp::create(builder, loc, sum,
                                arith::MulFOp::create(builder, loc, *ofRow, *ofColumn));
  for (affine::AffineForOp loop : llvm::reverse(terms)) {
    builder.setInsertionPointToEnd(loop.getBody());
    affine::AffineYieldOp::create(builder, loc, sum);
    sum = loop.getResult(0);
    builder.setInsertionPointAfter(loop);
  }
  FailureOr<Value> worked = workedOn(sum);
  if (failed(worked))
    return failure();
  storeReal(builder, loc, *worked, target.result.memref, resultIndex());
  return success();
}

LogicalResult ContractionLoops::run() {
  OpBuilder::InsertionGuard guard(builder);
  Block *body = map.bodyBlock();
  unsigned rank = map.rank();
  bool rowsFirst = grouping.rowsFirst && rank > 2;
  unsigned around = rank - 2 - (rowsFirst ? 1 : grouping.withinColumns);
  // The factor of the row does not vary along the columns.
  left = product.getLhs();
  right = product.getRhs();
  llvm::SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.inclusive = options.omitBlockArguments = true;
  if (failed(getBackwardSlice(left, &slice, options)))
    return failure();
  if (llvm::any_of(slice, [&](Operation *op) {
        return llvm::is_contained(op->getOperands(), body->getArguments().back());
      }))
    std::swap(left, right);
  return overDimensions(0, around, [&] { return inside(around); });
}

/// What is within the loops over the first dimensions.
LogicalResult ContractionLoops::inside(unsigned around) {
  if (grouping.shared)
    return plain();
  if (grouping.rowsFirst && map.rank() > 2)
    return rowsWithin(around);
  if (grouping.withinColumns > 0)
    return withinColumns(around);
  int64_t terms = reduce.getUpper()[0], depth = grouping.depth;
  if (depth == 0 || depth >= terms || reduce.rank() != 1)
    return rowsAndColumns(0, terms, {});
  if (failed(rowsAndColumns(0, depth, {})))
    return failure();
  // What is done with whole sums needs the last block apart.
  bool works = map.yielded().front() != reduce.getResult();
  int64_t whole = (works ? terms - 1 : terms) / depth * depth;
  if (whole > depth) {
    OpBuilder::InsertionGuard blocks(builder);
    auto block = open(reduce.getLoc(), depth, whole, depth, false);
    if (failed(rowsAndColumns(0, depth, block.getInductionVar())))
      return failure();
  }
  return whole < terms ? rowsAndColumns(whole, terms, {}) : success();
}

} // namespace

LogicalResult lowerContraction(MapOp map, const Grouping &grouping, ContractionTarget target) {
  // Fewer columns than lanes are one vector that is not full.
  if (!grouping.shared)
    target.lanes = std::min(target.lanes, map.getUpper().back());
  return ContractionLoops(map, grouping, target).run();
}

} // namespace weft
