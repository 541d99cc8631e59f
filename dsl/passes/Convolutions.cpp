//===- Convolutions.cpp - a convolution by one of its algorithms ----------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/Convolutions.h"

#include "passes/ButterflyMaps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace weft {

ConvSizes ConvSizes::of(ConvOp op) {
  auto x = cast<RankedTensorType>(op.getInput().getType());
  auto g = cast<RankedTensorType>(op.getFilters().getType());
  auto y = cast<RankedTensorType>(op.getType());
  auto groups = static_cast<int64_t>(op.getGroups());
  return {x.getDimSize(0), groups,          x.getDimSize(1) / groups,
          x.getDimSize(2), x.getDimSize(3), g.getDimSize(0) / groups,
          g.getDimSize(2), g.getDimSize(3), y.getDimSize(2),
          y.getDimSize(3)};
}

namespace {

using Indices = SmallVector<AffineExpr>;

/// From `lower` to `upper`, in one dimension of a map.
struct Range {
  int64_t lower, upper;
};

class Expansion {
public:
  explicit Expansion(ConvOp op)
      : op(op), builder(op), location(op.getLoc()), inner(unnamed(op.getLoc())),
        context(op.getContext()), sizes(ConvSizes::of(op)),
        element(cast<RankedTensorType>(op.getType()).getElementType()) {}

  void direct(DirectForm form);
  void winograd(DictionaryAttr transform);

private:
  using Body = llvm::function_ref<Value(OpBuilder &, ValueRange)>;

  AffineExpr dim(unsigned n) { return getAffineDimExpr(n, context); }
  /// The first dimensions of images, [n] or [n, group]; of filters none or [group].
  SmallVector<int64_t> grouped(ArrayRef<int64_t> before, ArrayRef<int64_t> after);
  Value reshaped(Value value, ArrayRef<int64_t> shape);
  /// A map over `ranges` that stores one element a point.
  Value map(Location where, ArrayRef<int64_t> shape, ArrayRef<Range> ranges, const Indices &store,
            Body body, Value init = {});
  Value zero(OpBuilder &at);
  Value sumOfProducts(OpBuilder &at, ArrayRef<int64_t> terms,
                      llvm::function_ref<std::pair<Value, Value>(OpBuilder &, ValueRange)> factors);
  /// The images by groups within `rows` x `columns`, zero around them.
  Value images(int64_t rows, int64_t columns);
  /// The images' rows and columns sorted by their remainders by the strides.
  Value phases(Value x, int64_t rows, int64_t columns);
  Value cropped(Value lines, int64_t columns);
  Value filters();
  Value transformed(Value value, StringRef matrix, DictionaryAttr transform);
  Value untiled(Value tiles, int64_t m);
  void finish(Value result);

