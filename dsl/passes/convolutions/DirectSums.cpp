//===- DirectSums.cpp - a convolution as the sum that it is ---------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// In the order that suits vectors: along rows of images in planes, or along filters, where results
// have those side by side. Images and results of other layouts go through planes, or those in
// planes through blocks of channels. Filters that few results use are read as they lie, beside the
// windows of these.
//
//===-----------------------------------------------------------------------===//

#include "passes/convolutions/ChannelSums.h"
#include "passes/convolutions/ConvolutionMaps.h"
#include "passes/transforms/ButterflyMaps.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace weft {

namespace {

class DirectSum : ConvolutionMaps {
public:
  using ConvolutionMaps::ConvolutionMaps;
  void expand(DirectForm form);

private:
  /// Lets the convolution be one of the pixels that it reads, where it has strides and no window.
  void sample();
  /// The images' pixels sorted by their remainders by the strides, so many of each.
  Images phases(const Images &x, ArrayRef<int64_t> extents);
  /// Results by planes, [n, group, filter, pixel], in the op's layout.
  Value inLayout(Value planes);
  Value cropped(Value lines, int64_t columns);
  Value placed(Value from, function_ref<void(Indices &)> readOf);
  void alongFilters(bool throughBlocks);
  void ofPixels();
  void ofWindows();
};

void DirectSum::sample() {
  ConvSizes unit = sizes.sampled();
  if (unit.stride == sizes.stride)
    return;
  Images x = images(sizes.image, layout);
  SmallVector<int64_t> shape(cast<RankedTensorType>(x.tensor.getType()).getShape());
  unsigned first = firstOfPixel(layout, shape.size());
  llvm::copy(unit.image, shape.begin() + first);
  auto [ranges, store] = over(shape);
  Indices read = store;
  for (auto [n, step] : llvm::enumerate(sizes.stride))
    read[first + n] = read[first + n] * step;
  input = map(location, shape, ranges, store, [&](OpBuilder &at, ValueRange point) {
    return extractAt(at, inner, x.tensor, read, point);
  });
  // A copy that is wanted: rows of it lie one behind the other.
  input.getDefiningOp()->setAttr(sortedMark, builder.getUnitAttr());
  sizes = unit;
}

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
  // A copy that is wanted: its pixels are a vector where those of the image are not.
  sorted.getDefiningOp()->setAttr(sortedMark, builder.getUnitAttr());
  return {sorted, ConvLayout::Planes};
}

