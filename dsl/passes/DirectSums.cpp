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
  /// The images' pixels sorted by their remainders by the strides, so many of each.
  Images phases(const Images &x, ArrayRef<int64_t> extents);
  /// Results by planes, [n, group, filter, pixel], in the op's layout.
  Value inLayout(Value planes);
  Value cropped(Value lines, int64_t columns);
  Value placed(Value from, function_ref<void(Indices &)> readOf);
  void alongFilters();
};

DirectSum::Images DirectSum::phases(const Images &x, ArrayRef<int64_t> extents) {
  SmallVector<int64_t> shape = grouped({sizes.N}, {sizes.C});
  unsigned lead = shape.size(), dims = sizes.dims();
  llvm::append_range(shape, sizes.stride);
  llvm::append_range(shape, extents);
  auto [ranges, store] = over(shape);
  Indices read(store.begin(), store.begin() + lead);
  for (unsigned n = 0; n < dims; ++n)
    read.push_back(dim(lead + dims + n) * sizes.stride[n] + dim(lead + n));
  Value sorted = map(location, shape, ranges, store,
                     [&](OpBuilder &at, ValueRange point) { return pixel(at, x, read, point); });
  return {sorted, ConvLayout::Planes};
}

/// The results, each read at n, group, filter and what `readOf` makes of its pixel.
Value DirectSum::placed(Value from, function_ref<void(Indices &)> readOf) {
  Lead first = lead();
  SmallVector<Range> ranges = first.ranges;
  Indices pixel, read = first.logical;
  for (int64_t extent : sizes.result) {
    pixel.push_back(dim(ranges.size()));
    ranges.push_back({0, extent});
  }
  Indices place = resultPlace(first, pixel);
  readOf(pixel);
  llvm::append_range(read, pixel);
  return map(location, resultShape(), ranges, place, [&](OpBuilder &at, ValueRange point) {
    return extractAt(at, inner, from, read, point);
  });
}

Value DirectSum::inLayout(Value planes) {
  return outLayout == ConvLayout::Planes ? planes : placed(planes, [](Indices &) {});
}

/// What lies in the columns of the result, of lines of so many columns one behind the other.
Value DirectSum::cropped(Value lines, int64_t columns) {
  return placed(lines, [&](Indices &pixel) {
    AffineExpr column = pixel.pop_back_val();
    pixel.back() = pixel.back() * columns + column;
  });
}

void DirectSum::alongFilters() {
  Images x = images(sizes.padded(), false);
  Value g = filters();
  // [n, group, block of filters, pixel, filter]; results of a group lie behind the pixel.
  bool inBlocks = outLayout == ConvLayout::Blocks;
  SmallVector<int64_t> points = grouped({sizes.N}, {});
  if (inBlocks)
    points.push_back(sizes.K / channelBlock);
  unsigned pixel = points.size(), filter = pixel + sizes.dims();
  llvm::append_range(points, sizes.result);
  points.push_back(inBlocks ? channelBlock : sizes.K);
  SmallVector<unsigned> order = llvm::to_vector(llvm::seq<unsigned>(0, points.size()));
  // The group to the filters.
  if (!inBlocks && sizes.G > 1)
    std::rotate(order.begin() + 1, order.begin() + 2, order.begin() + filter);
  SmallVector<Range> ranges;
  SmallVector<int64_t> shape;
  Indices store;
  for (int64_t extent : points)
    ranges.push_back({0, extent});
  for (unsigned n : order) {
    shape.push_back(points[n]);
    store.push_back(dim(n));
  }
  // Terms: the place in the filter, then channels: those side by side are read one after the
  // other, those of a block in a loop of their own.
  bool byBlocks = x.layout == ConvLayout::Blocks && sizes.C % channelBlock == 0;
  SmallVector<int64_t> terms(ArrayRef<int64_t>(sizes.filter));
  unsigned firstTerm = points.size();
  AffineExpr c = dim(firstTerm + sizes.dims()), block = c, within;
  if (byBlocks) {
    terms.append({sizes.C / channelBlock, channelBlock});
    within = dim(firstTerm + sizes.dims() + 1);
    c = block * channelBlock + within;
  } else {
    terms.push_back(sizes.C);
  }
  Indices ofFilter, ofImage{dim(0)};
  if (sizes.G > 1) {
    ofFilter.push_back(dim(1));
    if (byBlocks)
      block = dim(1) * (sizes.C / channelBlock) + block;
    else
      ofImage.push_back(dim(1));
  }
  ofFilter.append({inBlocks ? dim(pixel - 1) * channelBlock + dim(filter) : dim(filter), c});
  ofImage.push_back(block);
  for (unsigned n = 0; n < sizes.dims(); ++n) {
    ofFilter.push_back(dim(firstTerm + n));
    ofImage.push_back(dim(pixel + n) * sizes.stride[n] + dim(firstTerm + n));
  }
  if (byBlocks)
    ofImage.push_back(within);
  Value sums = map(location, shape, ranges, store, [&](OpBuilder &at, ValueRange point) {
    return sumOfProducts(at, terms, [&](OpBuilder &within, ValueRange term) {
      SmallVector<Value> all(point);
      llvm::append_range(all, term);
      Value left = byBlocks ? extractAt(within, inner, x.tensor, ofImage, all)
                            : this->pixel(within, x, ofImage, all);
      Value right = extractAt(within, inner, g, ofFilter, all);
      return std::pair(left, right);
    });
  });
  finish(sums);
}