  ConvOp op;
  OpBuilder builder;
  Location location, inner;
  MLIRContext *context;
  ConvSizes sizes;
  Type element;
};

SmallVector<int64_t> Expansion::grouped(ArrayRef<int64_t> before, ArrayRef<int64_t> after) {
  SmallVector<int64_t> shape(before);
  if (sizes.G > 1)
    shape.push_back(sizes.G);
  llvm::append_range(shape, after);
  return shape;
}

Value Expansion::reshaped(Value value, ArrayRef<int64_t> shape) {
  if (cast<RankedTensorType>(value.getType()).getShape() == shape)
    return value;
  return ReshapeOp::create(builder, location, RankedTensorType::get(shape, element), value);
}

Value Expansion::map(Location where, ArrayRef<int64_t> shape, ArrayRef<Range> ranges,
                     const Indices &store, Body body, Value init) {
  SmallVector<int64_t> lower, upper;
  for (Range range : ranges) {
    lower.push_back(range.lower);
    upper.push_back(range.upper);
  }
  auto made = MapOp::create(
      builder, where, TypeRange{RankedTensorType::get(shape, element)}, lower, upper,
      init ? ValueRange{init} : ValueRange{},
      builder.getAffineMapArrayAttr({AffineMap::get(ranges.size(), 0, store, context)}), nullptr);
  Block *block = &made.getBody().emplaceBlock();
  for (size_t n = 0; n < ranges.size(); ++n)
    block->addArgument(builder.getIndexType(), inner);
  OpBuilder at = OpBuilder::atBlockBegin(block);
  Value value = body(at, block->getArguments());
  YieldOp::create(at, inner, value);
  return made.getResult(0);
}

Value Expansion::zero(OpBuilder &at) {
  if (auto type = dyn_cast<ComplexType>(element)) {
    Attribute part = at.getFloatAttr(type.getElementType(), 0.0);
    return complex::ConstantOp::create(at, inner, type, at.getArrayAttr({part, part}));
  }
  return arith::ConstantOp::create(at, inner, at.getFloatAttr(element, 0.0));
}

Value Expansion::sumOfProducts(
    OpBuilder &at, ArrayRef<int64_t> terms,
    llvm::function_ref<std::pair<Value, Value>(OpBuilder &, ValueRange)> factors) {
  SmallVector<int64_t> lower(terms.size(), 0);
  auto sum = ReduceOp::create(at, inner, element, at.getStringAttr("sum"), lower, terms);
  Block *block = &sum.getBody().emplaceBlock();
  for (size_t n = 0; n < terms.size(); ++n)
    block->addArgument(at.getIndexType(), inner);
  OpBuilder within = OpBuilder::atBlockBegin(block);
  auto [left, right] = factors(within, block->getArguments());
  Value product;
  if (isa<ComplexType>(element))
    product = complex::MulOp::create(within, inner, left, right);
  else
    product = arith::MulFOp::create(within, inner, left, right);
  YieldOp::create(within, inner, product);
  return sum.getResult();
}

Value Expansion::images(int64_t rows, int64_t columns) {
  Value x = reshaped(op.getInput(), grouped({sizes.N}, {sizes.C, sizes.H, sizes.W}));
  if (rows == sizes.H && columns == sizes.W)
    return x;
  SmallVector<int64_t> shape = grouped({sizes.N}, {sizes.C, rows, columns});
  SmallVector<Range> whole;
  Indices store;
  for (auto [n, extent] : llvm::enumerate(shape)) {
    whole.push_back({0, extent});
    store.push_back(dim(n));
  }
  unsigned row = shape.size() - 2, column = row + 1;
  int64_t above = op.getPad()[0], left = op.getPad()[1];
  Value made;
  auto box = [&](Range ofRows, Range ofColumns, bool inside) {
    ofRows.upper = std::min(ofRows.upper, rows);
    ofColumns.upper = std::min(ofColumns.upper, columns);
    if (ofRows.lower >= ofRows.upper || ofColumns.lower >= ofColumns.upper)
      return;
    SmallVector<Range> ranges = whole;
    ranges[row] = ofRows;
    ranges[column] = ofColumns;
    if (!made)
      made = tensor::EmptyOp::create(builder, location, shape, element);
    made = map(
        location, shape, ranges, store,
        [&](OpBuilder &at, ValueRange point) {
          if (!inside)
            return zero(at);
          Indices read = store;
          read[row] = read[row] - above;
          read[column] = read[column] - left;
          return extractAt(at, inner, x, read, point);
        },
        made);
  };
  int64_t bottom = above + sizes.H, right = left + sizes.W;
  box({0, above}, {0, columns}, false);
  box({bottom, rows}, {0, columns}, false);
  box({above, bottom}, {0, left}, false);
  box({above, bottom}, {right, columns}, false);
  box({above, bottom}, {left, right}, true);
  return made;
}

Value Expansion::filters() {
  return reshaped(op.getFilters(), grouped({}, {sizes.K, sizes.C, sizes.R, sizes.S}));
}

void Expansion::finish(Value result) {
  op.replaceAllUsesWith(reshaped(result, cast<RankedTensorType>(op.getType()).getShape()));
  op.erase();
}

Value Expansion::phases(Value x, int64_t rows, int64_t columns) {
  int64_t down = op.getStride()[0], across = op.getStride()[1];
  SmallVector<int64_t> shape = grouped({sizes.N}, {sizes.C, down, across, rows, columns});
  SmallVector<Range> ranges;
  Indices store, read;
  for (auto [n, extent] : llvm::enumerate(shape)) {
    ranges.push_back({0, extent});
    store.push_back(dim(n));
  }
  unsigned lead = shape.size() - 4;
  read.append(store.begin(), store.begin() + lead);
  read.push_back(dim(lead + 2) * down + dim(lead));
  read.push_back(dim(lead + 3) * across + dim(lead + 1));
  return map(location, shape, ranges, store,
             [&](OpBuilder &at, ValueRange point) { return extractAt(at, inner, x, read, point); });
}

void Expansion::direct(DirectForm form) {
  int64_t down = op.getStride()[0], across = op.getStride()[1];
  int64_t rows = sizes.phaseRows(down), columns = sizes.phaseColumns(across);
  bool inPhases = form != DirectForm::Plain && down * across > 1;
  bool flat = form == DirectForm::Flat;
  Value x = inPhases ? images(rows * down, columns * across)
                     : images(sizes.H + 2 * op.getPad()[0], sizes.W + 2 * op.getPad()[1]);
  Value g = filters();
  if (inPhases)
    x = phases(x, rows, columns);
  int64_t pixels = (sizes.rows - 1) * columns + sizes.columns;
  SmallVector<int64_t> shape = grouped({sizes.N}, {sizes.K});
  if (flat) {
    x = reshaped(x, grouped({sizes.N}, inPhases ? ArrayRef{sizes.C, down, across, rows * columns}
                                                : ArrayRef{sizes.C, rows * columns}));
    shape.push_back(pixels);
  } else {
    shape.append({sizes.rows, sizes.columns});
  }
  SmallVector<Range> ranges;
  Indices store;
  for (auto [n, extent] : llvm::enumerate(shape)) {
    ranges.push_back({0, extent});
    store.push_back(dim(n));
  }
  unsigned lead =
      llvm::size(grouped({sizes.N}, {})); // [n] or [n, group]; then k, the point, c, r, s
  AffineExpr k = dim(lead), c = dim(shape.size()), r = dim(shape.size() + 1),
             s = dim(shape.size() + 2);
  Indices ofImage(store.begin(), store.begin() + lead),
      ofFilter(store.begin() + 1, store.begin() + lead);
  llvm::append_range(ofFilter, Indices{k, c, r, s});
  ofImage.push_back(c);
  AffineExpr below = r, beside = s;
  if (inPhases) {
    ofImage.append({r % down, s % across});
    below = r.floorDiv(down);
    beside = s.floorDiv(across);
  }
  AffineExpr i = dim(lead + 1), j = dim(lead + 2);
  if (flat)
    ofImage.push_back(i + below * columns + beside);
  else if (inPhases)
    ofImage.append({i + below, j + beside});
  else
    ofImage.append({i * down + r, j * across + s});
  Value sums = map(location, shape, ranges, store, [&](OpBuilder &at, ValueRange point) {
    return sumOfProducts(at, {sizes.C, sizes.R, sizes.S}, [&](OpBuilder &within, ValueRange term) {
      SmallVector<Value> all(point);
      llvm::append_range(all, term);
      Value left = extractAt(within, inner, x, ofImage, all);
      Value right = extractAt(within, inner, g, ofFilter, all);
      return std::pair(left, right);
    });
  });
  finish(flat ? cropped(sums, columns) : sums);
}

/// What lies in the columns of the result, of lines of so many columns one behind the other.
Value Expansion::cropped(Value lines, int64_t columns) {
  SmallVector<int64_t> shape = grouped({sizes.N}, {sizes.K, sizes.rows, sizes.columns});
  SmallVector<Range> ranges;
  Indices store;
  for (auto [n, extent] : llvm::enumerate(shape)) {
    ranges.push_back({0, extent});
    store.push_back(dim(n));
  }
  Indices read(store.begin(), store.end() - 2);
  read.push_back(dim(shape.size() - 2) * columns + dim(shape.size() - 1));
  return map(location, shape, ranges, store, [&](OpBuilder &at, ValueRange point) {
    return extractAt(at, inner, lines, read, point);
  });
}

/// matrix * value * its transpose, on the last two dimensions.
Value Expansion::transformed(Value value, StringRef matrix, DictionaryAttr transform) {
  auto table = cast<ElementsAttr>(transform.get(matrix));
  int64_t extent = cast<ShapedType>(table.getType()).getDimSize(0);
  for (unsigned back : {2, 1}) {
    auto type = cast<RankedTensorType>(value.getType());
    int64_t axis = type.getRank() - back;
    SmallVector<int64_t> shape(type.getShape());
    shape[axis] = extent;
    value = WinogradTransformOp::create(builder, location, RankedTensorType::get(shape, element),
                                        value, axis, table);
  }
  return value;
}

/// [.., tile row, tile column, m, m] put together to the result's rows and columns.
Value Expansion::untiled(Value tiles, int64_t m) {
  SmallVector<int64_t> shape = grouped({sizes.N}, {sizes.K, sizes.rows, sizes.columns});
  unsigned lead = shape.size() - 2;
  // Whole tiles, then what the last one has left.
  struct Part {
    Range tile;
    int64_t within;
  };
  auto partsOf = [&](int64_t extent) {
    SmallVector<Part> parts;
    if (extent / m)
      parts.push_back({{0, extent / m}, m});
    if (extent % m)
      parts.push_back({{extent / m, extent / m + 1}, extent % m});
    return parts;
  };
  SmallVector<Part> ofRows = partsOf(sizes.rows), ofColumns = partsOf(sizes.columns);
  Value made;
  if (ofRows.size() * ofColumns.size() > 1)
    made = tensor::EmptyOp::create(builder, location, shape, element);
  for (const Part &row : ofRows)
    for (const Part &column : ofColumns) {
      SmallVector<Range> ranges;
      Indices store, read;
      for (unsigned n = 0; n < lead; ++n) {
        ranges.push_back({0, shape[n]});
        store.push_back(dim(n));
        read.push_back(dim(n));
      }
      // In the order of the result: tile row, row, tile column, column.
      for (const Part *part : {&row, &column}) {
        unsigned first = ranges.size();
        ranges.push_back(part->tile);
        ranges.push_back({0, part->within});
        store.push_back(dim(first) * m + dim(first + 1));
      }
      llvm::append_range(read, Indices{dim(lead), dim(lead + 2), dim(lead + 1), dim(lead + 3)});
      made = map(
          location, shape, ranges, store,
          [&](OpBuilder &at, ValueRange point) { return extractAt(at, inner, tiles, read, point); },
          made);
    }
  return made;
}

void Expansion::winograd(DictionaryAttr transform) {
  int64_t m = cast<IntegerAttr>(transform.get("m")).getInt(), n = m + sizes.R - 1;
  int64_t down = llvm::divideCeil(sizes.rows, m), across = llvm::divideCeil(sizes.columns, m);
  Value x = images(m * down + sizes.R - 1, m * across + sizes.S - 1);

  SmallVector<int64_t> shape = grouped({sizes.N}, {sizes.C, down, across, n, n});
  SmallVector<Range> ranges;
  Indices store;
  for (auto [number, extent] : llvm::enumerate(shape)) {
    ranges.push_back({0, extent});
    store.push_back(dim(number));
  }
  unsigned tile = shape.size() - 4;
  Value tiles = map(location, shape, ranges, store, [&](OpBuilder &at, ValueRange point) {
    Indices read(store.begin(), store.begin() + tile);
    read.push_back(dim(tile) * m + dim(tile + 2));
    read.push_back(dim(tile + 1) * m + dim(tile + 3));
    return extractAt(at, inner, x, read, point);
  });
  Value v = transformed(tiles, "BT", transform), u = transformed(filters(), "G", transform);

  ranges[tile - 1].upper = shape[tile - 1] = sizes.K;
  Value products = map(location, shape, ranges, store, [&](OpBuilder &at, ValueRange point) {
    return sumOfProducts(at, {sizes.C}, [&](OpBuilder &within, ValueRange term) {
      SmallVector<Value> all(point);
      llvm::append_range(all, term);
      AffineExpr c = dim(shape.size());
      Indices ofFilter;
      for (unsigned number = 1; number < tile; ++number)
        ofFilter.push_back(dim(number));
      llvm::append_range(ofFilter, Indices{c, dim(tile + 2), dim(tile + 3)});
      Indices ofImage = store;
      ofImage[tile - 1] = c;
      Value left = extractAt(within, inner, u, ofFilter, all);
      Value right = extractAt(within, inner, v, ofImage, all);
      return std::pair(left, right);
    });
  });
  finish(untiled(transformed(products, "AT", transform), m));
}

} // namespace

void expandDirect(ConvOp op, DirectForm form) { Expansion(op).direct(form); }

void expandWinograd(ConvOp op, DictionaryAttr transform) { Expansion(op).winograd(transform); }

} // namespace weft
