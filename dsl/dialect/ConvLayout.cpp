//===- ConvLayout.cpp - the orders of a convolution's channels ----------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "dialect/ConvLayout.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace weft {

std::optional<ConvLayout> convLayoutNamed(StringRef name) {
  return llvm::StringSwitch<std::optional<ConvLayout>>(name)
      .Case("nchw", ConvLayout::NCHW)
      .Case("nhwc", ConvLayout::NHWC)
      .Case("nchw16c", ConvLayout::NCHW16c)
      .Default(std::nullopt);
}

/// Each of the parts at its place.
template <typename Part>
static SmallVector<Part> ordered(ConvLayout layout, Part image, Part channel, Part block,
                                 Part within, Part row, Part column) {
  switch (layout) {
  case ConvLayout::NCHW:
    return {image, channel, row, column};
  case ConvLayout::NHWC:
    return {image, row, column, channel};
  case ConvLayout::NCHW16c:
    return {image, block, row, column, within};
  }
  llvm_unreachable("a layout");
}

std::optional<SmallVector<int64_t>> shapeIn(ConvLayout layout, int64_t images, int64_t channels,
                                            int64_t rows, int64_t columns) {
  if (layout == ConvLayout::NCHW16c && channels % channelBlock != 0)
    return std::nullopt;
  return ordered(layout, images, channels, channels / channelBlock, channelBlock, rows, columns);
}

std::optional<SmallVector<int64_t>> extentsOf(ConvLayout layout, ArrayRef<int64_t> shape) {
  bool inBlocks = layout == ConvLayout::NCHW16c;
  if (shape.size() != (inBlocks ? 5u : 4u) || (inBlocks && shape[4] != channelBlock))
    return std::nullopt;
  switch (layout) {
  case ConvLayout::NCHW:
    return SmallVector<int64_t>(shape);
  case ConvLayout::NHWC:
    return SmallVector<int64_t>{shape[0], shape[3], shape[1], shape[2]};
  case ConvLayout::NCHW16c:
    return SmallVector<int64_t>{shape[0], shape[1] * channelBlock, shape[2], shape[3]};
  }
  llvm_unreachable("a layout");
}

SmallVector<int64_t> placeIn(ConvLayout layout, int64_t image, int64_t channel, int64_t row,
                             int64_t column) {
  return ordered(layout, image, channel, channel / channelBlock, channel % channelBlock, row,
                 column);
}

SmallVector<AffineExpr> placeIn(ConvLayout layout, AffineExpr image, AffineExpr channel,
                                AffineExpr row, AffineExpr column) {
  return ordered(layout, image, channel, channel.floorDiv(channelBlock), channel % channelBlock,
                 row, column);
}

} // namespace weft
