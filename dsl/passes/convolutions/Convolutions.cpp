//===- Convolutions.cpp - a convolution by one of its algorithms ----------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/convolutions/Convolutions.h"

#include "passes/convolutions/ConvolutionMaps.h"
#include "passes/convolutions/WinogradTiles.h"
#include "passes/transforms/ButterflyMaps.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace weft {

ConvSizes ConvSizes::of(ConvOp op) {
  auto shapeOf = [](Value value) { return cast<RankedTensorType>(value.getType()).getShape(); };
  ArrayRef<int64_t> g = shapeOf(op.getFilters());
  unsigned dims = g.size() - 2;
  auto x = *extentsOf(*convLayoutNamed(op.getLayout(), dims), dims, shapeOf(op.getInput()));
  auto y = *extentsOf(*convLayoutNamed(op.getOutLayout(), dims), dims, shapeOf(op.getResult()));
  auto groups = static_cast<int64_t>(op.getGroups());
  auto pixel = [](ArrayRef<int64_t> extents) { return Extents(extents.drop_front(2)); };
  return {x[0],     groups,   x[1] / groups,        g[0] / groups,          pixel(x),
          pixel(g), pixel(y), Extents(op.getPad()), Extents(op.getStride())};
}

int64_t ConvSizes::productOf(ArrayRef<int64_t> extents) {
  int64_t product = 1;
  for (int64_t extent : extents)
    product *= extent;
  return product;
}

ConvSizes::Extents ConvSizes::padded() const {
  Extents extents;
  for (auto [extent, border] : llvm::zip(image, pad))
    extents.push_back(extent + 2 * border);
  return extents;
}

ConvSizes ConvSizes::sampled() const {
  ConvSizes unit = *this;
  if (window() != 1 || llvm::any_of(pad, [](int64_t border) { return border != 0; }))
    return unit;
  unit.image = unit.result;
  unit.stride.assign(dims(), 1);
  return unit;
}

int64_t ConvSizes::flatColumns() const {
  return (result[dims() - 2] - 1) * phase(dims() - 1) + result.back();
}

std::optional<int64_t> filtersSideBySide(const ConvSizes &sizes, ConvLayout outLayout) {
  if (outLayout == ConvLayout::ChannelsLast)
    return sizes.K;
  if (outLayout == ConvLayout::Blocks && sizes.K % channelBlock == 0)
    return channelBlock;
  return std::nullopt;
}

bool isChannelByChannel(const ConvSizes &sizes, ConvLayout layout, ConvLayout outLayout) {
  return sizes.G > 1 && sizes.C == 1 && sizes.K == 1 && layout == outLayout;
}

ConvSizes ConvSizes::asOneGroup() const {
  ConvSizes one = *this;
  one.C *= G;
  one.K *= G;
  one.G = 1;
  return one;
}

ConvSizes ConvSizes::withJoinedRows() const {
  ConvSizes joined = *this;
  if (!isOfPixels() || dims() < 2 || result.back() >= shortRow)
    return joined;
  int64_t &rows = joined.result[dims() - 2], &columns = joined.result.back(), together = 1;
  for (int64_t some = 1; some <= rows && some * columns <= joinedRow; ++some)
    if (rows % some == 0)
      together = some;
  rows /= together;
  columns *= together;
  joined.image = joined.result;
  return joined;
}

namespace {

class WinogradSum : ConvolutionMaps {
public:
  WinogradSum(ConvOp op, DictionaryAttr transform);
  void expand();

private:
  Value transformed(Value value, StringRef matrix);
  Value untiled(Value tiles);

