//===- ConvLayout.h - the orders of a convolution's channels ------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// What weft.conv's `layout` and `out_layout` mean: where the element of an image, a channel, a row
// and a column lies in a tensor of that layout.
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

/// nchw, nhwc and nchw16c: channels before rows, behind columns, or the sixteen of a block behind.
enum class ConvLayout { NCHW, NHWC, NCHW16c };

/// Channels side by side in NCHW16c.
inline constexpr int64_t channelBlock = 16;

std::optional<ConvLayout> convLayoutNamed(llvm::StringRef name);

/// The shape in a layout of these images, channels, rows and columns; nothing where channels do not
/// fill their blocks.
std::optional<llvm::SmallVector<int64_t>> shapeIn(ConvLayout layout, int64_t images,
                                                  int64_t channels, int64_t rows, int64_t columns);

/// Images, channels, rows and columns of a shape in a layout; nothing where it is none of those.
std::optional<llvm::SmallVector<int64_t>> extentsOf(ConvLayout layout,
                                                    llvm::ArrayRef<int64_t> shape);

/// The indices in a tensor of that layout: numbers, or expressions of them.
llvm::SmallVector<int64_t> placeIn(ConvLayout layout, int64_t image, int64_t channel, int64_t row,
                                   int64_t column);
llvm::SmallVector<mlir::AffineExpr> placeIn(ConvLayout layout, mlir::AffineExpr image,
                                            mlir::AffineExpr channel, mlir::AffineExpr row,
                                            mlir::AffineExpr column);

} // namespace weft

#endif // WEFT_DIALECT_CONVLAYOUT_H
