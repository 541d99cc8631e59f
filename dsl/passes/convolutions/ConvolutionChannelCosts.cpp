//===- ConvolutionChannelCosts.cpp - what a filter for each channel costs -===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Vectors of channels, or of pixels of a row of planes; or planes that go to blocks of channels and
// back, where their rows would make poor vectors: short ones, and those of every second pixel.
//
//===-----------------------------------------------------------------------===//

#include "passes/convolutions/ConvolutionModel.h"

using namespace mlir;

namespace weft {

/// Cycles for a vector of sixteen channels of a pixel that is turned, to the block or back: in
/// squares, through registers; more where a block of images and results does not stay in the first
/// cache, and where what the kernel is called with does not stay in the second. Of 66 layers of 96
/// to 960 channels, 7 to 112 pixels a side, filters of 3 to 7 a side, strides of 1 and 2, one image
/// and 16, on a Zen 5.
constexpr double turnVector = 2.5, pastFirstCache = 5.5, pastSecondCache = 2.5;

/// Cycles, two pipes taken together, for a product of channels side by side: neighbouring results
/// share what they load. Fitted to the same layers.
constexpr double sharedLoads = 1.06;

/// How much fewer cycles blocks must take: what rows cost is counted without the border.
constexpr double turningPays = 1.15;

/// Two loads a product.
ConvChoice ConvolutionModel::byChannels() const {
  bool inPlanes = layout == ConvLayout::Planes;
  int64_t side = inPlanes ? sizes.result.back() : sizes.G;
  bool isVector = !inPlanes || side >= limits.lanes || isMaskedVector(side, limits);
  double vectors = double(isVector ? llvm::divideCeil(side, limits.lanes) : side);
  if (inPlanes && sizes.stride.back() > 1 && isVector)
    vectors *= stridden;
  double others = double(inPlanes ? sizes.G : 1) * double(sizes.results()) /
                  double(inPlanes ? sizes.result.back() : 1);
  double products = double(sizes.N) * others * double(sizes.window());
  ConvChoice rows{
      {}, 2 * (isComplex ? 4 : 1) * products * vectors / limits.pipes, DirectForm::Channels};
  std::optional<ConvChoice> turned = byTurnedChannels();
  return turned && turned->cycles * turningPays < rows.cycles ? *turned : rows;
}

std::optional<ConvChoice> ConvolutionModel::byTurnedChannels() const {
  if (layout != ConvLayout::Planes || isComplex || sizes.G % channelBlock != 0 ||
      sizes.window() == 1)
    return std::nullopt;
  double vectors = double(llvm::divideCeil(channelBlock, limits.lanes));
  double pixels = double(sizes.pixels() + sizes.results());
  double turning = turnVector;
  if (pixels * channelBlock * double(limits.elementBytes) > double(limits.l1Bytes))
    turning += pastFirstCache;
  if (called > limits.l2Bytes)
    turning += pastSecondCache;
  double products = double(sizes.results()) * double(sizes.window());
  double ofBlock = vectors * (turning * pixels + sharedLoads * products / limits.pipes);
  double blocks = double(sizes.N) * double(sizes.G) / channelBlock;
  return ConvChoice{{}, blocks * ofBlock, DirectForm::TurnedChannels};
}

} // namespace weft