  DictionaryAttr transform;
  SmallVector<TileAxis> axes;
  unsigned transforms; ///< axes that are transformed
};

WinogradSum::WinogradSum(ConvOp op, DictionaryAttr transform)
    : ConvolutionMaps(op), transform(transform), axes(tileAxes(sizes, transform)),
      transforms(llvm::count_if(axes, [](const TileAxis &axis) { return axis.isTransformed; })) {}

/// matrix * value * its transpose, on the last two dimensions; on the last one or three where so
/// many are transformed.
Value WinogradSum::transformed(Value value, StringRef matrix) {
  auto table = cast<ElementsAttr>(transform.get(matrix));
  int64_t extent = cast<ShapedType>(table.getType()).getDimSize(0);
  for (unsigned back = transforms; back > 0; --back) {
    auto type = cast<RankedTensorType>(value.getType());
    int64_t axis = type.getRank() - back;
    SmallVector<int64_t> shape(type.getShape());
    shape[axis] = extent;
    value = WinogradTransformOp::create(builder, location, RankedTensorType::get(shape, element),
                                        value, axis, table);
  }
  return value;
}

/// [.., tile, m of each dimension] put together to the result's pixels.
Value WinogradSum::untiled(Value tiles) {
  SmallVector<int64_t> shape = resultShape();
  Lead first = lead();
  SmallVector<SmallVector<TilePart>> boxes = tileBoxes(sizes, axes);
  Value made;
  if (boxes.size() > 1)
    made = tensor::EmptyOp::create(builder, location, shape, element);
  for (const SmallVector<TilePart> &box : boxes) {
    SmallVector<Range> ranges = first.ranges;
    // In the order of the result: tile row, row, tile column, column.
    Indices tile, within, pixel;
    for (auto [part, axis] : llvm::zip(box, axes)) {
      tile.push_back(dim(ranges.size()));
      ranges.push_back({part.first, part.end});
      pixel.push_back(tile.back());
      if (!axis.isTransformed)
        continue;
      within.push_back(dim(ranges.size()));
      ranges.push_back({0, part.within});
      pixel.back() = tile.back() * axis.m + within.back();
    }
    Indices read = first.logical;
    llvm::append_range(read, tile);
    llvm::append_range(read, within);
    made = map(
        location, shape, ranges, resultPlace(first, pixel),
        [&](OpBuilder &at, ValueRange point) { return extractAt(at, inner, tiles, read, point); },
        made);
  }
  return made;
}

void WinogradSum::expand() {
  ConvSizes::Extents extents, window;
  for (auto [axis, extent] : llvm::zip(axes, sizes.filter)) {
    extents.push_back(axis.step * (axis.tiles - 1) + axis.n);
    if (axis.isTransformed)
      window.push_back(extent);
  }
  Images x = images(extents, layout);

  SmallVector<int64_t> shape = grouped({sizes.N}, {sizes.C});
  unsigned tile = shape.size(), within = tile + axes.size();
  for (const TileAxis &axis : axes)
    shape.push_back(axis.tiles);
  for (const TileAxis &axis : axes)
    if (axis.isTransformed)
      shape.push_back(axis.n);
  auto [ranges, store] = over(shape);
  Value tiles = map(location, shape, ranges, store, [&](OpBuilder &at, ValueRange point) {
    Indices read(store.begin(), store.begin() + tile);
    unsigned next = within;
    for (auto [n, axis] : llvm::enumerate(axes))
      read.push_back(axis.isTransformed ? dim(tile + n) * axis.step + dim(next++) : dim(tile + n));
    return pixel(at, x, read, point);
  });
  SmallVector<int64_t> ofFilters = grouped({}, {sizes.K, sizes.C});
  llvm::append_range(ofFilters, window);
  Value v = transformed(tiles, "BT"), u = transformed(reshaped(op.getFilters(), ofFilters), "G");

  ranges[tile - 1].upper = shape[tile - 1] = sizes.K;
  Value products = map(location, shape, ranges, store, [&](OpBuilder &at, ValueRange point) {
    return sumOfProducts(at, {sizes.C}, [&](OpBuilder &term, ValueRange channel) {
      SmallVector<Value> all(point);
      llvm::append_range(all, channel);
      AffineExpr c = dim(shape.size());
      Indices ofFilter;
      for (unsigned number = 1; number < tile; ++number)
        ofFilter.push_back(dim(number));
      ofFilter.push_back(c);
      for (unsigned number = within; number < shape.size(); ++number)
        ofFilter.push_back(dim(number));
      Indices ofImage = store;
      ofImage[tile - 1] = c;
      Value left = extractAt(term, inner, u, ofFilter, all);
      Value right = extractAt(term, inner, v, ofImage, all);
      return std::pair(left, right);
    });
  });
  finish(untiled(transformed(products, "AT")));
}

} // namespace

void expandWinograd(ConvOp op, DictionaryAttr transform) { WinogradSum(op, transform).expand(); }

} // namespace weft
