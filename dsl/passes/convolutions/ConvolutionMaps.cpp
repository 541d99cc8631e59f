//===- ConvolutionMaps.cpp - what algorithms of a convolution share -----------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/convolutions/ConvolutionMaps.h"

#include "passes/transforms/ButterflyMaps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace weft {

ConvolutionMaps::ConvolutionMaps(ConvOp op)
    : op(op), builder(op), location(op.getLoc()), inner(unnamed(op.getLoc())),
      context(op.getContext()), sizes(ConvSizes::of(op)), input(op.getInput()),
      layout(*convLayoutNamed(op.getLayout(), sizes.dims())),
      outLayout(*convLayoutNamed(op.getOutLayout(), sizes.dims())),
      element(cast<RankedTensorType>(op.getType()).getElementType()) {}

SmallVector<int64_t> ConvolutionMaps::grouped(ArrayRef<int64_t> before, ArrayRef<int64_t> after) {
  SmallVector<int64_t> shape(before);
  if (sizes.G > 1)
    shape.push_back(sizes.G);
  llvm::append_range(shape, after);
  return shape;
}

Value ConvolutionMaps::reshaped(Value value, ArrayRef<int64_t> shape) {
  if (cast<RankedTensorType>(value.getType()).getShape() == shape)
    return value;
  return ReshapeOp::create(builder, location, RankedTensorType::get(shape, element), value);
}