void DirectSum::expand(DirectForm form) {
  if (form == DirectForm::Filters)
    return alongFilters();
  unsigned dims = sizes.dims();
  ConvSizes::Extents phase, joined;
  for (unsigned n = 0; n < dims; ++n) {
    phase.push_back(sizes.phase(n));
    joined.push_back(sizes.phase(n) * sizes.stride[n]);
  }
  bool isPlain = form == DirectForm::Plain, flat = form == DirectForm::Flat;
  bool inPhases = !isPlain && sizes.hasStrides();
  Images x = inPhases ? images(joined, false) : images(sizes.padded(), !isPlain);
  Value g = filters();
  if (inPhases)
    x = phases(x, phase);
  SmallVector<int64_t> shape = grouped({sizes.N}, {sizes.K});
  unsigned lead = shape.size() - 1; // [n] or [n, group]; then k, the pixel, c, its place in g
  llvm::append_range(shape, sizes.result);
  int64_t columns = phase.back();
  if (flat) {
    SmallVector<int64_t> lines(cast<RankedTensorType>(x.tensor.getType()).getShape());
    int64_t last = lines.pop_back_val();
    lines.back() *= last;
    x.tensor = reshaped(x.tensor, lines);
    shape.pop_back();
    shape.back() = sizes.flatColumns();
  }
  auto [ranges, store] = over(shape);
  unsigned firstTerm = shape.size() + 1;
  AffineExpr k = dim(lead), c = dim(firstTerm - 1);
  Indices ofImage(store.begin(), store.begin() + lead),
      ofFilter(store.begin() + 1, store.begin() + lead);
  ofFilter.append({k, c});
  ofImage.push_back(c);
  Indices remainders, places;
  for (unsigned n = 0; n < dims; ++n) {
    AffineExpr own = dim(firstTerm + n), from = dim(lead + 1 + n);
    int64_t step = sizes.stride[n];
    ofFilter.push_back(own);
    remainders.push_back(own % step);
    AffineExpr further = inPhases ? own.floorDiv(step) : own;
    // The last two dimensions of a pixel have one index where rows are as one.
    if (flat && n + 1 == dims)
      places.back() = places.back() + further;
    else if (flat && n + 2 == dims)
      places.push_back(from + further * columns);
    else
      places.push_back(isPlain ? from * step + own : from + further);
  }
  if (inPhases)
    llvm::append_range(ofImage, remainders);
  llvm::append_range(ofImage, places);
  SmallVector<int64_t> terms{sizes.C};
  llvm::append_range(terms, sizes.filter);
  Value sums = map(location, shape, ranges, store, [&](OpBuilder &at, ValueRange point) {
    return sumOfProducts(at, terms, [&](OpBuilder &within, ValueRange term) {
      SmallVector<Value> all(point);
      llvm::append_range(all, term);
      // Of those by remainders, which have more indices than a pixel, as they lie.
      Value left = x.layout == ConvLayout::Planes ? extractAt(within, inner, x.tensor, ofImage, all)
                                                  : pixel(within, x, ofImage, all);
      Value right = extractAt(within, inner, g, ofFilter, all);
      return std::pair(left, right);
    });
  });
  finish(flat ? cropped(sums, columns) : inLayout(sums));
}

} // namespace

void expandDirect(ConvOp op, DirectForm form) { DirectSum(op).expand(form); }

} // namespace weft
