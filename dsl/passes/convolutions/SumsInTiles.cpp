//===- SumsInTiles.cpp - Winograd's algorithm for few channels ------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Products of matrices pay where sums are long: what they give is stored, and loaded again by the
// transform of the results, once for each sum. A sum of three terms takes less time than that. Here
// one map has the products of a tile and a vector of filters, their sums and the transform of these
// to results, in registers: a line of the tile after the other, so that only what lines have become
// waits for the transform of the other dimension.
//
// Vectors lie along filters, as results do, and along the tiles of a row where images are
// transformed. For those, pixels of a row are put in order by what is left of their number by a
// tile's results: the n-th pixels of all tiles lie side by side then.
//
//===-----------------------------------------------------------------------===//

#include "passes/convolutions/ConvolutionMaps.h"
#include "passes/convolutions/WinogradTiles.h"
#include "passes/transforms/ButterflyMaps.h"
#include "passes/transforms/WinogradMaps.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace weft {

namespace {

class SumsInTiles : ConvolutionMaps {
public:
  SumsInTiles(ConvOp op, DictionaryAttr transform)
      : ConvolutionMaps(op), transform(transform), axes(tileAxes(sizes, transform)) {}
  void expand();

private:
  ElementsAttr matrix(StringRef name) { return cast<ElementsAttr>(transform.get(name)); }
  Value inOrder();
  Value transformed(Value value, unsigned firstAxis, StringRef matrix);
  Value ofImages();
  Value ofFilters();
  Value resultsOf(ArrayRef<TilePart> box, Value u, Value v, Value init);

