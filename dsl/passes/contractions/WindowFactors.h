//===- WindowFactors.h - windows over what codelets make ----------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Winograd's algorithm along one axis leaves windows along the others: p[k, i, a, j] = sum of
// u[k, c, r, j] * v[c, i+r, a, j]. No vector of v serves several products as those of an image do,
// as each j has filters of its own. Where the codelet that makes v makes v[c, i, r, a, j] instead,
// what remains is a batch of products of matrices.
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_CONTRACTIONS_WINDOWFACTORS_H
#define WEFT_PASSES_CONTRACTIONS_WINDOWFACTORS_H

#include "passes/contractions/Contraction.h"

namespace weft {

/// Lets the codelet that makes one factor of a sum of products, read at windows by it alone, make
/// each window by itself, where the products then fill panels and pay for that.
void makeWindows(MapOp map, ReduceOp reduce, const Target &target);

} // namespace weft

#endif // WEFT_PASSES_CONTRACTIONS_WINDOWFACTORS_H
