//===- WinogradMaps.h - small constant matrices as straight-line code -*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_TRANSFORMS_WINOGRADMAPS_H
#define WEFT_PASSES_TRANSFORMS_WINOGRADMAPS_H

#include "dialect/Weft.h"
#include "passes/transforms/RealArithmetic.h"

namespace weft {

/// A map that computes all elements along the axes of a transform at each point.
inline constexpr llvm::StringLiteral codeletMark = "weft.codelet";

/// The transform of a box of real numbers by a matrix an axis; the last axis is the fastest. Each
/// of `input` is asked for when the line of the first axis in which it is is transformed: only what
/// lines have become is kept until the next axis.
llvm::SmallVector<Real> transformedBox(RealBuilder &arithmetic, mlir::Type type,
                                       llvm::ArrayRef<mlir::ElementsAttr> matrices,
                                       llvm::function_ref<Real(size_t)> input);

/// A transform and those before it that alone feed it, along other axes, up to three in all; the
/// first one first.
llvm::SmallVector<WinogradTransformOp> winogradChain(WinogradTransformOp last);

/// Replaces a transform, and its chain before it, by a map.
void expandWinogradTransform(WinogradTransformOp op);

} // namespace weft

#endif // WEFT_PASSES_TRANSFORMS_WINOGRADMAPS_H