  DictionaryAttr transform;
  SmallVector<TileAxis> axes;
  int64_t side = 0; ///< filters side by side
};

/// Images as [n, c, .., row, what is left by a tile's step, tile], zero around them.
Value SumsInTiles::inOrder() {
  const TileAxis &last = axes.back();
  int64_t columns = last.tiles + (last.n - 1) / last.step;
  ConvSizes::Extents extents;
  for (const TileAxis &axis : axes)
    extents.push_back(axis.step * (axis.tiles - 1) + axis.n);
  extents.back() = columns * last.step;
  Images x = images(extents, layout);
  SmallVector<int64_t> shape{sizes.N, sizes.C};
  shape.append(extents.begin(), std::prev(extents.end()));
  shape.append({last.step, columns});
  auto [ranges, store] = over(shape);
  Indices read(store.begin(), std::prev(store.end(), 2));
  read.push_back(store.back() * last.step + store[store.size() - 2]);
  Value made = map(location, shape, ranges, store,
                   [&](OpBuilder &at, ValueRange point) { return pixel(at, x, read, point); });
  // A copy that is wanted: its pixels are a vector where those of the image are not.
  made.getDefiningOp()->setAttr(sortedMark, builder.getUnitAttr());
  return made;
}

/// By a matrix along each transformed dimension, of which the first one is `firstAxis`.
Value SumsInTiles::transformed(Value value, unsigned firstAxis, StringRef name) {
  ElementsAttr table = matrix(name);
  unsigned along = firstAxis;
  for (const TileAxis &axis : axes) {
    if (!axis.isTransformed)
      continue;
    SmallVector<int64_t> shape(cast<RankedTensorType>(value.getType()).getShape());
    shape[along] = cast<ShapedType>(table.getType()).getDimSize(0);
    value = WinogradTransformOp::create(builder, location, RankedTensorType::get(shape, element),
                                        value, along++, table);
  }
  return value;
}

/// Tiles of images, transformed: [n, tile of all dimensions but the last, c, within the tile, tile
/// of the last dimension].
Value SumsInTiles::ofImages() {
  Value x = inOrder();
  SmallVector<int64_t> shape{sizes.N};
  for (const TileAxis &axis : ArrayRef(axes).drop_back())
    shape.push_back(axis.tiles);
  unsigned channel = shape.size(), first = channel + 1, within = first;
  shape.push_back(sizes.C);
  for (const TileAxis &axis : axes)
    if (axis.isTransformed)
      shape.push_back(axis.n);
  shape.push_back(axes.back().tiles);
  auto [ranges, store] = over(shape);
  Indices read{dim(0), dim(channel)};
  for (auto [n, axis] : llvm::enumerate(ArrayRef(axes).drop_back())) {
    AffineExpr pixel = dim(1 + n) * axis.step;
    read.push_back(axis.isTransformed ? pixel + dim(within++) : pixel);
  }
  const TileAxis &last = axes.back();
  AffineExpr inTile = last.isTransformed ? dim(within) : getAffineConstantExpr(0, context);
  read.push_back(inTile % last.step);
  read.push_back(store.back() + inTile.floorDiv(last.step));
  Value tiles = map(location, shape, ranges, store, [&](OpBuilder &at, ValueRange point) {
    return extractAt(at, inner, x, read, point);
  });
  return transformed(tiles, first, "BT");
}

/// Filters, transformed: [block of filters, c, within the tile, filter of the block].
Value SumsInTiles::ofFilters() {
  SmallVector<int64_t> shape{sizes.K / side, sizes.C};
  unsigned first = shape.size();
  for (auto [axis, extent] : llvm::zip(axes, sizes.filter))
    if (axis.isTransformed)
      shape.push_back(extent);
  shape.push_back(side);
  auto [ranges, store] = over(shape);
  Indices read{dim(0) * side + store.back(), dim(1)};
  unsigned within = first;
  for (const TileAxis &axis : axes)
    read.push_back(axis.isTransformed ? dim(within++) : getAffineConstantExpr(0, context));
  Value g = map(location, shape, ranges, store, [&](OpBuilder &at, ValueRange point) {
    return extractAt(at, inner, op.getFilters(), read, point);
  });
  return transformed(g, first, "G");
}

/// The results of tiles that have as many of them, for all filters.
Value SumsInTiles::resultsOf(ArrayRef<TilePart> box, Value u, Value v, Value init) {
  // n, tiles, the block of filters before the tiles of a row: its filters stay for them all.
  SmallVector<int64_t> lower{0}, upper{sizes.N};
  auto add = [&](int64_t from, int64_t to) {
    lower.push_back(from);
    upper.push_back(to);
    return dim(lower.size() - 1);
  };
  Indices tiles;
  for (const TilePart &part : box.drop_back())
    tiles.push_back(add(part.first, part.end));
  Lead lead;
  lead.block = add(0, sizes.K / side);
  tiles.push_back(add(box.back().first, box.back().end));
  lead.within = add(0, side);
  lead.filter = lead.block * side + lead.within;
  lead.logical = {dim(0), lead.filter};
  AffineExpr block = lead.block, within = lead.within;
  if (outLayout != ConvLayout::Blocks)
    lead.block = lead.within = {};

  // Points of a tile as indices along the transformed dimensions, the last one the fastest.
  auto pointsOf = [&](auto extentOf) {
    SmallVector<SmallVector<int64_t>> points{{}};
    for (auto [axis, part] : llvm::zip(axes, box)) {
      SmallVector<SmallVector<int64_t>> longer;
      for (const SmallVector<int64_t> &point : points)
        for (int64_t n = 0; n < (axis.isTransformed ? extentOf(axis) : 1); ++n) {
          longer.push_back(point);
          longer.back().push_back(n);
        }
      points = std::move(longer);
    }
    return points;
  };
  auto read = pointsOf([](const TileAxis &axis) { return axis.n; });
  auto made = pointsOf([](const TileAxis &axis) { return axis.m; });
  SmallVector<AffineMap> places;
  SmallVector<size_t> wanted;
  for (auto [number, point] : llvm::enumerate(made)) {
    if (llvm::any_of(llvm::zip(point, box),
                     [](auto both) { return std::get<0>(both) >= std::get<1>(both).within; }))
      continue;
    Indices pixel;
    for (auto [tile, axis, at] : llvm::zip(tiles, axes, point))
      pixel.push_back(tile * axis.m + at);
    wanted.push_back(number);
    places.push_back(AffineMap::get(lower.size(), 0, resultPlace(lead, pixel), context));
  }

  auto whole = MapOp::create(
      builder, location, TypeRange{RankedTensorType::get(resultShape(), element)}, lower, upper,
      init ? ValueRange{init} : ValueRange{}, builder.getAffineMapArrayAttr(places), nullptr);
  Block *body = &whole.getBody().emplaceBlock();
  for (size_t n = 0; n < lower.size(); ++n)
    body->addArgument(builder.getIndexType(), inner);
  OpBuilder at = OpBuilder::atBlockBegin(body);
  RealBuilder arithmetic(at, inner, body);
  auto sumAt = [&](size_t number) {
    std::optional<Real> sum;
    for (int64_t c = 0; c < sizes.C; ++c) {
      AffineExpr channel = getAffineConstantExpr(c, context);
      Indices ofFilter{block, channel}, ofImage{dim(0)};
      ofImage.append(tiles.begin(), std::prev(tiles.end()));
      ofImage.push_back(channel);
      for (auto [axis, index] : llvm::zip(axes, read[number]))
        if (axis.isTransformed)
          for (Indices *indices : {&ofFilter, &ofImage})
            indices->push_back(getAffineConstantExpr(index, context));
      ofFilter.push_back(within);
      ofImage.push_back(tiles.back());
      Real filter{extractAt(at, inner, u, ofFilter, body->getArguments())};
      Real image{extractAt(at, inner, v, ofImage, body->getArguments())};
      Real product = arithmetic.mul(image, filter);
      sum = sum ? arithmetic.add(*sum, product) : product;
    }
    return *sum;
  };
  SmallVector<ElementsAttr> matrices(
      llvm::count_if(axes, [](const TileAxis &axis) { return axis.isTransformed; }), matrix("AT"));
  SmallVector<Real> all = transformedBox(arithmetic, element, matrices, sumAt);
  SmallVector<Value> values;
  for (size_t number : wanted)
    values.push_back(arithmetic.value(all[number]));
  YieldOp::create(at, inner, values);
  return whole.getResult(0);
}

void SumsInTiles::expand() {
  side = outLayout != ConvLayout::Blocks && sizes.K % channelBlock != 0 ? sizes.K : channelBlock;
  Value u = ofFilters(), v = ofImages(), made;
  SmallVector<SmallVector<TilePart>> boxes = tileBoxes(sizes, axes);
  if (boxes.size() > 1)
    made = tensor::EmptyOp::create(builder, location, resultShape(), element);
  for (const SmallVector<TilePart> &box : boxes)
    made = resultsOf(box, u, v, made);
  finish(made);
}

} // namespace

void expandInTiles(ConvOp op, DictionaryAttr transform) { SumsInTiles(op, transform).expand(); }

} // namespace weft