/// The results, each read at n, group, filter and what `readOf` makes of its pixel.
Value DirectSum::placed(Value from, function_ref<void(Indices &)> readOf) {
  if (sizes.G > 1) {
    // The filters of all groups are turned as one.
    SmallVector<int64_t> shape{sizes.N, sizes.G * sizes.K};
    llvm::append_range(shape, cast<RankedTensorType>(from.getType()).getShape().drop_front(3));
    from = reshaped(from, shape);
    ConvSizes whole = std::exchange(sizes, sizes.asOneGroup());
    Value made = placed(from, readOf);
    sizes = whole;
    return made;
  }
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

void DirectSum::alongFilters(bool throughBlocks) {
  Images x = images(sizes.padded(), throughBlocks ? ConvLayout::Blocks : layout);
  Value g = filters();
  ConvSizes whole = std::exchange(sizes, sizes.withJoinedRows());
  SmallVector<int64_t> logical{sizes.N, sizes.G * sizes.C};
  if (x.layout == ConvLayout::Planes)
    logical = grouped({sizes.N}, {sizes.C});
  llvm::append_range(logical, sizes.padded());
  x.tensor = reshaped(x.tensor, *shapeIn(x.layout, logical));
  // [n, group, block of filters, pixel, filter]; results of a group lie behind the pixel.
  bool inBlocks = throughBlocks || outLayout == ConvLayout::Blocks;
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
  // Terms: blocks of channels, the places in the filter, and channels: those side by side are read
  // one after the other.
  bool byBlocks = x.layout == ConvLayout::Blocks && sizes.C % channelBlock == 0;
  unsigned firstTerm = points.size();
  SmallVector<int64_t> terms;
  AffineExpr ofBlock, within;
  SmallVector<AffineExpr> places;
  auto term = [&](int64_t extent) {
    terms.push_back(extent);
    return dim(firstTerm + terms.size() - 1);
  };
  if (byBlocks)
    ofBlock = term(sizes.C / channelBlock);
  for (int64_t extent : sizes.filter)
    places.push_back(term(extent));
  within = term(byBlocks ? channelBlock : sizes.C);
  Indices ofFilter, ofImage{dim(0)};
  if (sizes.G > 1)
    ofFilter.push_back(dim(1));
  if (byBlocks)
    ofImage.push_back(sizes.G > 1 ? dim(1) * (sizes.C / channelBlock) + ofBlock : ofBlock);
  else if (sizes.G > 1)
    ofImage.append({dim(1), within});
  else
    ofImage.push_back(within);
  ofFilter.push_back(inBlocks ? dim(pixel - 1) * channelBlock + dim(filter) : dim(filter));
  if (byBlocks) {
    // An index for each term, so that panels may have them in the order in which they are added.
    SmallVector<int64_t> split = grouped({}, {sizes.K, sizes.C / channelBlock, channelBlock});
    llvm::append_range(split, sizes.filter);
    g = reshaped(g, split);
    ofFilter.push_back(ofBlock);
  }
  ofFilter.push_back(within);
  for (unsigned n = 0; n < sizes.dims(); ++n) {
    ofFilter.push_back(places[n]);
    ofImage.push_back(dim(pixel + n) * sizes.stride[n] + places[n]);
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
  if (!throughBlocks)
    return finish(sums);
  sizes = whole;
  SmallVector<int64_t> blocks{sizes.N, sizes.K / channelBlock};
  llvm::append_range(blocks, sizes.result);
  blocks.push_back(channelBlock);
  finish(fromBlocks(reshaped(sums, blocks)));
}

void DirectSum::ofPixels() {
  Images x = images(sizes.image, layout);
  // With channels last, of one group: the pixels of all images.
  bool last = layout == ConvLayout::ChannelsLast;
  int64_t all = sizes.N * sizes.pixels();
  auto shapeOf = [&](int64_t channels) {
    return last ? SmallVector<int64_t>{all, channels}
                : grouped({sizes.N}, {channels, sizes.pixels()});
  };
  Value pixels = reshaped(x.tensor, shapeOf(sizes.C));
  Value g = reshaped(op.getFilters(), grouped({}, {sizes.K, sizes.C}));
  SmallVector<int64_t> shape = shapeOf(sizes.K);
  unsigned filter = shape.size() - (last ? 1 : 2);
  auto [ranges, store] = over(shape);
  AffineExpr channel = dim(shape.size());
  Indices ofImage(store), ofFilter(store.begin() + 1, store.begin() + filter + 1);
  ofImage[filter] = channel;
  ofFilter.push_back(channel);
  Value sums = map(location, shape, ranges, store, [&](OpBuilder &at, ValueRange point) {
    return sumOfProducts(at, {sizes.C}, [&](OpBuilder &within, ValueRange term) {
      SmallVector<Value> all(point);
      llvm::append_range(all, term);
      Value left = extractAt(within, inner, pixels, ofImage, all);
      Value right = extractAt(within, inner, g, ofFilter, all);
      return std::pair(left, right);
    });
  });
  finish(sums);
}

/// Of the windows of all results, each with its terms in the order of the filters'.
void DirectSum::ofWindows() {
  Images x = images(sizes.padded(), layout);
  Value g = filters();
  SmallVector<int64_t> shape = grouped({sizes.N}, {}), terms{sizes.C};
  unsigned lead = shape.size(), firstTerm = lead + sizes.dims();
  llvm::append_range(terms, sizes.filter);
  llvm::append_range(shape, sizes.result);
  llvm::append_range(shape, terms);
  auto [ranges, store] = over(shape);
  Indices read(store.begin(), store.begin() + lead);
  read.push_back(dim(firstTerm));
  for (unsigned n = 0; n < sizes.dims(); ++n)
    read.push_back(dim(lead + n) * sizes.stride[n] + dim(firstTerm + 1 + n));
  Value windows = map(location, shape, ranges, store,
                      [&](OpBuilder &at, ValueRange point) { return pixel(at, x, read, point); });
  // A copy that is wanted: what is added lies side by side.
  windows.getDefiningOp()->setAttr(sortedMark, builder.getUnitAttr());
  // [n, group, filter, pixel], then the terms.
  SmallVector<int64_t> planes = grouped({sizes.N}, {sizes.K});
  unsigned filter = planes.size() - 1, term = planes.size() + sizes.dims();
  llvm::append_range(planes, sizes.result);
  auto [points, place] = over(planes);
  Indices ofWindow(place.begin(), place.begin() + filter),
      ofFilter(place.begin() + 1, place.begin() + filter + 1);
  ofWindow.append(place.begin() + filter + 1, place.end());
  for (unsigned n = 0; n < terms.size(); ++n) {
    ofWindow.push_back(dim(term + n));
    ofFilter.push_back(dim(term + n));
  }
  Value sums = map(location, planes, points, place, [&](OpBuilder &at, ValueRange point) {
    return sumOfProducts(at, terms, [&](OpBuilder &within, ValueRange index) {
      SmallVector<Value> all(point);
      llvm::append_range(all, index);
      Value left = extractAt(within, inner, windows, ofWindow, all);
      return std::pair(left, extractAt(within, inner, g, ofFilter, all));
    });
  });
  finish(inLayout(sums));
}

void DirectSum::expand(DirectForm form) {
  // Vectors of planes are of pixels side by side.
  if (form != DirectForm::Plain || layout == ConvLayout::Planes)
    sample();
  if (form == DirectForm::Filters || form == DirectForm::Blocks)
    return alongFilters(form == DirectForm::Blocks);
  if (form == DirectForm::Pixels)
    return ofPixels();
  if (form == DirectForm::Windows)
    return ofWindows();
  unsigned dims = sizes.dims();
  ConvSizes::Extents phase, joined;
  for (unsigned n = 0; n < dims; ++n) {
    phase.push_back(sizes.phase(n));
    joined.push_back(sizes.phase(n) * sizes.stride[n]);
  }
  bool isPlain = form == DirectForm::Plain, flat = form == DirectForm::Flat;
  bool inPhases = !isPlain && sizes.hasStrides();
  Images x = inPhases  ? images(joined, layout)
             : isPlain ? images(sizes.padded(), layout)
                       : images(sizes.padded(), ConvLayout::Planes);
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
  if (flat && !sizes.isOfPixels())
    return finish(cropped(sums, columns));
  // Of single pixels, nothing lies between the rows.
  SmallVector<int64_t> planes = grouped({sizes.N}, {sizes.K});
  llvm::append_range(planes, sizes.result);
  finish(inLayout(reshaped(sums, planes)));
}

} // namespace

void expandDirect(ConvOp op, DirectForm form) {
  if (form == DirectForm::Channels || form == DirectForm::TurnedChannels)
    return expandByChannels(op, form == DirectForm::TurnedChannels);
  DirectSum(op).expand(form);
}

} // namespace weft