Value ConvolutionMaps::map(Location where, ArrayRef<int64_t> shape, ArrayRef<Range> ranges,
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

std::pair<SmallVector<ConvolutionMaps::Range>, ConvolutionMaps::Indices>
ConvolutionMaps::over(ArrayRef<int64_t> shape) {
  std::pair<SmallVector<Range>, Indices> made;
  for (auto [n, extent] : llvm::enumerate(shape)) {
    made.first.push_back({0, extent});
    made.second.push_back(dim(n));
  }
  return made;
}

Value ConvolutionMaps::zero(OpBuilder &at) {
  if (auto type = dyn_cast<ComplexType>(element)) {
    Attribute part = at.getFloatAttr(type.getElementType(), 0.0);
    return complex::ConstantOp::create(at, inner, type, at.getArrayAttr({part, part}));
  }
  return arith::ConstantOp::create(at, inner, at.getFloatAttr(element, 0.0));
}

Value ConvolutionMaps::sumOfProducts(OpBuilder &at, ArrayRef<int64_t> terms, Factors factors) {
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

Value ConvolutionMaps::pixel(OpBuilder &at, const Images &x, ArrayRef<AffineExpr> logical,
                             ValueRange point) {
  if (x.layout == ConvLayout::Planes)
    return extractAt(at, inner, x.tensor, logical, point);
  ArrayRef<AffineExpr> pixel = logical.take_back(sizes.dims());
  AffineExpr channel = logical.drop_back(sizes.dims()).back();
  if (sizes.G > 1)
    channel = logical[1] * sizes.C + channel;
  Indices whole{logical[0], channel};
  llvm::append_range(whole, pixel);
  return extractAt(at, inner, x.tensor, placeIn(x.layout, whole), point);
}

unsigned firstOfPixel(ConvLayout of, unsigned rank, unsigned dims) {
  return of == ConvLayout::Planes ? rank - dims : of == ConvLayout::ChannelsLast ? 1 : 2;
}

unsigned ConvolutionMaps::firstOfPixel(ConvLayout of, unsigned rank) const {
  return weft::firstOfPixel(of, rank, sizes.dims());
}

ConvolutionMaps::Images ConvolutionMaps::images(ArrayRef<int64_t> extents, ConvLayout to) {
  auto grow = [](SmallVector<int64_t> lead, ArrayRef<int64_t> pixel) {
    llvm::append_range(lead, pixel);
    return lead;
  };
  if (to == ConvLayout::Planes && layout != to && sizes.G > 1) {
    // The channels of all groups are turned as one.
    ConvSizes whole = std::exchange(sizes, sizes.asOneGroup());
    Images x = images(extents, to);
    sizes = whole;
    return {reshaped(x.tensor, grow(grouped({sizes.N}, {sizes.C}), extents)), to};
  }
  Images x{input, layout};
  if (layout == ConvLayout::Planes)
    x.tensor = reshaped(x.tensor, grow(grouped({sizes.N}, {sizes.C}), sizes.image));
  // With a stride, so much of an image with its border may be as large as the image itself.
  bool bordered = llvm::any_of(sizes.pad, [](int64_t pad) { return pad != 0; });
  if (!bordered && extents == ArrayRef(sizes.image) && to == layout)
    return x;
  SmallVector<int64_t> shape = to == ConvLayout::Planes
                                   ? grow(grouped({sizes.N}, {sizes.C}), extents)
                                   : *shapeIn(to, grow({sizes.N, sizes.G * sizes.C}, extents));
  auto [whole, store] = over(shape);
  unsigned first = firstOfPixel(to, shape.size());
  Value made;
  auto box = [&](ArrayRef<Range> pixel, bool inside) {
    SmallVector<Range> ranges = whole;
    for (auto [n, range] : llvm::enumerate(pixel))
      ranges[first + n] = range;
    if (llvm::any_of(ranges, [](Range range) { return range.lower >= range.upper; }))
      return;
    if (!made && llvm::any_of(llvm::zip(ranges, whole), [](auto both) {
          return std::get<0>(both).lower != 0 || std::get<0>(both).upper != std::get<1>(both).upper;
        }))
      made = tensor::EmptyOp::create(builder, location, shape, element);
    made = map(
        location, shape, ranges, store,
        [&](OpBuilder &at, ValueRange point) {
          if (!inside)
            return zero(at);
          Indices read = store;
          for (auto [n, border] : llvm::enumerate(sizes.pad))
            read[first + n] = read[first + n] - border;
          if (to == layout)
            return extractAt(at, inner, x.tensor, read, point);
          if (to == ConvLayout::Blocks) {
            AffineExpr within = read.pop_back_val();
            read[1] = read[1] * channelBlock + within;
          }
          return this->pixel(at, x, read, point);
        },
        made);
  };
  // Before and behind the image along each dimension, where it is within the others before that.
  SmallVector<Range> pixel;
  for (int64_t extent : extents)
    pixel.push_back({0, extent});
  for (auto [dim, extent] : llvm::enumerate(extents)) {
    Range within{std::min(sizes.pad[dim], extent),
                 std::min(sizes.pad[dim] + sizes.image[dim], extent)};
    pixel[dim] = {0, within.lower};
    box(pixel, false);
    pixel[dim] = {within.upper, extent};
    box(pixel, false);
    pixel[dim] = within;
  }
  box(pixel, true);
  return {made, to};
}

Value ConvolutionMaps::toBlocks(Value planes) {
  int64_t pixels = sizes.pixels();
  planes = reshaped(planes, {sizes.N, sizes.C, pixels});
  SmallVector<int64_t> shape{sizes.N, sizes.C / channelBlock, pixels, channelBlock};
  auto [ranges, store] = over(shape);
  Indices read{dim(0), dim(1) * channelBlock + dim(3), dim(2)};
  Value made = map(location, shape, ranges, store, [&](OpBuilder &at, ValueRange point) {
    return extractAt(at, inner, planes, read, point);
  });
  made.getDefiningOp()->setAttr(sortedMark, builder.getUnitAttr());
  SmallVector<int64_t> extents{sizes.N, sizes.C};
  llvm::append_range(extents, sizes.image);
  return reshaped(made, *shapeIn(ConvLayout::Blocks, extents));
}

Value ConvolutionMaps::fromBlocks(Value blocks) {
  // A block at a time, as it was made: what comes before may be one nest with this. All pixels as
  // one row, which fills squares where rows of an image do not.
  int64_t pixels = sizes.results();
  SmallVector<int64_t> extents{sizes.N, sizes.K / channelBlock, channelBlock, pixels};
  blocks = reshaped(blocks, {extents[0], extents[1], pixels, channelBlock});
  auto [ranges, all] = over(extents);
  Indices read{dim(0), dim(1), dim(3), dim(2)},
      store{dim(0), dim(1) * channelBlock + dim(2), dim(3)};
  Value made = map(
      location, {sizes.N, sizes.K, pixels}, ranges, store,
      [&](OpBuilder &at, ValueRange point) { return extractAt(at, inner, blocks, read, point); });
  return reshaped(made, resultShape());
}

ConvolutionMaps::Lead ConvolutionMaps::lead() {
  Lead made;
  auto add = [&](int64_t extent) {
    made.ranges.push_back({0, extent});
    return dim(made.ranges.size() - 1);
  };
  made.logical.push_back(add(sizes.N));
  if (sizes.G > 1)
    made.logical.push_back(add(sizes.G));
  AffineExpr filter;
  if (outLayout == ConvLayout::Blocks && sizes.K % channelBlock == 0) {
    made.block = add(sizes.K / channelBlock);
    made.within = add(channelBlock);
    filter = made.block * channelBlock + made.within;
  } else {
    filter = add(sizes.K);
  }
  made.logical.push_back(filter);
  made.filter = sizes.G > 1 ? made.logical[1] * sizes.K + filter : filter;
  if (made.block && sizes.G > 1)
    made.block = made.logical[1] * (sizes.K / channelBlock) + made.block;
  return made;
}

SmallVector<int64_t> ConvolutionMaps::resultShape() {
  if (outLayout == ConvLayout::Planes) {
    SmallVector<int64_t> shape = grouped({sizes.N}, {sizes.K});
    llvm::append_range(shape, sizes.result);
    return shape;
  }
  return SmallVector<int64_t>(cast<RankedTensorType>(op.getType()).getShape());
}

ConvolutionMaps::Indices ConvolutionMaps::resultPlace(const Lead &lead,
                                                      ArrayRef<AffineExpr> pixel) {
  Indices place = lead.logical;
  if (lead.block)
    place = {lead.logical[0], lead.block};
  else if (outLayout != ConvLayout::Planes)
    place = {lead.logical[0], lead.filter};
  llvm::append_range(place, pixel);
  if (lead.block)
    place.push_back(lead.within);
  return lead.block || outLayout == ConvLayout::Planes ? place : placeIn(outLayout, place);
}

Value ConvolutionMaps::filters() {
  SmallVector<int64_t> shape = grouped({}, {sizes.K, sizes.C});
  llvm::append_range(shape, sizes.filter);
  return reshaped(op.getFilters(), shape);
}

void ConvolutionMaps::finish(Value result) {
  op.replaceAllUsesWith(reshaped(result, cast<RankedTensorType>(op.getType()).getShape()));
  op.erase();
}

} // namespace weft
