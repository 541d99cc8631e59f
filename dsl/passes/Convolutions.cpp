//===- Convolutions.cpp - a convolution by one of its algorithms ----------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/Convolutions.h"

#include "passes/ButterflyMaps.h"
#include "passes/ConvolutionMaps.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace weft {

ConvSizes ConvSizes::of(ConvOp op) {
  auto shapeOf = [](Value value) { return cast<RankedTensorType>(value.getType()).getShape(); };
  auto x = *extentsOf(*convLayoutNamed(op.getLayout()), shapeOf(op.getInput()));
  auto y = *extentsOf(*convLayoutNamed(op.getOutLayout()), shapeOf(op.getResult()));
  ArrayRef<int64_t> g = shapeOf(op.getFilters());
  auto groups = static_cast<int64_t>(op.getGroups());
  return {x[0], groups, x[1] / groups, x[2], x[3], g[0] / groups, g[2], g[3], y[2], y[3]};
}

std::optional<int64_t> filtersSideBySide(const ConvSizes &sizes, ConvLayout outLayout) {
  if (outLayout == ConvLayout::NHWC)
    return sizes.K;
  if (outLayout == ConvLayout::NCHW16c && sizes.K % channelBlock == 0)
    return channelBlock;
  return std::nullopt;
}

namespace {

class WinogradSum : ConvolutionMaps {
public:
  using ConvolutionMaps::ConvolutionMaps;
  void expand(DictionaryAttr transform);

private:
  Value transformed(Value value, StringRef matrix, DictionaryAttr transform);
  Value untiled(Value tiles, int64_t m);
};

/// matrix * value * its transpose, on the last two dimensions.
Value WinogradSum::transformed(Value value, StringRef matrix, DictionaryAttr transform) {
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
Value WinogradSum::untiled(Value tiles, int64_t m) {
  SmallVector<int64_t> shape = resultShape();
  Lead first = lead();
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
      SmallVector<Range> ranges = first.ranges;
      // In the order of the result: tile row, row, tile column, column.
      unsigned tile = ranges.size();
      ranges.append({row.tile, {0, row.within}, column.tile, {0, column.within}});
      Indices read = first.logical;
      read.append({dim(tile), dim(tile + 2), dim(tile + 1), dim(tile + 3)});
      Indices store =
          resultPlace(first, dim(tile) * m + dim(tile + 1), dim(tile + 2) * m + dim(tile + 3));
      made = map(
          location, shape, ranges, store,
          [&](OpBuilder &at, ValueRange point) { return extractAt(at, inner, tiles, read, point); },
          made);
    }
  return made;
}

void WinogradSum::expand(DictionaryAttr transform) {
  int64_t m = cast<IntegerAttr>(transform.get("m")).getInt(), n = m + sizes.R - 1;
  int64_t down = llvm::divideCeil(sizes.rows, m), across = llvm::divideCeil(sizes.columns, m);
  Images x = images(m * down + sizes.R - 1, m * across + sizes.S - 1, false);

  SmallVector<int64_t> shape = grouped({sizes.N}, {sizes.C, down, across, n, n});
  auto [ranges, store] = over(shape);
  unsigned tile = shape.size() - 4;
  Value tiles = map(location, shape, ranges, store, [&](OpBuilder &at, ValueRange point) {
    Indices read(store.begin(), store.begin() + tile);
    read.push_back(dim(tile) * m + dim(tile + 2));
    read.push_back(dim(tile + 1) * m + dim(tile + 3));
    return pixel(at, x, read, point);
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

void expandWinograd(ConvOp op, DictionaryAttr transform) { WinogradSum(op).expand(transform); }

} // namespace weft
