//===- DirectSums.cpp - a convolution as the sum that it is ---------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// In the order that suits vectors: along rows of images in planes, or along filters, where results
// have those side by side. Images and results of other layouts go through planes.
//
//===-----------------------------------------------------------------------===//

#include "passes/ButterflyMaps.h"
#include "passes/ConvolutionMaps.h"

using namespace mlir;

namespace weft {

namespace {

class DirectSum : ConvolutionMaps {
public:
  using ConvolutionMaps::ConvolutionMaps;
  void expand(DirectForm form);

private:
  /// The images' rows and columns sorted by their remainders by the strides.
  Images phases(const Images &x, int64_t rows, int64_t columns);
  /// Results by planes, [n, group, filter, row, column], in the op's layout.
  Value inLayout(Value planes);
  Value cropped(Value lines, int64_t columns);
  void alongFilters();
};

DirectSum::Images DirectSum::phases(const Images &x, int64_t rows, int64_t columns) {
  int64_t down = op.getStride()[0], across = op.getStride()[1];
  SmallVector<int64_t> shape = grouped({sizes.N}, {sizes.C, down, across, rows, columns});
  auto [ranges, store] = over(shape);
  Indices read;
  unsigned lead = shape.size() - 4;
  read.append(store.begin(), store.begin() + lead);
  read.push_back(dim(lead + 2) * down + dim(lead));
  read.push_back(dim(lead + 3) * across + dim(lead + 1));
  Value sorted = map(location, shape, ranges, store,
                     [&](OpBuilder &at, ValueRange point) { return pixel(at, x, read, point); });
  return {sorted, ConvLayout::NCHW};
}

Value DirectSum::inLayout(Value planes) {
  if (outLayout == ConvLayout::NCHW)
    return planes;
  Lead first = lead();
  SmallVector<Range> ranges = first.ranges;
  ranges.append({{0, sizes.rows}, {0, sizes.columns}});
  AffineExpr row = dim(ranges.size() - 2), column = dim(ranges.size() - 1);
  Indices read = first.logical;
  read.append({row, column});
  return map(
      location, resultShape(), ranges, resultPlace(first, row, column),
      [&](OpBuilder &at, ValueRange point) { return extractAt(at, inner, planes, read, point); });
}

/// What lies in the columns of the result, of lines of so many columns one behind the other.
Value DirectSum::cropped(Value lines, int64_t columns) {
  Lead first = lead();
  SmallVector<Range> ranges = first.ranges;
  ranges.append({{0, sizes.rows}, {0, sizes.columns}});
  AffineExpr row = dim(ranges.size() - 2), column = dim(ranges.size() - 1);
  Indices read = first.logical;
  read.push_back(row * columns + column);
  return map(
      location, resultShape(), ranges, resultPlace(first, row, column),
      [&](OpBuilder &at, ValueRange point) { return extractAt(at, inner, lines, read, point); });
}

void DirectSum::alongFilters() {
  int64_t down = op.getStride()[0], across = op.getStride()[1];
  Images x = images(sizes.H + 2 * op.getPad()[0], sizes.W + 2 * op.getPad()[1], false);
  Value g = filters();
  // [n, group, block of filters, row, column, filter]; results of a group lie behind the pixel.
  bool inBlocks = outLayout == ConvLayout::NCHW16c;
  SmallVector<int64_t> points = grouped({sizes.N}, {});
  if (inBlocks)
    points.push_back(sizes.K / channelBlock);
  points.append({sizes.rows, sizes.columns, inBlocks ? channelBlock : sizes.K});
  unsigned row = points.size() - 3, column = row + 1, filter = row + 2;
  SmallVector<unsigned> order;
  for (unsigned n = 0; n < points.size(); ++n)
    order.push_back(n);
  if (!inBlocks && sizes.G > 1)
    order = {0, row, column, 1, filter};
  SmallVector<Range> ranges;
  SmallVector<int64_t> shape;
  Indices store;
  for (int64_t extent : points)
    ranges.push_back({0, extent});
  for (unsigned n : order) {
    shape.push_back(points[n]);
    store.push_back(dim(n));
  }
  // Terms r, s, c: channels side by side are read one after the other, those of a block in a loop
  // of their own.
  bool byBlocks = x.layout == ConvLayout::NCHW16c && sizes.C % channelBlock == 0;
  SmallVector<int64_t> terms{sizes.R, sizes.S};
  AffineExpr r = dim(points.size()), s = dim(points.size() + 1), c = dim(points.size() + 2),
             block = c, within;
  if (byBlocks) {
    terms.append({sizes.C / channelBlock, channelBlock});
    within = dim(points.size() + 3);
    c = block * channelBlock + within;
  } else {
    terms.push_back(sizes.C);
  }
  Indices ofFilter, ofImage{dim(0)};
  if (sizes.G > 1)
    ofFilter.push_back(dim(1));
  ofFilter.append({inBlocks ? dim(row - 1) * channelBlock + dim(filter) : dim(filter), c, r, s});
  AffineExpr i = dim(row) * down + r, j = dim(column) * across + s;
  if (byBlocks) {
    if (sizes.G > 1)
      block = dim(1) * (sizes.C / channelBlock) + block;
    ofImage.append({block, i, j, within});
  } else {
    if (sizes.G > 1)
      ofImage.push_back(dim(1));
    ofImage.append({c, i, j});
  }
  Value sums = map(location, shape, ranges, store, [&](OpBuilder &at, ValueRange point) {
    return sumOfProducts(at, terms, [&](OpBuilder &within, ValueRange term) {
      SmallVector<Value> all(point);
      llvm::append_range(all, term);
      Value left = byBlocks ? extractAt(within, inner, x.tensor, ofImage, all)
                            : pixel(within, x, ofImage, all);
      Value right = extractAt(within, inner, g, ofFilter, all);
      return std::pair(left, right);
    });
  });
  finish(sums);
}

void DirectSum::expand(DirectForm form) {
  if (form == DirectForm::Filters)
    return alongFilters();
  int64_t down = op.getStride()[0], across = op.getStride()[1];
  int64_t rows = sizes.phaseRows(down), columns = sizes.phaseColumns(across);
  bool isPlain = form == DirectForm::Plain, flat = form == DirectForm::Flat;
  bool inPhases = !isPlain && down * across > 1;
  Images x = inPhases
                 ? images(rows * down, columns * across, false)
                 : images(sizes.H + 2 * op.getPad()[0], sizes.W + 2 * op.getPad()[1], !isPlain);
  Value g = filters();
  if (inPhases)
    x = phases(x, rows, columns);
  int64_t pixels = (sizes.rows - 1) * columns + sizes.columns;
  SmallVector<int64_t> shape = grouped({sizes.N}, {sizes.K});
  if (flat) {
    x.tensor = reshaped(
        x.tensor, grouped({sizes.N}, inPhases ? ArrayRef{sizes.C, down, across, rows * columns}
                                              : ArrayRef{sizes.C, rows * columns}));
    shape.push_back(pixels);
  } else {
    shape.append({sizes.rows, sizes.columns});
  }
  auto [ranges, store] = over(shape);
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
      Value left = pixel(within, x, ofImage, all);
      Value right = extractAt(within, inner, g, ofFilter, all);
      return std::pair(left, right);
    });
  });
  finish(flat ? cropped(sums, columns) : inLayout(sums));
}

} // namespace

void expandDirect(ConvOp op, DirectForm form) { DirectSum(op).expand(form); }

} // namespace weft
