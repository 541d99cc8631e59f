//===- ChannelSums.cpp - a filter for each channel, written out -----------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Vectors lie along channels where these are side by side, else along rows of planes; or planes are
// put in blocks of channels first, and results back: a block at a time, which stays in the first
// cache.
//
//===-----------------------------------------------------------------------===//

#include "passes/convolutions/ChannelSums.h"

#include "passes/convolutions/ConvolutionMaps.h"
#include "passes/convolutions/ResultBoxes.h"
#include "passes/transforms/ButterflyMaps.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace weft {

namespace {

class ChannelSum : ConvolutionMaps {
public:
  using ConvolutionMaps::ConvolutionMaps;
  void expand(bool throughBlocks);

private:
  Value sums();
  /// The images within `extents`, zero around them, in the layout in which they are summed.
  Images within(ArrayRef<int64_t> extents);
  SmallVector<int64_t> shapeOfSums();
  Value channelsLast(Value g);

  ConvLayout worked = ConvLayout::Planes; ///< the layout in which channels are summed
};

ConvolutionMaps::Images ChannelSum::within(ArrayRef<int64_t> extents) {
  if (worked == layout)
    return images(extents, layout);
  // The channels of all groups are turned as one. Rows that fill squares, and what is around them,
  // go where they will be; of short ones the whole image is turned first.
  ConvSizes whole = std::exchange(sizes, sizes.asOneGroup());
  bool isBordered = extents != ArrayRef(sizes.image);
  if (!isBordered || 2 * sizes.image.back() < channelBlock) {
    input = toBlocks(input);
    layout = worked;
  }
  Images x = images(extents, worked);
  sizes = whole;
  if (isBordered)
    x.tensor.getDefiningOp()->setAttr(sortedMark, builder.getUnitAttr());
  return x;
}

SmallVector<int64_t> ChannelSum::shapeOfSums() {
  if (worked == ConvLayout::Planes)
    return resultShape();
  SmallVector<int64_t> shape{sizes.N, sizes.G};
  llvm::append_range(shape, sizes.result);
  return *shapeIn(worked, shape);
}

/// Filters of one channel as vectors want them: [place], the filters side by side behind it, all of
/// them or a block.
Value ChannelSum::channelsLast(Value g) {
  bool inBlocks = worked == ConvLayout::Blocks;
  SmallVector<int64_t> shape;
  if (inBlocks)
    shape.push_back(sizes.G / channelBlock);
  unsigned firstPlace = shape.size(), last = firstPlace + sizes.dims();
  llvm::append_range(shape, sizes.filter);
  shape.push_back(inBlocks ? channelBlock : sizes.G);
  auto [ranges, store] = over(shape);
  AffineExpr none = getAffineConstantExpr(0, context);
  Indices read{inBlocks ? dim(0) * channelBlock + dim(last) : dim(last), none, none};
  read.append(store.begin() + firstPlace, store.begin() + last);
  Value made = map(location, shape, ranges, store, [&](OpBuilder &at, ValueRange point) {
    return extractAt(at, inner, g, read, point);
  });
  made.getDefiningOp()->setAttr(sortedMark, builder.getUnitAttr());
  return made;
}

/// Each channel with its own filter: [n, block of channels, pixel, channel], where there are
/// blocks. Results at the border have sums of their own, of what is within the image: there is no
/// copy with a border, unless these were many.
Value ChannelSum::sums() {
  constexpr size_t mostBoxes = 9;
  SmallVector<Box> boxes = boxesOf(sizes);
  // Rows of planes would end with sums of single numbers. A window without a pixel is no sum.
  bool lastIsChannel = worked != ConvLayout::Planes;
  bool isCopied = boxes.size() > mostBoxes || (!lastIsChannel && !sizes.hasStrides()) ||
                  llvm::any_of(boxes, [](const Box &box) {
                    return llvm::any_of(box, [](Inside one) { return one.places == 0; });
                  });
  // Before the images, whose blocks are summed as soon as they are made.
  Value g = lastIsChannel ? channelsLast(filters()) : filters();
  ConvSizes::Extents border = sizes.pad, none(sizes.dims(), 0);
  Images x{};
  if (isCopied) {
    x = within(sizes.padded());
    sizes.image = sizes.padded();
    sizes.pad = border = none;
    boxes = boxesOf(sizes); // one
  } else {
    sizes.pad = none;
    x = within(sizes.image);
  }
  SmallVector<int64_t> shape = shapeOfSums();
  unsigned firstPixel = firstOfPixel(worked, shape.size());
  Indices ofChannel; // of filters, before the places in them
  if (worked == ConvLayout::Blocks)
    ofChannel.push_back(dim(1));
  else if (!lastIsChannel)
    ofChannel.append({dim(1), dim(2), dim(2)}); // the one filter of the group, its one channel
  auto [whole, store] = over(shape);
  unsigned firstTerm = shape.size();
  Value made;
  if (boxes.size() > 1)
    made = tensor::EmptyOp::create(builder, location, shape, element);
  for (const Box &box : boxes) {
    SmallVector<Range> ranges = whole;
    SmallVector<int64_t> terms;
    Indices ofImage(store), ofFilter(ofChannel);
    for (auto [n, one] : llvm::enumerate(box)) {
      ranges[firstPixel + n] = {one.first, one.last};
      terms.push_back(one.places);
      AffineExpr place = dim(firstTerm + n) + one.lower;
      ofFilter.push_back(place);
      ofImage[firstPixel + n] = ofImage[firstPixel + n] * sizes.stride[n] + place - border[n];
    }
    if (lastIsChannel)
      ofFilter.push_back(store.back());
    made = map(
        location, shape, ranges, store,
        [&](OpBuilder &at, ValueRange point) {
          return sumOfProducts(at, terms, [&](OpBuilder &term, ValueRange place) {
            SmallVector<Value> all(point);
            llvm::append_range(all, place);
            Value left = extractAt(term, inner, x.tensor, ofImage, all);
            return std::pair(left, extractAt(term, inner, g, ofFilter, all));
          });
        },
        made);
  }
  return made;
}

void ChannelSum::expand(bool throughBlocks) {
  worked = throughBlocks ? ConvLayout::Blocks : layout;
  Value made = sums();
  if (!throughBlocks)
    return finish(made);
  sizes = sizes.asOneGroup();
  finish(fromBlocks(made));
}

} // namespace

void expandByChannels(ConvOp op, bool throughBlocks) { ChannelSum(op).expand(throughBlocks); }

} // namespace weft
