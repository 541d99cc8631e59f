//===- ConvLayout.h - the orders of a convolution's channels ------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// What weft.conv's `layout` and `out_layout` mean: where the element of an image, a channel and a
// pixel lies in a tensor of that layout. A pixel has one, two or three indices, the innermost last;
// extents and indices are written as image, channel, pixel.
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_DIALECT_CONVLAYOUT_H
#define WEFT_DIALECT_CONVLAYOUT_H

#include "mlir/IR/AffineExpr.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace weft {

/// Channels before pixels, behind them, or the sixteen of a block behind.
enum class ConvLayout { Planes, ChannelsLast, Blocks };

/// Channels side by side in blocks.
inline constexpr int64_t channelBlock = 16;

/// Most indices of a pixel.
inline constexpr unsigned mostPixelDims = 3;

/// The layout of a name such as nchw, nhwc or nchw16c, of images with so many dimensions.
std::optional<ConvLayout> convLayoutNamed(llvm::StringRef name, unsigned dims);

/// The shape in a layout of images of these extents; nothing where channels do not fill their
/// blocks.
std::optional<llvm::SmallVector<int64_t>> shapeIn(ConvLayout layout,
                                                  llvm::ArrayRef<int64_t> extents);

/// The extents of a shape in a layout, of images with so many dimensions; nothing where it is none
/// of those.
std::optional<llvm::SmallVector<int64_t>> extentsOf(ConvLayout layout, unsigned dims,
                                                    llvm::ArrayRef<int64_t> shape);

/// The indices in a tensor of that layout: numbers, or expressions of them.
llvm::SmallVector<int64_t> placeIn(ConvLayout layout, llvm::ArrayRef<int64_t> indices);
llvm::SmallVector<mlir::AffineExpr> placeIn(ConvLayout layout,
                                            llvm::ArrayRef<mlir::AffineExpr> indices);

} // namespace weft

#endif // WEFT_DIALECT_CONVLAYOUT_H
