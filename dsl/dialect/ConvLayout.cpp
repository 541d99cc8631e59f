//===- ConvLayout.cpp - the orders of a convolution's channels ----------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "dialect/ConvLayout.h"

using namespace mlir;

namespace weft {

std::optional<ConvLayout> convLayoutNamed(StringRef name, unsigned dims) {
  std::string pixel = StringRef("dhw").take_back(dims).str();
  if (name == "nc" + pixel)
    return ConvLayout::Planes;
  if (name == "n" + pixel + "c")
    return ConvLayout::ChannelsLast;
  if (name == "nc" + pixel + std::to_string(channelBlock) + "c")
    return ConvLayout::Blocks;
  return std::nullopt;
}

/// Each of the parts at its place.
template <typename Part>
static SmallVector<Part> ordered(ConvLayout layout, Part image, Part channel, Part block,
                                 Part within, ArrayRef<Part> pixel) {
  SmallVector<Part> place{image};
  if (layout != ConvLayout::ChannelsLast)
    place.push_back(layout == ConvLayout::Blocks ? block : channel);
  llvm::append_range(place, pixel);
  if (layout != ConvLayout::Planes)
    place.push_back(layout == ConvLayout::Blocks ? within : channel);
  return place;
}

std::optional<SmallVector<int64_t>> shapeIn(ConvLayout layout, ArrayRef<int64_t> extents) {
  int64_t channels = extents[1];
  if (layout == ConvLayout::Blocks && channels % channelBlock != 0)
    return std::nullopt;
  return ordered(layout, extents[0], channels, channels / channelBlock, channelBlock,
                 extents.drop_front(2));
}

std::optional<SmallVector<int64_t>> extentsOf(ConvLayout layout, unsigned dims,
                                              ArrayRef<int64_t> shape) {
  bool inBlocks = layout == ConvLayout::Blocks;
  if (shape.size() != dims + (inBlocks ? 3 : 2) || (inBlocks && shape.back() != channelBlock))
    return std::nullopt;
  bool isLast = layout == ConvLayout::ChannelsLast;
  int64_t channels = isLast ? shape.back() : shape[1] * (inBlocks ? channelBlock : 1);
  SmallVector<int64_t> extents{shape[0], channels};
  llvm::append_range(extents, shape.slice(isLast ? 1 : 2, dims));
  return extents;
}

SmallVector<int64_t> placeIn(ConvLayout layout, ArrayRef<int64_t> indices) {
  int64_t channel = indices[1];
  return ordered(layout, indices[0], channel, channel / channelBlock, channel % channelBlock,
                 indices.drop_front(2));
}

SmallVector<AffineExpr> placeIn(ConvLayout layout, ArrayRef<AffineExpr> indices) {
  AffineExpr channel = indices[1];
  return ordered(layout, indices[0], channel, channel.floorDiv(channelBlock),
                 channel % channelBlock, indices.drop_front(2));
}

} // namespace weft
