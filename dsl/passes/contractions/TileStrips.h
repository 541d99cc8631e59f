//===- TileStrips.h - Winograd's tiles, a strip at a time ---------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// The transformed tiles of an image and their products with the filters are several times the
// image, each written once and read once. A strip of tiles is transformed, multiplied and
// transformed back while it is in the second cache. Strips take turns, since they share one place;
// inside of each the loops are independent as ever.
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_CONTRACTIONS_TILESTRIPS_H
#define WEFT_PASSES_CONTRACTIONS_TILESTRIPS_H

#include "passes/contractions/Contraction.h"

namespace weft {

/// Puts an arranged contraction into blocks, with the codelet that makes its rows' factor, the one
/// that alone reads its result, and the copy behind that; where all are there and it pays.
void cutIntoStrips(MapOp contraction, const PanelLimits &limits);

} // namespace weft

#endif // WEFT_PASSES_CONTRACTIONS_TILESTRIPS_H
