//===- ChannelSums.h - a filter for each channel, written out --------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_CONVOLUTIONS_CHANNELSUMS_H
#define WEFT_PASSES_CONVOLUTIONS_CHANNELSUMS_H

#include "dialect/Weft.h"

namespace weft {

/// Replaces the op, whose channels each have a filter of their own, by its sum; images and results
/// that are planes are put in blocks of channels and back if it says so.
void expandByChannels(ConvOp op, bool throughBlocks);

} // namespace weft

#endif // WEFT_PASSES_CONVOLUTIONS_CHANNELSUMS_H
