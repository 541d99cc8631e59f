//===- WinogradMaps.h - small constant matrices as straight-line code -*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_TRANSFORMS_WINOGRADMAPS_H
#define WEFT_PASSES_TRANSFORMS_WINOGRADMAPS_H

#include "dialect/Weft.h"

namespace weft {

/// A map that computes all elements along the axes of a transform at each point.
inline constexpr llvm::StringLiteral codeletMark = "weft.codelet";

/// A transform and those before it that alone feed it, along other axes, up to three in all; the
/// first one first.
llvm::SmallVector<WinogradTransformOp> winogradChain(WinogradTransformOp last);

/// Replaces a transform, and its chain before it, by a map.
void expandWinogradTransform(WinogradTransformOp op);

} // namespace weft

#endif // WEFT_PASSES_TRANSFORMS_WINOGRADMAPS_H
