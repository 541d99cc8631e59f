//===- CodeletPlanes.h - codelets over planes of images ------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Cores that share products have their vectors in these, and what they fetch and put wants long
// runs. Where a codelet cuts tiles of planes, tiles are the columns of the products then: the
// codelet reads whole stretches of a plane and puts as long ones, and nothing is turned in main
// memory.
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_CONTRACTIONS_CODELETPLANES_H
#define WEFT_PASSES_CONTRACTIONS_CODELETPLANES_H

#include "passes/contractions/Contraction.h"

namespace weft {

/// Whether a factor is made by a codelet, the last index of whose reads moves on with `side`: some
/// indices of the contraction.
bool isOfPlanes(const Factor &factor, llvm::ArrayRef<unsigned> side);

/// Whether a codelet makes a factor of tiles that it cuts, and some indices of the contraction
/// count them; not where it reads elements along these that follow one another in a row.
bool isOfTiles(const Factor &factor, llvm::ArrayRef<unsigned> side);

/// Whether a codelet makes what one of these maps reads, or reads what one of them makes.
bool isBeside(MapOp codelet, llvm::ArrayRef<MapOp> products);

} // namespace weft

#endif // WEFT_PASSES_CONTRACTIONS_CODELETPLANES_H
